// The shared cases, on what `instantiate` or the package gives. Used in Node and in the browser.

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

const bytesOf = (hexadecimal) =>
  Uint8Array.from(hexadecimal.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const hexadecimal = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const BOM = "\ufeff";

function equal(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: got ${a}, wanted ${b}`);
}

/**
 * Runs the lines of interop.jsonl. `forText`: what the build for text does not have is left out, which
 * is charsets that are not Unicode, and regular expressions.
 * `firstFile`: only what `iriscan/text` does without its second file.
 * Returns how many cases ran, and what failed.
 */
export function run(api, lines, forText = false, firstFile = false) {
  const failures = [];
  let ran = 0;
  for (const line of lines.split("\n").filter(Boolean)) {
    const one = JSON.parse(line);
    if (forText && one.bytes !== undefined && !/^UTF-/.test(one.charset)) continue;
    if (forText && (one.options.match ?? one.options.not_match)) continue;
    if (firstFile && (one.bytes !== undefined || Object.keys(one.options).some((name) => !OF_STRINGS.includes(name)))) continue;
    try {
      check(api, one, firstFile);
    } catch (error) {
      failures.push(`${one.name}${one.charset ? ` in ${one.charset}` : ""}: ${error.message}`);
    }
    ran += 1;
  }
  return { ran, failures };
}

// The options that need no second file.
const OF_STRINGS = ["kinds", "rules", "schemes", "host", "max_len", "ascii_only"];

const FIELDS = ["start", "end", "kind", "text", "iri", "uri", "error", "open", "scheme", "host"];

/** What a link has without asking is what the module says of it. */
export function same(link, known) {
  for (const name of FIELDS) equal(link[name], known[name], `${name} of ${link.text}`);
}

function check({ Finder, details }, one, firstFile) {
  const options = Object.fromEntries(
    Object.entries(one.options).map(([name, value]) => [camel(name), value]),
  );
  const finder = new Finder(options);
  const data = one.bytes === undefined ? null : bytesOf(one.bytes);
  const found = data ? finder.findBytes(data, one.charset) : finder.find(one.text);
  equal(found.length, one.links.length, "links");
  one.links.forEach((wanted, index) => {
    const link = found[index];
    equal([link.start, link.end], data ? wanted.bytes : wanted.utf16, "range");
    for (const name of ["text", "kind", "iri", "uri"]) equal(link[name], wanted[name], name);
    if (firstFile) return;
    const known = details(link);
    equal(known.absolute, wanted.absolute === undefined ? wanted.uri : wanted.absolute, "absolute");
    equal(known.display, wanted.display ?? wanted.iri, "display");
    same(link, known);
    for (const name of ["element", "attribute", "anchor"]) {
      equal(known[name], wanted[name] ?? null, name);
    }
    if (!data) {
      equal(one.text.slice(link.start, link.end), link.text, "slice");
      equal(JSON.stringify(finder.findAt(one.text, link.start)), JSON.stringify(link), "findAt");
    }
  });
  if (firstFile) {
    one.links.forEach((_, index) => {
      const link = found[index];
      equal(one.text.slice(link.start, link.end), link.text, "slice");
      equal(JSON.stringify(finder.findAt(one.text, link.start)), JSON.stringify(link), "findAt");
    });
  }
  if (data) {
    equal(hexadecimal(finder.rewriteBytes(data, one.charset)), one.rewritten ?? one.bytes, "rewrite");
    return;
  }
  equal(finder.addresses(one.text), found.map((link) => link.open).filter((open) => open !== null), "addresses");
  equal(finder.hasLink(one.text), found.length > 0, "hasLink");
  equal(finder.count(one.text), found.length, "count");
  if (!firstFile) equal(finder.rewrite(one.text), one.rewritten ?? one.text, "rewrite");
  // What is not UTF-8 changes nothing after a line feed, but for what the format makes of it.
  if (!options.format && !one.text.startsWith(BOM)) {
    const astral = `𝒳😀\n${one.text}\n\ud800`;
    const moved = finder.find(astral);
    equal(moved.map((link) => link.start - 5), found.map((link) => link.start), "after astral text");
    for (const link of moved) equal(astral.slice(link.start, link.end), link.text, "astral slice");
  }
}
