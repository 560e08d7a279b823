// Markup within words: `segments` of js/words.js and the finder for HTML find the same links.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan")}/`);
const { Finder } = await import(new URL("index.js", folder));
const text = await import(new URL("text.js", folder));
const { isWithinWords, segments } = await import(new URL("words.js", folder));
const { SIGNS } = await import(new URL("symbols.js", folder));

const TEXTS = [
  "http://", "https://a.example/", "www.", "www.a.example", "a.", "exa", "mple", ".example", "/x", "?q", "#f", " ", " ", "see ", ", ", ".", ")", "(",
  "-", "@", "x@b.example", "mailto:", "ftp://a.example", "例え.jp", "道", "&", "<", ">", "a", "B", ":", "//", "/", "\n", "x-y:", "1", "é", "\u{1f600}", "",
];
const TAGS = ["b", "i", "span", "wbr", "SPAN", "em", "o:p", "code", "nobr"];
const ATTRIBUTES = [[], [], [], [["title", "x"]], [["style", "color: red"]], [["title", "http://c.example/"]], [["cite", "x"]]];

function random(seed) {
  let state = seed;
  return (list) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return list[(state >>> 8) % list.length];
  };
}

/** A paragraph: texts that are no neighbours, and markup. */
function paragraph(one) {
  const pieces = [];
  for (let left = 2 + one([0, 1, 2, 3, 4, 5, 6, 7]); left > 0; left -= 1) {
    const made = one(["text", "text", "tag", "comment"]);
    const word = Array.from({ length: one([1, 2, 3, 5]) }, () => one(TEXTS)).join("");
    if (made === "text" && word !== "" && pieces.at(-1)?.text === undefined) pieces.push({ text: word });
    if (made === "comment") pieces.push({});
    if (made !== "tag") continue;
    const name = one(TAGS);
    const depth = name === "wbr" ? 1 : one([1, -1]);
    pieces.push({ name, depth, attributes: depth > 0 ? one(ATTRIBUTES) : [] });
  }
  return pieces;
}

const escaped = (source) => source.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The links by the finder for HTML, with offsets in the text. */
function byMarkup(pieces, finder) {
  let [html, at] = ["", 0];
  const offsets = [];
  for (const { text: shown, name, depth, attributes = [] } of pieces) {
    if (shown === undefined) {
      const written = attributes.map(([attribute, value]) => ` ${attribute}="${value}"`).join("");
      html += name === undefined ? "<!---->" : depth < 0 ? `</${name}>` : `<${name}${written}>`;
      continue;
    }
    for (const unit of shown.split("")) {
      offsets[html.length] = at;
      html += escaped(unit);
      at += 1;
      offsets[html.length] = at;
    }
  }
  const links = finder.find(html).filter(({ start }) => offsets[start] !== undefined);
  return links.map(({ start, end, iri, kind, uri }) => [offsets[start], offsets[end], kind, iri, uri]);
}

/** The same by `segments`. */
function byWords(pieces, finder) {
  const found = [];
  let start = 0;
  for (const segment of segments(pieces, finder[SIGNS](), (value) => finder.hasLink(value))) {
    for (const { start: from, end, iri, kind, uri } of finder.find(segment.text)) {
      found.push([start + from, start + end, kind, iri, uri]);
    }
    start += segment.text.length;
  }
  return found;
}

const OPTIONS = [
  {}, { kinds: ["iri", "bare", "email"] }, { kinds: "iri,email" }, { kinds: "bare" }, { kinds: "email", schemes: "any" },
  { schemes: ["http", "x-y"] }, { kinds: "iri,bare,email", rules: "uts58" },
];

test("a link goes over the same markup as in HTML", () => {
  for (const options of OPTIONS) {
    const [html, plain, small] = [new Finder({ ...options, format: "html" }), new Finder(options), new text.Finder(options)];
    const one = random(79);
    let over = 0;
    for (let n = 0; n < 8000; n += 1) {
      const pieces = paragraph(one);
      const what = JSON.stringify([options, pieces]);
      const found = byWords(pieces, plain);
      assert.deepEqual(found, byMarkup(pieces, html), what);
      assert.deepEqual(byWords(pieces, small), found, what);
      over += found.length;
    }
    assert.ok(over > 400, `${JSON.stringify(options)}: ${over} links`);
  }
});

test("the elements within words are those of the finder for HTML", () => {
  const finder = new Finder({ format: "html" });
  const names = `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form
    frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta
    meter nav nobr noembed noframes noscript o:p object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp
    script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time
    title tr track tt u ul var video wbr xmp x-y`.split(/\s+/);
  const asked = names.filter((name) => finder.find(`http://a<${name}></${name}>b.example/`).some(({ iri }) => iri === "http://ab.example/"));
  assert.deepEqual(names.filter(isWithinWords), asked);
});
