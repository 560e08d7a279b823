// The text of a DOM tree, in order, with the markup that does not divide it.

export const HTML = "http://www.w3.org/1999/xhtml";
const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
const DOCUMENT = 9;
const FRAGMENT = 11;
const ROOTS = [ELEMENT, TEXT, DOCUMENT, FRAGMENT];
// At most so many steps are taken from the root to what is before it, and to what is after it.
const FAR = 256;
const SPACE = /[\t\n\f\r ]/;

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

export function get(node, name) {
  return inherited(node, name).get.call(node);
}

export function call(node, name, ...words) {
  return inherited(node, name).value.apply(node, words);
}

/** Whether links can be made in it. */
export function isRoot(node) {
  const is = typeof node === "object" && node !== null && "nodeType" in node;
  return is && ROOTS.includes(get(node, "nodeType"));
}

/** The name of an element of HTML; null for all other nodes. */
export function nameOf(node) {
  const is = get(node, "nodeType") === ELEMENT && get(node, "namespaceURI") === HTML;
  return is ? get(node, "localName") : null;
}

/** The element, and those that it is in, from the inside out. The host of a shadow tree is around it. */
export function* around(node) {
  for (let up = node; up; ) {
    const type = get(up, "nodeType");
    if (type === ELEMENT) yield up;
    const parent = get(up, "parentNode");
    up = parent === null && type === FRAGMENT && "host" in up ? get(up, "host") : parent;
  }
}

// A piece of a paragraph is a text, in `nodes` that are neighbours, or one tag or comment. `depth` is 1
// for a start tag, -1 for an end tag, and 0 for a comment. In a `muted` text no link may be made.
const comment = () => ({ node: null, depth: 0 });
const tag = (node, closing) => ({ node, depth: closing ? -1 : 1 });

/** Adds a text node to the pieces. */
function push(pieces, node, muted) {
  const last = pieces.at(-1);
  if (node.data === "") return;
  if (last?.nodes && last.muted === muted) last.nodes.push(node);
  else pieces.push({ nodes: [node], muted });
}

/** The start of a text up to its first white space, or the end of it from the last one on. */
function wordBeside(text, forward) {
  if (forward) {
    const space = text.search(SPACE);
    return space < 0 ? text : text.slice(0, space + 1);
  }
  let from = text.length;
  while (from > 0 && !SPACE.test(text.slice(from, from + 1))) from -= 1;
  return text.slice(from);
}

/**
 * The pieces before the root, or after it, of the word that the root is in. A link may go over the border
 * of the root, and what is in the root is then a part of it. Ends at white space, which ends a word.
 */
function beside(root, forward, joins) {
  const [sibling, child] = forward ? ["nextSibling", "firstChild"] : ["previousSibling", "lastChild"];
  const pieces = [];
  let node = root;
  let entered = false;
  for (let steps = 0; steps < FAR; steps += 1) {
    const inner = entered ? get(node, child) : null;
    if (entered && !inner) pieces.push(tag(node, forward));
    const next = inner ?? get(node, sibling);
    entered = false;
    node = next ?? get(node, "parentNode");
    if (node === null) break;
    const type = get(node, "nodeType");
    if (type === TEXT) {
      const text = wordBeside(node.data, forward);
      if (text !== "") pieces.push({ nodes: [], text, muted: true });
      if (SPACE.test(text)) break;
    } else if (type === COMMENT) {
      pieces.push(comment());
    } else if (joins(node)) {
      entered = next !== null;
      pieces.push(tag(node, entered !== forward));
    } else {
      break;
    }
  }
  return forward ? pieces : pieces.reverse();
}

/**
 * The paragraphs of `root`, in order: texts, and the markup between them that does not divide words.
 * `joins` says of a node whether it is such an element, `skips` of an element whether links in it would be
 * wrong, and `hasLinks` of a paragraph whether any are in it.
 */
export function paragraphs(root, joins, skips, hasLinks) {
  const found = [];
  const first = [];
  let pieces = first;
  let muted = 0;
  const close = () => {
    if (pieces.some((piece) => piece.nodes && !piece.muted)) found.push(pieces);
    pieces = [];
  };
  const open = [];
  /** True if what is in the node comes next. */
  const enter = (node) => {
    const type = get(node, "nodeType");
    if (type === TEXT) push(pieces, node, muted > 0);
    if (type === COMMENT) pieces.push(comment());
    if (type === TEXT || type === COMMENT) return false;
    const joined = joins(node);
    const skipped = type === ELEMENT && skips(node);
    if (joined) pieces.push(tag(node, false));
    else close();
    if (skipped && !joined) return false;
    open.push({ node, joined, skipped });
    muted += skipped ? 1 : 0;
    return true;
  };
  const leave = () => {
    const { node, joined, skipped } = open.pop();
    if (joined) pieces.push(tag(node, true));
    else close();
    muted -= skipped ? 1 : 0;
    return node;
  };
  let next = root;
  do {
    if (next === null) next = get(leave(), "nextSibling");
    else next = get(next, enter(next) ? "firstChild" : "nextSibling");
  } while (open.length > 0);
  const last = pieces;
  close();
  // What is beside the root matters only to links, and walking there takes time.
  const inWord = get(root, "nodeType") === TEXT || joins(root);
  const [before, after] = [first, last].map((edge) => inWord && found.includes(edge) && hasLinks(edge));
  if (before) first.unshift(...beside(root, false, joins));
  if (after) last.push(...beside(root, true, joins));
  return found;
}

/** Divides the nodes of a text in two, at `offset`. */
export function divided(nodes, offset) {
  let [i, rest] = [0, offset];
  while (i < nodes.length && rest >= nodes[i].data.length) {
    rest -= nodes[i].data.length;
    i += 1;
  }
  if (rest === 0) return [nodes.slice(0, i), nodes.slice(i)];
  const second = call(nodes[i], "splitText", rest);
  return [nodes.slice(0, i + 1), [second, ...nodes.slice(i + 1)]];
}
