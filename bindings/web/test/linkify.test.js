// linkifyHtml and linkifyText, and the options that they share with linkifyNode.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan")}/`);
const { ConfigError, details, Finder, linkifyHtml, linkifyText } = await import(new URL("index.js", folder));

const A = '<a href="http://a.example/">http://a.example/</a>';
const WWW = '<a href="https://www.a.example">www.a.example</a>';
const MAIL = '<a href="mailto:x@a.example">x@a.example</a>';

test("linkifyText: links become elements, and the rest is escaped", () => {
  for (const [text, wanted] of [
    ["see http://a.example/ now", `see ${A} now`],
    ["www.a.example, x@a.example", `${WWW}, ${MAIL}`],
    ["見て http://例え.jp/道。", '見て <a href="http://xn--r8jz45g.jp/%E9%81%93">http://例え.jp/道</a>。'],
    [`<b title="x">'&' http://a.example/`, `&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39; ${A}`],
    ["http://a.example/?a&b", '<a href="http://a.example/?a&amp;b">http://a.example/?a&amp;b</a>'],
    ["javascript:alert(1) data:text/html,x", "javascript:alert(1) data:text/html,x"],
    ["", ""],
  ]) {
    assert.equal(linkifyText(text), wanted);
  }
  assert.throws(() => linkifyText(5), TypeError);
  assert.throws(() => linkifyText(), TypeError);
});

test("options: for all links, by type, by kind, and as functions of value, type and link", () => {
  const source = "http://a.example/ www.a.example x@a.example";
  const classes = (className) =>
    linkifyText(source, { className }).match(/<a[^>]*>/g).map((tag) => /class="(.*?)"/.exec(tag)?.[1] ?? null);
  assert.deepEqual(classes("c"), ["c", "c", "c"]);
  assert.deepEqual(classes({ url: "u", email: "e" }), ["u", "u", "e"]);
  assert.deepEqual(classes({ url: "u", bare: "b" }), ["u", "b", null]);
  assert.deepEqual(classes({ email: () => "e" }), [null, null, "e"]);
  const seen = [];
  const see = (name, result) => (value, type, link) => {
    seen.push([name, value, type, link.kind]);
    return result;
  };
  linkifyText("www.a.example", {
    format: see("format", "shown"), formatHref: see("formatHref", "/x"), className: see("className"), rel: see("rel"),
    target: see("target"), truncate: see("truncate"), validate: see("validate", true), attributes: see("attributes"),
    tagName: see("tagName"), defaultProtocol: see("defaultProtocol", "ftp"),
  });
  assert.deepEqual(Object.fromEntries(seen.map(([name, value]) => [name, value])), {
    validate: "www.a.example", defaultProtocol: "www.a.example", formatHref: "ftp://www.a.example", format: "www.a.example",
    truncate: "shown", className: "/x", rel: "/x", target: "/x", attributes: "/x", tagName: "/x",
  });
  assert.ok(seen.every(([, , type, kind]) => type === "url" && kind === "bare"));
  for (const [options, text, wanted] of [
    [{ defaultProtocol: "http" }, "www.a.example", '<a href="http://www.a.example">www.a.example</a>'],
    [{ defaultProtocol: "http://" }, "http://a.example/", A],
    [{ defaultProtocol: { bare: "http" } }, "x@a.example", MAIL],
    [{ defaultProtocol: "javascript" }, "www.a.example", "www.a.example"],
    [{ validate: { url: (value) => /^http/.test(value) } }, "www.a.example x@a.example", `www.a.example ${MAIL}`],
    [{ validate: { email: false } }, "http://a.example/ x@a.example", `${A} x@a.example`],
    [{ validate: false }, "http://a.example/", "http://a.example/"],
    [{ truncate: 8 }, "http://a.example/", '<a href="http://a.example/">http://a…</a>'],
    [{ truncate: { url: 8 } }, "x@a.example", MAIL],
    [{ truncate: 9 }, "http://a😀.example/", null, (out) => assert.match(out, />http:\/\/a…</)],
    [{ format: (value, type, link) => details(link).display }, "http://xn--r8jz45g.jp/", '<a href="http://xn--r8jz45g.jp/">http://例え.jp/</a>'],
    [{ format: { email: () => "<mail>" } }, "x@a.example http://a.example/", `<a href="mailto:x@a.example">&lt;mail&gt;</a> ${A}`],
    [{ formatHref: () => null }, "http://a.example/", "http://a.example/"],
    [{ formatHref: { email: (href) => `/mail?${href}` } }, "http://a.example/ x@a.example", `${A} <a href="/mail?mailto:x@a.example">x@a.example</a>`],
    [{ formatHref: () => " java\tscript:alert(1)" }, "http://a.example/", "http://a.example/"],
    [{ attributes: { title: 'a"b', "data-n": 1, hidden: null } }, "x@a.example", '<a href="mailto:x@a.example" title="a&quot;b" data-n="1">x@a.example</a>'],
    [{ attributes: { href: "javascript:alert(1)" } }, "http://a.example/", "http://a.example/"],
    [{ target: "_blank" }, "http://a.example/", '<a href="http://a.example/" target="_blank" rel="noopener">http://a.example/</a>'],
    [{ target: { url: "_blank" }, rel: { url: "ugc" } }, "x@a.example http://a.example/", `${MAIL} <a href="http://a.example/" target="_blank" rel="ugc">http://a.example/</a>`],
    [{ tagName: "x-link" }, "http://a.example/", '<x-link href="http://a.example/">http://a.example/</x-link>'],
    [{ kinds: "iri", schemes: ["https"] }, "http://a.example/ www.a.example", "http://a.example/ www.a.example"],
    [{ finder: new Finder() }, "www.a.example http://a.example/", `www.a.example ${A}`],
    [{ className: null, rel: undefined, render: null, events: undefined }, "http://a.example/", A],
  ].map(([options, text, wanted, check]) => [options, text, check ?? ((out) => assert.equal(out, wanted))])) {
    wanted(linkifyText(text, options));
    // The same in HTML, where nothing has to be escaped.
    wanted(linkifyHtml(text, options));
  }
});

