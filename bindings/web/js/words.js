// Words of a page that markup may divide: half of a host would be another host, so a link may go over `<b>` and
// `<wbr>`. The steps are those of the format `html` (src/format/html/mod.rs, `is_within_word`, and
// src/format/markup/words.rs). `test/words.test.js` holds both to the same answers.

/** The elements whose tags do not divide a word. */
const WITHIN_WORDS = new Set([
  "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del",
  "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "o:p", "s",
  "samp", "small", "span", "strike", "strong", "time", "tt", "u", "var", "wbr",
]);

/** Whether the tags of the elements with this name do not divide a word. */
export function isWithinWords(name) {
  return WITHIN_WORDS.has(name.toLowerCase());
}

// How much of what a link needs a word has.
const OTHER = 0;
const LETTER = 1;
const HYPHEN = 2;
const COLON = 3;
const SLASH = 4;
const LINK = 5;
/** A link with something after its host. */
const PATH = 6;

const SPACE = /[\t\n\f\r ]/;
const ALPHANUMERIC = /[a-z\d]/i;
const BEGINS_LINK = /^(?:https?:|mailto:|ftp:|www\.)/i;

const after = (c) => (c === "-" ? HYPHEN : ALPHANUMERIC.test(c) ? LETTER : OTHER);

/** The word after one more character. `signs`: what a link of the finder may have, beside a colon. */
function pushed(word, c, { dot, at, any }) {
  if (word === PATH || (word === LINK && /[/?#]/.test(c))) return PATH;
  if (word === LINK || (word === SLASH && c === "/")) return LINK;
  if (word === LETTER && c === ":" && !any) return COLON;
  if (word === COLON && c === "/") return SLASH;
  if (c !== ":" && (any || (dot && c === ".") || (at && c === "@"))) return LINK;
  return after(c);
}

// These hold an address, which may be relative.
const ADDRESSES =
  /^(?:href|src|xlink:href|poster|formaction|cite|background|longdesc|lowsrc|dynsrc|codebase|srcset|imagesrcset)$/i;

/** Whether an attribute may have a link of its own, so that its tag divides a word. */
function mayHoldLink([name, value], { dot, at, any }, hasLink) {
  if (name.toLowerCase() === "style") return /[(@]/.test(value);
  if (ADDRESSES.test(name)) return true;
  const hasSign = any ? value !== "" : (dot && value.includes(".")) || (at && value.includes("@"));
  return hasSign || /[a-z\d]:(?:\/\/|\/?$)/i.test(value) || hasLink(value);
}

/**
 * The texts of a paragraph in which links are looked for, each with the pieces that it is made of. A piece has a
 * `text`, or it is markup: a comment, or a tag with `name`, `depth` (-1 for an end tag) and its `attributes`, each a
 * name and a value. `hasLink` says of such a value whether a link is in it.
 */
export function segments(pieces, signs, hasLink) {
  const found = [];
  let open = null;
  let [word, depth, joined] = [OTHER, 0, false];
  for (const piece of pieces) {
    const { text } = piece;
    if (text !== undefined) {
      if (open === null || (joined && BEGINS_LINK.test(text))) {
        open = { text: "", parts: [] };
        found.push(open);
        [word, depth] = [OTHER, 0];
      }
      joined = false;
      open.parts.push({ piece, at: open.text.length });
      open.text += text;
      // What is before the last space is of other words.
      let from = text.length;
      while (from > 0 && !SPACE.test(text[from - 1])) from -= 1;
      if (from > 0) [word, depth] = [OTHER, 0];
      for (let i = from; i < text.length && word !== PATH; i += 1) word = pushed(word, text[i], signs);
      continue;
    }
    const closing = piece.depth < 0;
    const mayBeLink = word >= LINK || ((word === LETTER || word === HYPHEN) && signs.dot);
    const isWithin = piece.name === undefined || isWithinWords(piece.name);
    const within = open !== null && mayBeLink && isWithin && !(closing && depth === 0 && word === PATH);
    if (!within || piece.attributes?.some((attribute) => mayHoldLink(attribute, signs, hasLink))) {
      open = null;
    } else {
      if (closing) depth = Math.max(depth - 1, 0);
      else if (piece.name !== undefined && piece.name !== "wbr") depth += 1;
      joined = true;
    }
  }
  return found;
}
