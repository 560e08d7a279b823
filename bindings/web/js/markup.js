// Makes links in strings of HTML, and HTML of text. Markup is never changed: tags are added around links.

import { ConfigError } from "./errors.js";
import { isValid, presented, skipped } from "./present.js";
import { MARKUP } from "./symbols.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text) {
  return String(text).replace(/[&<>"']/g, (one) => ESCAPES[one]);
}

/** The start tag, the text and the end tag of a link; null if it stays text. */
function tagsOf(link, own) {
  const made = isValid(link, own) ? presented(link, own) : null;
  if (made === null) return null;
  const attributes = made.attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  return { open: `<${made.name}${attributes}>`, text: made.text, close: `</${made.name}>` };
}

const VOID = new Set([
  "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
]);
// The text in these has no tags.
const RAW = new Set(["iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"]);
// Such an element is never in another one of its name.
const SINGLE = new Set(["a", "button", "form", "head", "option", "optgroup", "select"]);
const LETTER = /[a-z]/i;
const SPACE = /[\t\n\f\r ]/;

/** The end of a tag that begins at `at`, after its `>`; the end of the text if it has none. */
function tagEnd(html, at) {
  const { length } = html;
  let i = at + 1;
  // The name is read like that of an attribute.
  for (;;) {
    while (i < length && (SPACE.test(html[i]) || html[i] === "/")) i += 1;
    if (i >= length) return length;
    if (html[i] === ">") return i + 1;
    // An equals sign at the start of a name is part of it.
    i += 1;
    while (i < length && !/[\t\n\f\r />=]/.test(html[i])) i += 1;
    let value = i;
    while (value < length && SPACE.test(html[value])) value += 1;
    if (html[value] !== "=") continue;
    value += 1;
    while (value < length && SPACE.test(html[value])) value += 1;
    const quote = html[value];
    if (quote === '"' || quote === "'") {
      const end = html.indexOf(quote, value + 1);
      if (end < 0) return length;
      i = end + 1;
      continue;
    }
    while (value < length && !/[\t\n\f\r >]/.test(html[value])) value += 1;
    i = value;
  }
}

/** The end of the text of a script that begins at `at`. In `<!--` and `<script` it goes over `</script>`. */
function scriptEnd(html, at) {
  const parts = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;
  parts.lastIndex = at;
  let [comment, inner] = [false, false];
  for (let found = parts.exec(html); found; found = parts.exec(html)) {
    const part = found[0].toLowerCase();
    if (part === "<!--") comment = true;
    else if (part === "-->") [comment, inner] = [false, false];
    else if (part === "<script") inner = comment;
    else if (inner) inner = false;
    else return found.index;
    // `<!-->` is a comment that ends at once.
    if (part === "<!--") parts.lastIndex -= 2;
  }
  return html.length;
}

/** The end of the text in an element whose text has no tags. */
function rawEnd(html, at, name) {
  if (name === "script") return scriptEnd(html, at);
  if (name === "plaintext") return html.length;
  const tag = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  tag.lastIndex = at;
  return tag.exec(html)?.index ?? html.length;
}

/** The end of a comment, a declaration or what a browser reads as one. */
function commentEnd(html, at, foreign) {
  if (html.startsWith("<!--", at)) {
    const end = /^<!--(-?>)/.exec(html.slice(at, at + 6));
    if (end) return at + end[0].length;
    const close = /--!?>/g;
    close.lastIndex = at + 4;
    return close.exec(html) === null ? html.length : close.lastIndex;
  }
  const close = foreign && html.startsWith("<![CDATA[", at) ? "]]>" : ">";
  const end = html.indexOf(close, at + 2);
  return end < 0 ? html.length : end + close.length;
}

/**
 * The texts and the markup of a document, in order. `depth` is 1 for a start tag, -1 for an end tag and 0 for
 * other markup. A text in an element that `skips` names is muted: no link may be made in it.
 */
function pieces(html, skips) {
  const found = [];
  // How many elements with a name are open, of those in which no link may be made.
  const open = new Map();
  const text = (start, end) => {
    if (start < end) found.push({ start, end, isText: true, isMuted: open.size > 0 });
  };
  const closed = (name) => {
    const count = open.get(name) ?? 0;
    if (count > 1) open.set(name, count - 1);
    else open.delete(name);
    // What is in a list of choices ends with it.
    if (name === "select") for (const choice of ["option", "optgroup"]) open.delete(choice);
  };
  let from = 0;
  let at = html.indexOf("<");
  while (at >= 0) {
    const closing = html[at + 1] === "/";
    const first = html[at + (closing ? 2 : 1)] ?? "";
    if (LETTER.test(first)) {
      const end = tagEnd(html, closing ? at + 1 : at);
      text(from, at);
      const name = /^[^\t\n\f\r />]*/.exec(html.slice(at + (closing ? 2 : 1), end))[0].toLowerCase();
      const single = VOID.has(name);
      found.push({ start: at, end, name, depth: single ? 0 : closing ? -1 : 1 });
      from = end;
      if (closing) closed(name);
      // A document may leave out the end tag of its head.
      else if (name === "body") closed("head");
      if (!closing && !single) {
        const isEmpty = (name === "svg" || name === "math") && html[end - 2] === "/";
        if (skips(name) && !isEmpty) open.set(name, SINGLE.has(name) ? 1 : (open.get(name) ?? 0) + 1);
        if (RAW.has(name) || name === "plaintext") {
          const rest = rawEnd(html, end, name);
          if (end < rest) found.push({ start: end, end: rest, isText: true, isMuted: true });
          from = rest;
        }
      }
      at = html.indexOf("<", from);
    } else if (closing || first === "!" || first === "?") {
      const end = commentEnd(html, at, open.has("svg") || open.has("math"));
      text(from, at);
      found.push({ start: at, end, name: null, depth: 0 });
      from = end;
      at = html.indexOf("<", from);
    } else {
      at = html.indexOf("<", at + 1);
    }
  }
  text(from, html.length);
  return found;
}

/**
 * Where the tags of a link go, which is in the texts `first` and `last`: before the start tags and after the
 * end tags that it has to be around. Null if it would divide an element, or goes over what is muted.
 */
function around(all, first, last, link) {
  const begun = [];
  const ended = [];
  for (let i = first; i <= last; i += 1) {
    const { name, depth, isText, isMuted } = all[i];
    if (isMuted) return null;
    if (isText || depth === 0) continue;
    if (depth > 0) ended.push(name);
    else if (ended.length === 0) begun.push(name);
    else if (ended.pop() !== name) return null;
  }
  const start = edge(all, first, -1, begun, link.start === all[first].start);
  const end = edge(all, last, 1, ended.reverse(), link.end === all[last].end);
  return start === null || end === null ? null : [start.start ?? link.start, end.end ?? link.end];
}

/** The last of the tags beside a text that have these names, with nothing but comments between. */
function edge(all, index, step, names, isAtEdge) {
  if (names.length === 0) return {};
  if (!isAtEdge) return null;
  let i = index;
  for (const name of names) {
    do i += step;
    while (all[i]?.name === null);
    if (all[i]?.name !== name || all[i].depth !== -step) return null;
  }
  return all[i];
}

/** Makes the links of a string of HTML. */
function inHtml(html, finder, own, placed) {
  const links = finder.find(html);
  if (links.length === 0) return html;
  const all = pieces(html, skipped(own));
  let out = "";
  let at = 0;
  let i = 0;
  for (const link of links) {
    while (all[i].end <= link.start) i += 1;
    let last = i;
    while (all[last].end < link.end) last += 1;
    // A link in an attribute begins in a tag.
    const where = all[i].isText && all[last].isText ? around(all, i, last, link) : null;
    if (where === null || where[0] < at) continue;
    // Its text without escapes and markup.
    const text = link.iri;
    const tags = tagsOf(placed(link, { text }), own);
    if (tags === null) continue;
    const [start, end] = where;
    const source = html.slice(start, end);
    const shown = tags.text === text ? source + tags.close : escaped(tags.text) + tags.close + markupOf(all, i, last, start, end, html);
    out += html.slice(at, start) + tags.open + shown;
    at = end;
  }
  return out + html.slice(at);
}

/** The markup in a part of the document, without its text. */
function markupOf(all, first, last, start, end, html) {
  let [from, to] = [first, last];
  while (from > 0 && all[from].start > start) from -= 1;
  while (to + 1 < all.length && all[to].end < end) to += 1;
  return all.slice(from, to + 1).filter((one) => !one.isText).map((one) => html.slice(one.start, one.end)).join("");
}

/** Makes HTML of a text, with its links. */
function ofText(text, finder, own) {
  let out = "";
  let at = 0;
  for (const link of finder.find(text)) {
    const tags = tagsOf(link, own);
    if (tags === null) continue;
    out += escaped(text.slice(at, link.start)) + tags.open + escaped(tags.text) + tags.close;
    at = link.end;
  }
  return out + escaped(text.slice(at));
}

/** Makes `linkifyHtml` and `linkifyText`. `prepared` gives the options and the finder of a call. */
export function writers(prepared, placed) {
  const checked = (text, options, caller) => {
    if (typeof text !== "string") throw new TypeError("iriscan: expected a string");
    const [own, finder] = prepared(options, caller);
    for (const name of ["render", "events"]) {
      if ((own[name] ?? null) !== null) throw new ConfigError(`${name}: ${caller} makes strings; use linkifyNode`);
    }
    return [own, finder];
  };
  return {
    linkifyHtml(html, options) {
      const [own, finder] = checked(html, options, "linkifyHtml");
      return inHtml(html, finder[MARKUP]() ?? finder, own, placed);
    },
    linkifyText(text, options) {
      const [own, finder] = checked(text, options, "linkifyText");
      return ofText(text, finder, own);
    },
  };
}