test("options: another type than expected is an error", () => {
  for (const [options, why] of [
    [{ className: 5 }, /^className: expected a string or a function or an object with these for url, email, iri, bare/],
    [{ className: ["x"] }, /^className: /],
    [{ className: { url: 5 } }, /^className: /],
    [{ className: { hashtag: "x" } }, /^className: /],
    [{ className: () => ({}) }, /^className: the function returned object; expected a string/],
    [{ rel: true }, /^rel: /],
    [{ target: () => 1 }, /^target: the function returned number/],
    [{ truncate: "10" }, /^truncate: expected a whole number/],
    [{ truncate: -1 }, /^truncate: /],
    [{ truncate: () => NaN }, /^truncate: the function returned number/],
    [{ format: "x" }, /^format: expected a function/],
    [{ format: () => ({}) }, /^format: the function returned object/],
    [{ formatHref: { url: "x" } }, /^formatHref: /],
    [{ validate: "yes" }, /^validate: expected true, false or a function/],
    [{ attributes: "x" }, /^attributes: expected an object of names and strings or a function$/],
    [{ attributes: { "a b": "x" } }, /^attributes: /],
    [{ attributes: { "onclick=alert(1) x": "x" } }, /^attributes: /],
    [{ attributes: { x: {} } }, /^attributes: /],
    [{ attributes: () => ({ ">": "x" }) }, /^attributes: the function returned object/],
    [{ tagName: "a b" }, /^tagName: /],
    [{ tagName: "script" }, /^tagName: expected the name of an element that shows text/],
    [{ tagName: () => "ScRipt" }, /^tagName: /],
    [{ defaultProtocol: "http:/x" }, /^defaultProtocol: expected a scheme/],
    [{ ignoreTags: "b" }, /^ignoreTags: expected an array/],
    [{ code: 1 }, /^code: expected true or false/],
    [{ render: () => null }, /^render: linkifyText makes strings/],
    [{ events: {} }, /^events: linkifyText makes strings/],
    [{ events: { click: 5 } }, /^events: expected an object of names and functions/],
    [{ nl2br: true }, /^nl2br: no such option of linkifyText/],
    [{ maxLen: "5" }, /^maxLen: expected a whole number/],
  ]) {
    assert.throws(() => linkifyText("see http://a.example/", options), (error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.match(error.message, why);
      return true;
    }, JSON.stringify(options));
  }
  for (const options of ["x", 5, [], { finder: {} }]) assert.throws(() => linkifyText("", options), TypeError);
});

