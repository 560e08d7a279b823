// Makes links of the text in a DOM tree. No markup of the page is parsed here: elements are created, text
// is set as text, and a link opens only what `isSafe` lets through.

import { around, call, divided, get, HTML, isRoot, nameOf, paragraphs, written } from "./tree.js";

/** The method of a finder that gives the same one for HTML; null if it is not for text. */
export const MARKUP = Symbol("markup");
/** The method of a link that gives the same one at another place, in another text. */
export const PLACED = Symbol("placed");

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

/** Puts the elements of links in the place of their text, in nodes whose text begins at `base`. */
function replaceIn(nodes, base, places) {
  const text = nodes.map((node) => node.data).join("");
  // Nodes that one link or several hold together, and what comes in their place.
  const groups = [];
  let [first, start] = [0, base];
  for (const { made, from, to } of places) {
    while (start + nodes[first].data.length <= from) {
      start += nodes[first].data.length;
      first += 1;
    }
    let group = groups.at(-1);
    if (!group || group.last < first) {
      group = { first, last: first, at: start, end: start + nodes[first].data.length, parts: [] };
      groups.push(group);
    }
    while (group.end < to) {
      group.last += 1;
      group.end += nodes[group.last].data.length;
    }
    group.parts.push(text.slice(group.at - base, from - base), made);
    group.at = to;
  }
  for (const { first, last, at, end, parts } of groups) {
    const fragment = call(get(nodes[first], "ownerDocument"), "createDocumentFragment");
    parts.push(text.slice(at - base, end - base));
    for (const part of parts) if (part !== "") fragment.append(part);
    nodes[first].before(fragment);
    for (const node of nodes.slice(first, last + 1)) node.remove();
  }
}

/** Writes the pieces of a paragraph as HTML. Each text then has its place there, and in all text. */
function source(pieces) {
  let [html, text] = ["", ""];
  for (const piece of pieces) {
    if (!piece.nodes) {
      html += written(piece);
      continue;
    }
    const escaped = piece.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    Object.assign(piece, { at: html.length, end: html.length + escaped.length, start: text.length });
    html += escaped;
    text += piece.text;
  }
  return { html, text };
}

/** Moves on in a text, as it is in the HTML: to `at` or to the end. Returns how many units that is. */
function offsetIn(piece, at, units) {
  if (piece.end - piece.at === piece.text.length) return Math.min(at - piece.at, piece.text.length);
  let { offset, place } = units;
  while (place < at && offset < piece.text.length) {
    place += { "&": 5, "<": 4 }[piece.text[offset]] ?? 1;
    offset += 1;
  }
  Object.assign(units, { offset, place });
  return offset;
}

/**
 * Finds the links in a paragraph: each with the texts that it begins and ends in, and the offsets there.
 * The finder for HTML says which markup is within words, so a page has the links of its source.
 */
function* placesIn(texts, pieces, finder) {
  const markup = texts.length > 1 ? finder[MARKUP]() : null;
  if (!markup) {
    yield* placesInEach(texts, finder);
    return;
  }
  const { html, text } = source(pieces);
  let i = 0;
  let units = { offset: 0, place: texts[0].at };
  const next = () => {
    i += 1;
    units = { offset: 0, place: texts[i].at };
  };
  for (const link of markup.find(html)) {
    while (i + 1 < texts.length && texts[i].end <= link.start) next();
    const first = texts[i];
    // Links in attributes are not in a text.
    if (link.start >= first.end || link.end <= first.at) continue;
    const from = offsetIn(first, Math.max(link.start, first.at), units);
    while (i + 1 < texts.length && texts[i + 1].at < link.end) next();
    const last = texts[i];
    const to = offsetIn(last, Math.min(link.end, last.end), units);
    yield { link: link[PLACED](text, first.start + from, last.start + to), first, last, from, to };
  }
}

/** Finds the links in each text alone, and leaves out those that a text beside it may go on with. */
function* placesInEach(texts, finder) {
  for (const [i, piece] of texts.entries()) {
    for (const link of finder.find(piece.text)) {
      const { start, end } = link;
      const before = start === 0 ? (texts[i - 1]?.text ?? "") : "";
      const after = end === piece.text.length ? (texts[i + 1]?.text ?? "") : "";
      if (/\S/.test(before.slice(-1)) || /\S/.test(after.slice(0, 1))) continue;
      yield { link, first: piece, last: piece, from: start, to: end };
    }
  }
}

/**
 * How many elements begin with a link, and how many end with it, that it has to be around: in
 * `<b>http://a.exa</b>mple/x` it is one and none. Null if an element would be divided.
 */
function edges(pieces, { first, last, from, to }) {
  let [depth, least] = [0, 0];
  for (let i = first.index; i <= last.index; i += 1) {
    if (pieces[i].muted) return null;
    depth += pieces[i].depth ?? 0;
    least = Math.min(least, depth);
  }
  const [begun, ended] = [-least, depth - least];
  const begins = begun === 0 || (from === 0 && hasTags(pieces, first.index, -1, begun));
  const ends = ended === 0 || (to === last.text.length && hasTags(pieces, last.index, 1, ended));
  return begins && ends ? [begun, ended] : null;
}

