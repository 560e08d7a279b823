// Makes links of the text in a DOM tree. No markup is parsed here: elements are created, text is set
// as text, and a link opens only what `isSafe` lets through.

const HTML = "http://www.w3.org/1999/xhtml";
// Text in these is no prose, is a link already, or must not have links in it.
const SKIPPED = [
  "a", "applet", "audio", "button", "canvas", "datalist", "embed", "form", "head", "iframe", "input",
  "math", "noembed", "noframes", "noscript", "object", "optgroup", "option", "plaintext", "script",
  "select", "style", "svg", "template", "textarea", "title", "video", "xmp",
];
const CODE = ["code", "kbd", "listing", "pre", "samp", "tt", "var"];
// A browser would run these, or show as a page what its author chose.
const DANGEROUS = /^(javascript|vbscript|data|blob|filesystem|view-source):/i;

/** True if a click on it cannot run a script in the page. Browsers skip controls in a scheme. */
export function isSafe(uri) {
  return typeof uri === "string" && !DANGEROUS.test(uri.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ""));
}

/**
 * Reads a property of a node, or calls a method of it, as the DOM defines it. A field of a form is a
 * property of the form, and so is an image of its document: in `<form><input name="nextSibling"></form>`
 * the form's `nextSibling` is the field. The getters and methods of the prototypes cannot be hidden so.
 */
function inherited(node, name) {
  const prototype = Object.getPrototypeOf(node);
  if (!INHERITED.has(prototype)) INHERITED.set(prototype, new Map());
  const known = INHERITED.get(prototype);
  for (let at = prototype; at && !known.has(name); at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) known.set(name, found);
  }
  if (!known.has(name)) throw new TypeError(`iriscan: expected a node; this has no ${name}`);
  return known.get(name);
}

// What `inherited` has found, by prototype and name.
const INHERITED = new WeakMap();

function get(node, name) {
  return inherited(node, name).get.call(node);
}

function call(node, name, ...words) {
  return inherited(node, name).value.apply(node, words);
}

const OWN = new Set([
  "finder", "rel", "target", "className", "attributes", "events", "tagName", "format", "formatHref",
  "truncate", "validate", "render", "ignoreTags", "code",
]);

/** Splits options into those of linkifyNode and those of a finder. */
function split(options, known) {
  const own = {};
  const search = {};
  for (const [name, value] of Object.entries(options ?? {})) {
    // `code` belongs here: that of finders is about Markdown.
    if (OWN.has(name)) own[name] = value;
    else if (known.includes(name)) search[name] = value;
    else throw new RangeError(`${name}: no such option of linkifyNode`);
  }
  return [own, search];
}

/** A value that may be a function of a link, as in linkifyjs. */
function of(value, link) {
  return typeof value === "function" ? value(link) : value;
}

function shortened(text, most) {
  if (!most || text.length <= most) return text;
  // Half of a surrogate pair would show as an error.
  const cut = /[\ud800-\udbff]$/.test(text.slice(0, most)) ? most - 1 : most;
  return `${text.slice(0, cut)}…`;
}

/** Makes the element of a link; null if it stays text. */
function element(document, link, own) {
  if (own.validate !== undefined && !of(own.validate, link)) return null;
  if (own.render) {
    const made = own.render(link, document);
    return made ?? null;
  }
  const href = own.formatHref ? own.formatHref(link) : link.open;
  if (!isSafe(href)) return null;
  const made = call(document, "createElementNS", HTML, of(own.tagName, link) ?? "a");
  made.setAttribute("href", href);
  for (const [name, value] of Object.entries(of(own.attributes, link) ?? {})) {
    if (value !== undefined && value !== null) made.setAttribute(name, value);
  }
  const target = of(own.target, link);
  // A page that a link opens must not get hold of the one with the link.
  const rel = of(own.rel, link) ?? (target === "_blank" ? "noopener" : null);
  const set = { target, rel, class: of(own.className, link) };
  for (const [name, value] of Object.entries(set)) {
    if (value !== undefined && value !== null && value !== "") made.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(of(own.events, link) ?? {})) {
    made.addEventListener(name, listener);
  }
  const text = own.format ? own.format(link) : link.text;
  made.textContent = shortened(String(text), of(own.truncate, link));
  return made;
}