test("linkifyHtml: what becomes a link", () => {
  const over = (inner, href = "http://a.example/") => `<a href="${href}">${inner}</a>`;
  for (const [html, wanted, options] of [
    ["see http://a.example/ now", `see ${A} now`],
    ["<p>http://a.example/</p><p>no</p>http://a.example/", `<p>${A}</p><p>no</p>${A}`],
    ["www.a.example/?a&amp;b=&lt; &lt;x@a.example&gt;", '<a href="https://www.a.example/?a&amp;b=">www.a.example/?a&amp;b=</a>&lt; &lt;' + `${MAIL}&gt;`],
    ...["a", "code", "pre", "script", "style", "textarea", "button", "title", "noscript", "template", "svg", "math", "iframe", "xmp", "form", "select", "A"].map(
      (tag) => [`<${tag}>http://a.example/</${tag}> http://a.example/`, `<${tag}>http://a.example/</${tag}> ${A}`],
    ),
    ["<pre><b>http://a.example/</b></pre>", `<pre><b>${A}</b></pre>`, { code: true }],
    ["<q>http://a.example/</q>", "<q>http://a.example/</q>", { ignoreTags: ["Q"] }],
    // Attributes, comments, declarations, unclosed tags.
    ['<img alt="http://a.example/" title=\'www.a.example\' src=http://a.example/> http://a.example/', `<img alt="http://a.example/" title='www.a.example' src=http://a.example/> ${A}`],
    ["<!-- http://a.example/ --> http://a.example/ <!DOCTYPE http://a.example/> <?x www.a.example ?>", `<!-- http://a.example/ --> ${A} <!DOCTYPE http://a.example/> <?x www.a.example ?>`],
    ["<!--> http://a.example/ -->", `<!--> ${A} --&gt;`.replace("--&gt;", "-->")],
    ["<!--->http://a.example/ <!--x--!>http://a.example/ <!--http://a.example/", `<!--->${A} <!--x--!>${A} <!--http://a.example/`],
    ['<b title="http://a.example/ ', '<b title="http://a.example/ '],
    ["1 < 2 http://a.example/ <3 </> x", `1 < 2 ${A} <3 </> x`],
    ['<a title="</a>">http://a.example/</a>', '<a title="</a>">http://a.example/</a>'],
    ["<a href=x/>http://a.example/</a>", "<a href=x/>http://a.example/</a>"],
    ["<a>x<a>y</a> http://a.example/", `<a>x<a>y</a> ${A}`],
    ["<code><code>x</code> http://a.example/</code> http://a.example/", `<code><code>x</code> http://a.example/</code> ${A}`],
    ["<svg/>http://a.example/", `<svg/>${A}`],
    ["<script><!--<script></script>'http://a.example/'//--></script> http://a.example/", `<script><!--<script></script>'http://a.example/'//--></script> ${A}`],
    ["<script>'</scripty http://a.example/'</SCRIPT >http://a.example/", `<script>'</scripty http://a.example/'</SCRIPT >${A}`],
    ["<textarea><b></textarea>http://a.example/", `<textarea><b></textarea>${A}`],
    ["<head><title>x</title><body>http://a.example/", `<head><title>x</title><body>${A}`],
    ["<select><option>www.a.example<option>x</select> http://a.example/", `<select><option>www.a.example<option>x</select> ${A}`],
    ["<plaintext>http://a.example/</plaintext>www.a.example", "<plaintext>http://a.example/</plaintext>www.a.example"],
    // Markup within a word.
    ["see http://a.exa<wbr>mple/ y", `see ${over("http://a.exa<wbr>mple/")} y`],
    ["http://a.exa<!-- x -->mple/ y", `${over("http://a.exa<!-- x -->mple/")} y`],
    ["<b>http://a.example/<i>x</i></b> y", `<b>${over("http://a.example/<i>x</i>", "http://a.example/x")}</b> y`],
    ["<b><i>http://a.exa</i></b>mple/ x", `${over("<b><i>http://a.exa</i></b>mple/")} x`],
    ["x <b><!-- y -->http://a.exa</b><i><u>mple/</u></i> z", `x ${over("<b><!-- y -->http://a.exa</b><i><u>mple/</u></i>")} z`],
    ["<b>x http://a.exa</b>mple/", "<b>x http://a.exa</b>mple/"],
    ["http://a.exa<b>mple/x y</b> http://a.example/", `http://a.exa<b>mple/x y</b> ${A}`],
    ["http://a.exa<code>mple</code>.org/ http://a.example/", `http://a.exa<code>mple</code>.org/ ${A}`],
    ["http://a.example/<br>x", `${A}<br>x`],
    // Another text is shown.
    ["y http://a.exa<b>mple</b>/ x", 'y <a href="http://a.example/">a.example</a><b></b> x', { format: (value, type, link) => link.host }],
    ["y <b>http://a.exa</b>mple/ x", 'y <a href="http://a.example/">http://…</a><b></b> x', { truncate: 7 }],
    ["www.a.example/?a&amp;b", '<a href="https://www.a.example/?a&amp;b">[www.a.example/?a&amp;b]</a>', { format: (value) => `[${value}]` }],
    ["http://a.example/", A, { finder: new Finder({ format: "html" }) }],
  ]) {
    assert.equal(linkifyHtml(html, options), wanted, html);
    // A second time changes nothing.
    assert.equal(linkifyHtml(wanted, options), wanted, `again: ${html}`);
  }
});

