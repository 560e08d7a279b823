// Makes links of the text in a DOM tree. No markup of the page is parsed here: elements are created, text
// is set as text, and a link opens only what `isSafe` of present.js lets through.

import { writers } from "./markup.js";
import { isValid, presented, skipped, split } from "./present.js";
import { OUTER, SIGNS } from "./symbols.js";
import { around, call, divided, get, HTML, isRoot, nameOf, paragraphs } from "./tree.js";
import { isWithinWords, segments } from "./words.js";

/** Makes the element of a link; null if it stays text. */
function element(document, link, own) {
  if (!isValid(link, own)) return null;
  if (own.render) return own.render(link, document) ?? null;
  const shown = presented(link, own);
  if (shown === null) return null;
  const made = call(document, "createElementNS", HTML, shown.name);
  for (const [name, value] of shown.attributes) made.setAttribute(name, value);
  for (const [name, listener] of shown.events) made.addEventListener(name, listener);
  made.textContent = shown.text;
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

/** A tag or a comment, as `segments` reads it. */
function markup({ node, depth }) {
  if (node === null) return {};
  const names = depth < 0 ? [] : call(node, "getAttributeNames");
  return { name: get(node, "localName"), depth, attributes: names.map((name) => [name, call(node, "getAttribute", name)]) };
}

/** Finds the links in a paragraph: each with the texts that it begins and ends in, and the offsets there. */
function* placesIn(texts, pieces, finder, placed) {
  const signs = texts.length > 1 ? finder[SIGNS]() : null;
  if (!signs) {
    yield* placesInEach(texts, finder);
    return;
  }
  // `<wbr>` has no end tag.
  const read = pieces.filter((piece) => piece.nodes || piece.depth >= 0 || get(piece.node, "localName") !== "wbr");
  let start = 0;
  for (const { text, parts } of segments(read.map((piece) => (piece.nodes ? piece : markup(piece))), signs, (value) => finder.hasLink(value))) {
    let i = 0;
    for (const link of finder.find(text)) {
      while (i + 1 < parts.length && parts[i + 1].at <= link.start) i += 1;
      const first = parts[i];
      let j = i;
      while (j + 1 < parts.length && parts[j + 1].at < link.end) j += 1;
      const last = parts[j];
      const moved = { start: start + link.start, end: start + link.end };
      const [from, to] = [link.start - first.at, link.end - last.at];
      yield { link: placed(link, moved), first: first.piece, last: last.piece, from, to };
    }
    start += text.length;
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
function linkify(pieces, finder, own, placed) {
  const texts = textsOf(pieces);
  const wraps = [];
  let count = 0;
  for (const place of placesIn(texts, pieces, finder, placed)) {
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

/** Whether a node is an element whose tags are within words. */
function joins(node) {
  const name = nameOf(node);
  return name !== null && isWithinWords(name);
}

/** Makes the functions that make links of text, for the finders of a module: the `kit` of `create`. */
export function linkifier({ Finder, finderFor, known, placed }) {
  const names = known.filter((name) => name !== "code" && name !== "format");
  const plain = { kinds: ["iri", "bare", "email"] };
  const prepared = (options, caller) => {
    const [own, search] = split(options, names, caller);
    const finder = own.finder ?? finderFor({ ...plain, ...search });
    if (!(finder instanceof Finder)) throw new TypeError("iriscan: finder: expected a Finder");
    return [own, finder[OUTER]()];
  };

  function linkifyNode(root, options) {
    if (!isRoot(root)) {
      throw new TypeError("iriscan: expected an element, a document or a fragment");
    }
    const [own, finder] = prepared(options, "linkifyNode");
    const isSkipped = skipped(own);
    // `svg` and `math` have no HTML in them.
    const skips = (node) => nameOf(node) === null || isSkipped(nameOf(node));
    for (const element of around(root)) if (skips(element)) return 0;
    const hasLinks = (pieces) => !placesIn(textsOf(pieces), pieces, finder, placed).next().done;
    let count = 0;
    for (const pieces of paragraphs(root, joins, skips, hasLinks)) count += linkify(pieces, finder, own, placed);
    return count;
  }

  function linkifyElement(element, options) {
    linkifyNode(element, options);
    return element;
  }

  return { linkifyNode, linkifyElement, ...writers(prepared, placed) };
}