/** Replaces the links in neighbouring text nodes. Returns how many. */
function replaceIn(nodes, finder, own) {
  const text = nodes.map((node) => node.data).join("");
  const links = finder.find(text);
  if (links.length === 0) return 0;
  const document = get(nodes[0], "ownerDocument");
  // Nodes that one link or several hold together, and what comes in their place.
  const groups = [];
  let [first, start] = [0, 0];
  for (const link of links) {
    while (start + nodes[first].data.length <= link.start) {
      start += nodes[first].data.length;
      first += 1;
    }
    const made = element(document, link, own);
    if (made === null) continue;
    let group = groups.at(-1);
    if (!group || group.last < first) {
      group = { first, last: first, at: start, end: start + nodes[first].data.length, parts: [] };
      groups.push(group);
    }
    while (group.end < link.end) {
      group.last += 1;
      group.end += nodes[group.last].data.length;
    }
    group.parts.push(text.slice(group.at, link.start), made);
    group.at = link.end;
  }
  let count = 0;
  for (const { first, last, at, end, parts } of groups) {
    const fragment = call(document, "createDocumentFragment");
    for (const part of [...parts, text.slice(at, end)]) if (part !== "") fragment.append(part);
    nodes[first].before(fragment);
    for (const node of nodes.slice(first, last + 1)) node.remove();
    count += parts.length / 2;
  }
  return count;
}

/** True if links in this element would be wrong. */
function skips(node, own) {
  // `svg` and `math` have no HTML in them.
  if (get(node, "namespaceURI") !== HTML) return true;
  const name = get(node, "localName");
  return (
    SKIPPED.includes(name) ||
    (!own.code && CODE.includes(name)) ||
    (own.ignoreTags?.some((tag) => tag.toLowerCase() === name) ?? false)
  );
}

const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
const DOCUMENT = 9;
const FRAGMENT = 11;
const ROOTS = [ELEMENT, TEXT, DOCUMENT, FRAGMENT];
// Of NodeFilter, which is not there outside of browsers.
const SHOW_ALL = 0xffffffff;
const [ACCEPT, REJECT, SKIP] = [1, 2, 3];

/** What kind of node this is; undefined if it is none. */
function typeOf(node) {
  return typeof node === "object" && node !== null && "nodeType" in node ? get(node, "nodeType") : undefined;
}

/** The node above; that of a shadow tree is its host. */
function above(node) {
  const parent = get(node, "parentNode");
  return parent === null && get(node, "nodeType") === FRAGMENT && "host" in node ? get(node, "host") : parent;
}

/** The runs of neighbouring text nodes below `root`, in order. */
function runs(root, own) {
  if (get(root, "nodeType") === TEXT) return [[root]];
  const found = [];
  let run = [];
  let parent = null;
  const close = () => {
    if (run.length > 0) found.push(run);
    run = [];
  };
  const filter = (node) => {
    const type = get(node, "nodeType");
    if (type === TEXT) return ACCEPT;
    // Text before an element and in it are two, and so are text before it and after it.
    if (type !== COMMENT) close();
    return type === ELEMENT && skips(node, own) ? REJECT : SKIP;
  };
  const document = get(root, "nodeType") === DOCUMENT ? root : get(root, "ownerDocument");
  const walker = call(document, "createTreeWalker", root, SHOW_ALL, filter);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // The end of an element is between two texts with different parents.
    const owner = get(node, "parentNode");
    if (owner !== parent) close();
    parent = owner;
    if (node.data !== "") run.push(node);
  }
  close();
  return found;
}

/** Makes `linkifyNode` for the finders of a module. */
export function linkifier(Finder, finderFor, known) {
  const names = known.filter((name) => name !== "code");
  const plain = { kinds: ["iri", "bare", "email"] };
  return function linkifyNode(root, options) {
    if (!ROOTS.includes(typeOf(root))) {
      throw new TypeError("iriscan: expected an element, a document or a fragment");
    }
    const [own, search] = split(options, names);
    const finder = own.finder ?? finderFor({ ...plain, ...search });
    if (!(finder instanceof Finder)) throw new TypeError("iriscan: finder: expected a Finder");
    for (let up = root; up; up = above(up)) {
      if (get(up, "nodeType") === ELEMENT && skips(up, own)) return 0;
    }
    let count = 0;
    for (const run of runs(root, own)) count += replaceIn(run, finder, own);
    return count;
  };
}