test("linkifyHtml: only tags of links are added, and each is closed", () => {
  let seed = 7;
  const below = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  const parts = [
    "http://a.example/", "www.a.example", "x@a.example", "http://a.", "exa", "mple/", " ", "<b>", "</b>", "<i>", "</i>", "<a>", "</a>", "<p>",
    "<br>", "<wbr>", "<!--", "-->", "<code>", "</code>", "<script>", "</script>", '<i title="', '">', "<", ">", "&amp;", "&", "'", "=", "/", "<svg>", "</svg>", "é", "\ud800",
  ];
  let [links, wrapped] = [0, 0];
  for (let i = 0; i < 20_000; i += 1) {
    const html = Array.from({ length: 1 + below(12) }, () => parts[below(parts.length)]).join("");
    const out = linkifyHtml(html, { className: "made" });
    const tags = /<a href="[^"]*" class="made">((?:(?!<a href=)[^])*?)<\/a>/g;
    const without = out.replace(tags, (_, inner) => {
      links += 1;
      wrapped += inner.includes("<") ? 1 : 0;
      return inner;
    });
    assert.equal(without, html, out);
  }
  assert.ok(links > 5000 && wrapped > 30, `${links} links, ${wrapped} over markup`);
});

test("linkifyHtml and linkifyText in linear time", () => {
  const time = (work) => {
    const from = performance.now();
    work();
    return performance.now() - from;
  };
  for (const part of ["<", "<b ", "<a title='", "<!--", "<script>", "</", "<b>http://a.exa", "http://a.example/ <p>", "<textarea>", "<code>", "<a b=\"", "<svg/>", "<option>", "<script><!--", "<code></pre>"]) {
    const spent = time(() => linkifyHtml(`http://a.example/ ${part.repeat(50_000)}`));
    assert.ok(spent < 4000, `${part}: ${spent} ms`);
  }
  assert.ok(time(() => linkifyText("x@a.example, ".repeat(50_000))) < 4000);
});
