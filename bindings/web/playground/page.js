// The page: text in, marks and records out. `BUILT` and `SAMPLES` come before this; see build.js.

const $ = (id) => document.getElementById(id);
const PATTERN = /https?:\/\/[^\s<>"]+/g;
// A longer text is searched, but not shown: laying out millions of lines is what would take long.
const SHOWN = 100_000;

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The worker.
const worker = new Worker(
  URL.createObjectURL(new Blob([BUILT.worker], { type: "text/javascript" })),
);
const waiting = new Map();
let last = 0;
worker.onmessage = ({ data }) => {
  waiting.get(data.id)?.(data);
  waiting.delete(data.id);
};
function ask(message, transfer) {
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ ...message, id }, transfer);
  });
}

// Options.
const CHOICES = {
  format: [
    // generated: formats
    "text", "html", "xml", "json", "log", "turtle", "csv", "tsv", "markdown", "asciidoc", "css",
    "ical", "org", "latex", "rst", "po", "wikitext", "defanged", "bbcode", "source", "c", "python",
    "java", "man", "ipynb", "jsonld"
    // end of formats
  ],
  rules: ["prose", "uts58"],
  schemes: ["common", "any"],
  to: ["uri", "iri"],
  host: ["punycode", "percent", "keep", "unicode"],
  query: ["document", "utf-8"],
  nfc: ["auto", "always", "never"],
};
const WORDS = {
  charset: "of a file: detected",
  onlyHost: "*.example.org",
  notHost: "ads.example",
  match: "regular expression",
  notMatch: "regular expression",
  template: "{open} ({host})",
  fields: "keys of JSON",
  delimiter: "of CSV",
  base: "https://example.org/page",
  maxLen: "65536",
};
const FLAGS = ["asciiOnly", "code", "elements", "unwrap", "changed", "linksOnly", "identifiers"];
const KINDS = ["iri", "bare", "email"];

function flag(name, checked) {
  const input = element("input", { type: "checkbox", name, checked });
  return element("label", { className: "flag" }, input, name);
}

function buildOptions() {
  const form = $("options");
  for (const kind of KINDS) form.append(flag(kind, true));
  for (const [name, words] of Object.entries(CHOICES)) {
    const select = element("select", { name });
    for (const word of words) select.append(element("option", { textContent: word }));
    form.append(element("label", {}, name, select));
  }
  for (const [name, placeholder] of Object.entries(WORDS)) {
    form.append(element("label", {}, name, element("input", { type: "text", name, placeholder })));
  }
  for (const name of FLAGS) form.append(flag(name, name === "code"));
  form.addEventListener("input", () => search());
  form.addEventListener("submit", (event) => event.preventDefault());
}

function options() {
  // Not `form.elements`, because one of the fields has that name.
  const form = Object.fromEntries([...$("options").querySelectorAll("[name]")].map((one) => [one.name, one]));
  const made = { kinds: KINDS.filter((kind) => form[kind].checked) };
  for (const [name, [standard]] of Object.entries(CHOICES)) {
    if (form[name].value !== standard) made[name] = form[name].value;
  }
  for (const name of Object.keys(WORDS)) {
    const value = form[name].value;
    if (value !== "") made[name] = name === "maxLen" ? Number(value) : value;
  }
  for (const name of FLAGS) {
    const standard = name === "code";
    if (form[name].checked !== standard) made[name] = form[name].checked;
  }
  return made;
}

// Marks.
let links = [];
let text = "";
let current = null;

function marked(into, source, ranges, chosen) {
  const parts = [];
  let at = 0;
  ranges.forEach(({ start, end }, index) => {
    parts.push(source.slice(at, start));
    const mark = element("mark", { textContent: source.slice(start, end) });
    if (index === chosen) mark.className = "now";
    parts.push(mark);
    at = end;
  });
  // A line feed at the end has a line of its own in a textarea only.
  parts.push(`${source.slice(at)}\u200b`);
  into.replaceChildren(...parts);
}

function show() {
  marked($("marks"), text, links, current);
  $("marks").scrollTop = $("text").scrollTop;
}

const ROWS = [
  "text", "iri", "uri", "open", "absolute", "display", "kind", "scheme", "host", "start", "end", "warnings",
  "error", "unwrapped", "element", "attribute", "anchor", "part", "field", "line",
];