/**
 * Whether before a text (`step` -1) or after it (1) there are so many tags, start tags or end tags, with
 * nothing but comments and empty elements between.
 */
function hasTags(pieces, index, step, count) {
  let depth = 0;
  for (let i = index + step; depth < count; i += step) {
    const piece = pieces[i];
    if (!piece || piece.nodes) return false;
    depth -= piece.depth * step;
  }
  return true;
}

/** The element so many levels above a node. */
function above(node, levels) {
  let up = node;
  for (let i = 0; i < levels; i += 1) up = get(up, "parentNode");
  return up;
}

/** Makes a link over several texts and the markup between them. What is in the nodes stays there. */
function wrap(pieces, { made, link, first, last, from, to, edges: [begun, ended] }, own) {
  const [before, head] = divided(first.nodes, from - first.base);
  const [tail, after] = divided(last.nodes, to - last.base);
  const [start, end] = [above(head[0], begun), above(tail.at(-1), ended)];
  const within = pieces.slice(first.index + 1, last.index).flatMap((piece) => piece.nodes ?? []);
  first.nodes = before;
  Object.assign(last, { nodes: after, base: to });
  call(start, "before", made);
  if (own.render || made.textContent !== link.text) {
    // Another text is shown. The elements stay, because they may be more than text.
    for (const node of [...head, ...within, ...tail]) node.remove();
    return;
  }
  made.textContent = "";
  for (let node = start; node !== null; ) {
    const next = node === end ? null : get(node, "nextSibling");
    made.append(node);
    node = next;
  }
}

/** The texts of a paragraph. Each gets its place among the pieces, and room for its links. */
function textsOf(pieces) {
  const texts = [];
  for (const [index, piece] of pieces.entries()) {
    if (!piece.nodes) continue;
    piece.text ??= piece.nodes.map((node) => node.data).join("");
    texts.push(Object.assign(piece, { index, base: 0, places: [] }));
  }
  return texts;
}

/** Makes the links of a paragraph. Returns how many. */
function linkify(pieces, finder, own) {
  const texts = textsOf(pieces);
  const wraps = [];
  let count = 0;
  for (const place of placesIn(texts, pieces, finder)) {
    const { link, first, last } = place;
    const found = edges(pieces, place);
    if (found === null) continue;
    const made = element(get(first.nodes[0], "ownerDocument"), link, own);
    if (made === null) continue;
    (first === last ? first.places : wraps).push({ ...place, made, edges: found });
    count += 1;
  }
  for (const place of wraps) wrap(pieces, place, own);
  for (const { nodes, base, places } of texts) if (places.length > 0) replaceIn(nodes, base, places);
  return count;
}

/** True if links in this element would be wrong. */
function skips(node, own) {
  const name = nameOf(node);
  // `svg` and `math` have no HTML in them.
  if (name === null) return true;
  return (
    SKIPPED.includes(name) ||
    (!own.code && CODE.includes(name)) ||
    (own.ignoreTags?.some((tag) => tag.toLowerCase() === name) ?? false)
  );
}

/**
 * Makes the function that says of an element whether its tags are within words, as the finder for HTML
 * divides them. `finder`: makes it.
 */
function joining(finder) {
  const known = new Map();
  let html;
  const asks = (name) => {
    if (!/^[a-z][a-z0-9:_-]*$/i.test(name)) return false;
    html ??= finder();
    const source = `http://a<${name}></${name}>b.example/`;
    return html.find(source).some(({ start, end }) => start === 0 && end === source.length);
  };
  return (node) => {
    const name = nameOf(node);
    if (name === null) return false;
    if (!known.has(name)) {
      // Pages may make as many names as they like.
      if (known.size >= 1000) known.clear();
      known.set(name, asks(name));
    }
    return known.get(name);
  };
}

/** Makes `linkifyNode` for the finders of a module. */
export function linkifier(Finder, finderFor, known) {
  const names = known.filter((name) => name !== "code");
  const plain = { kinds: ["iri", "bare", "email"] };
  const joins = joining(() => new Finder({ format: "html" }));
  return function linkifyNode(root, options) {
    if (!isRoot(root)) {
      throw new TypeError("iriscan: expected an element, a document or a fragment");
    }
    const [own, search] = split(options, names);
    const finder = own.finder ?? finderFor({ ...plain, ...search });
    if (!(finder instanceof Finder)) throw new TypeError("iriscan: finder: expected a Finder");
    for (const element of around(root)) if (skips(element, own)) return 0;
    const skipped = (node) => skips(node, own);
    const hasLinks = (pieces) => !placesIn(textsOf(pieces), pieces, finder).next().done;
    let count = 0;
    for (const pieces of paragraphs(root, joins, skipped, hasLinks)) count += linkify(pieces, finder, own);
    return count;
  };
}