// That a link has none of these says something about it.
const ALWAYS = ["uri", "open", "scheme", "host"];

function record(link) {
  const rows = [];
  for (const name of link ? ROWS : []) {
    const value = link[name];
    if (value === undefined || (value === null && !ALWAYS.includes(name))) continue;
    if (name === "absolute" && value === link.open) continue;
    const shown = Array.isArray(value) ? value.join(", ") || "none" : String(value);
    rows.push(element("dt", { textContent: name }), element("dd", { textContent: shown }));
  }
  if (rows.length === 0) {
    rows.push(element("dt", { textContent: "link" }), element("dd", { textContent: "No link under the cursor." }));
  }
  $("record").replaceChildren(...rows);
}

// Why the link under the cursor begins and ends where it does, or why there is none.
const REACH = 1000;
const WHOLE = 20_000;
let explained = 0;
async function explain() {
  explained += 1;
  const mine = explained;
  const chosen = options();
  const at = $("text").selectionStart;
  // What a line is in another format, the lines before it say.
  const whole = chosen.format !== undefined;
  if (whole && text.length > WHOLE) return;
  const from = whole ? 0 : Math.max(text.lastIndexOf("\n", at - 1) + 1, at - REACH);
  const line = whole ? text : text.slice(from, at + REACH).split("\n", 1)[0];
  const { all = [] } = await ask({ type: "explain", text: line, options: chosen });
  const why = all.find(({ start, end }) => from + start <= at && at <= from + end);
  if (mine !== explained || !why) return;
  const { rule, what, without, options: choices = [], texts = [] } = why.ended ?? why.refused;
  const rows = [["begins by", why.began && `${why.began.rule}: ${why.began.what}`]];
  rows.push([why.link ? "ends by" : "no link by", `${rule}: ${what}`], ["without that", without]);
  if (choices.length + texts.length > 0) rows.push(["a link as", [...choices, ...texts].join(", ")]);
  for (const [name, value] of rows) {
    if (value) $("record").append(element("dt", { textContent: name }), element("dd", { textContent: value }));
  }
}

function choose(index) {
  current = index;
  show();
  record(links[index]);
  explain();
  const items = $("links").querySelectorAll("button");
  items.forEach((item, i) => item.setAttribute("aria-current", String(i === index)));
}

function underCursor() {
  const at = $("text").selectionStart;
  const index = links.findIndex(({ start, end }) => start <= at && at <= end);
  return index < 0 ? null : index;
}

function go(index) {
  const link = links[index];
  if (!link) return;
  $("text").focus();
  $("text").setSelectionRange(link.start, link.end);
  choose(index);
}

function list(found) {
  $("count").textContent = found.count > 0 ? `(${found.count.toLocaleString("en")})` : "";
  const items = found.links.slice(0, 500).map((link, index) => {
    const button = element("button", { type: "button", textContent: link.open ?? link.iri });
    if (!found.foreign) button.addEventListener("click", () => go(index));
    else button.addEventListener("click", () => record(link));
    return element("li", {}, button);
  });
  $("links").replaceChildren(...items);
}

function said(found, size) {
  const ms = found.took < 1 ? "less than 1" : String(Math.round(found.took));
  return `${found.count.toLocaleString("en")} ${found.count === 1 ? "link" : "links"} in ${size}, ${ms} ms`;
}

const NOTHING = { count: 0, links: [] };

let asked = 0;
async function search() {
  const source = $("text").value;
  asked += 1;
  const mine = asked;
  const found = await ask({ type: "find", text: source, options: options() });
  // A later keystroke has a later answer.
  if (mine !== asked) return;
  $("options-said").textContent = found.error ?? "";
  text = source;
  // Without an answer nothing is marked: what was found in another text is at other places.
  links = found.links ?? [];
  list(found.error ? NOTHING : found);
  choose(underCursor());
  $("status").textContent = found.error ? "" : said(found, `${source.length.toLocaleString("en")} units`);
  marked($("naive"), source, [...source.matchAll(PATTERN)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  })));
}

// Files, and texts that are too long to be shown.
let url;
async function rewrite(name, blob) {
  $("file-said").textContent = `Reading ${name} …`;
  $("download").hidden = true;
  asked += 1;
  const buffer = await blob.arrayBuffer();
  const size = `${buffer.byteLength.toLocaleString("en")} bytes`;
  const made = options();
  // The extension says what the syntax is, unless an option does.
  const byName = FORMATS[name.split(".").at(-1).toLowerCase()];
  const isMail = !made.format && (byName === "mail" || blob.type === "message/rfc822");
  if (!made.format && byName && !isMail) made.format = byName;
  const found = await ask({ type: "file", buffer, options: made, isMail }, [buffer]);
  if (found.error) {
    $("file-said").textContent = found.error;
    list(NOTHING);
    return;
  }
  list({ ...found, foreign: true });
  const charset = found.charset ? ` Charset: ${found.charset}.` : "";
  const changed = found.changed ? "Links are rewritten." : "Nothing to rewrite.";
  $("file-said").textContent = `${name}: ${said(found, size)}.${charset} ${changed}`;
  if (url) URL.revokeObjectURL(url);
  url = URL.createObjectURL(found.written);
  Object.assign($("download"), { href: url, download: name, hidden: !found.changed });
}

const FORMATS = {
  html: "html", htm: "html", xhtml: "xml", xml: "xml", rss: "xml", atom: "xml", svg: "xml",
  json: "json", jsonl: "json", log: "log", csv: "csv", tsv: "tsv", md: "markdown",
  adoc: "asciidoc", css: "css", ics: "ical", vcf: "ical", ttl: "turtle", nt: "turtle", eml: "mail", org: "org",
  tex: "latex", bib: "latex", ltx: "latex", sty: "latex", latex: "latex",
  rst: "rst", rest: "rst",
  po: "po", pot: "po",
  wiki: "wikitext", mediawiki: "wikitext", wikitext: "wikitext",
};

function takes(target, into) {
  target.addEventListener("dragover", (event) => {
    event.preventDefault();
    $("drop").classList.add("over");
  });
  target.addEventListener("dragleave", () => $("drop").classList.remove("over"));
  target.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    $("drop").classList.remove("over");
    const dragged = event.dataTransfer.getData("text/plain");
    if (!file && dragged.length <= SHOWN) return;
    event.preventDefault();
    into(file ?? new File([dragged], "dropped.txt"));
  });
}

function listen() {
  const area = $("text");
  area.addEventListener("input", () => {
    if (area.value.length > SHOWN) {
      const long = area.value;
      area.value = "";
      rewrite("pasted.txt", new Blob([long]));
    }
    search();
  });
  area.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text/plain");
    if (pasted.length <= SHOWN) return;
    event.preventDefault();
    rewrite("pasted.txt", new Blob([pasted]));
  });
  area.addEventListener("scroll", () => {
    $("marks").scrollTop = area.scrollTop;
  });
  new ResizeObserver(show).observe(area);
  document.addEventListener("selectionchange", () => {
    if (document.activeElement !== area) return;
    const index = underCursor();
    // Where there is no link, each place has a reason of its own.
    if (index !== current || index === null) choose(index);
  });
  area.addEventListener("keydown", (event) => {
    if (!event.altKey || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    // Inside a link its own start counts, so that the cursor leaves it.
    const at = links[underCursor()]?.start ?? area.selectionStart;
    const next = event.key === "ArrowDown"
      ? links.findIndex((link) => link.start > at)
      : links.findLastIndex((link) => link.start < at);
    go(next);
  });
  takes(document.documentElement, (file) => rewrite(file.name, file));
  $("file").addEventListener("change", () => {
    const [file] = $("file").files;
    if (file) rewrite(file.name, file);
  });
  $("samples").addEventListener("change", () => {
    area.value = SAMPLES[$("samples").value][2];
    search();
  });
  $("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = dark === "dark" ? "light" : "dark";
  });
}

async function main() {
  buildOptions();
  SAMPLES.forEach(([name, lang], index) => {
    $("samples").append(element("option", { value: index, textContent: name, lang }));
  });
  $("pattern").textContent = String(PATTERN).replace(/^\/|\/g$/g, "").replaceAll("\\/", "/");
  const module = new Blob([Uint8Array.from(atob(BUILT.module), (c) => c.charCodeAt(0))]);
  const started = await ask({ type: "start", module });
  if (started.error) {
    $("status").textContent = `This browser cannot run iriscan: ${started.error}`;
    return;
  }
  listen();
  $("samples").value = "1";
  $("text").value = SAMPLES[1][2];
  await search();
  document.documentElement.dataset.ready = "";
}

main();
