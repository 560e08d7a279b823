// The package in Node, as `dist/iriscan` has it. IRISCAN_PACKAGE names another folder.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { receiveMessageOnPort } from "node:worker_threads";

import { run, same } from "./interop.js";

const folder = pathToFileURL(`${resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan")}/`);
const all = await import(new URL("index.js", folder));
const text = await import(new URL("text.js", folder));
const cases = readFileSync(new URL("../../../testdata/interop.jsonl", import.meta.url), "utf8");
const sjis = (...bytes) => Uint8Array.from(bytes);
const BUILDS = Object.entries({ all, text });

test("the shared cases", () => {
  const { ran, failures } = run(all, cases);
  assert.deepEqual(failures, []);
  assert.ok(ran > 1500, `only ${ran} cases ran`);
});

test("the shared cases in Unicode, in the build for text", () => {
  const { ran, failures } = run(text, cases, true);
  assert.deepEqual(failures, []);
  assert.ok(ran > 900, `only ${ran} cases ran`);
});

for (const [name, api] of BUILDS) {
  const { Finder, ConfigError, UriError, details } = api;

  test(`${name}: a link is a plain object, and details are apart`, () => {
    const source = "見て http://例え.jp/道。";
    const [link] = api.find(source);
    const wanted = {
      start: 3, end: 17, kind: "iri", text: "http://例え.jp/道", iri: "http://例え.jp/道",
      uri: "http://xn--r8jz45g.jp/%E9%81%93", error: null, open: "http://xn--r8jz45g.jp/%E9%81%93",
      scheme: "http", host: "例え.jp",
    };
    assert.equal(source.slice(link.start, link.end), link.text);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(api.find(source));
    const [posted] = receiveMessageOnPort(port2).message;
    port1.close();
    for (const copy of [link, { ...link }, structuredClone(link), posted, JSON.parse(JSON.stringify(link))]) {
      assert.deepStrictEqual(copy, wanted);
    }
    const more = {
      ...wanted, absolute: wanted.open, display: "http://例え.jp/道", unwrapped: null, warnings: [], charset: "UTF-8",
      hostKey: "xn--r8jz45g.jp",
      element: null, attribute: null, anchor: null,
    };
    assert.deepStrictEqual(details(link), more);
    assert.deepStrictEqual(api.findAt(source, 5), wanted);
    assert.deepStrictEqual(details(api.findAt(source, 5)), more);
    for (const other of [{ ...link }, posted, {}, null, undefined, "http://a.example"]) {
      assert.throws(() => details(other), TypeError);
    }
    const [bare, mail] = api.find("www.a.example x@b.example", { kinds: ["bare", "email"] });
    assert.deepEqual([bare.kind, bare.open, bare.scheme], ["bare", "https://www.a.example", null]);
    assert.deepEqual([mail.kind, mail.open], ["email", "mailto:x@b.example"]);
  });

  test(`${name}: what README calls an export is one`, () => {
    const names = [
      "find", "findMany", "findAt", "addresses", "hasLink", "count", "details", "findBytes", "rewrite", "rewriteBytes", "transform",
      "replace", "linkifyNode", "linkifyElement", "linkifyHtml", "linkifyText", "toUri", "toIri", "normalize", "resolve", "check",
      "toText", "equivalent", ...(name === "all" ? ["explain", "findMail", "rewriteMail"] : []),
    ];
    for (const one of names) assert.equal(typeof api[one], "function", one);
    for (const one of ["kit", ...(name === "all" ? [] : ["explain", "findMail", "rewriteMail"])]) assert.ok(!(one in api), one);
  });

  test(`${name}: exports are the methods, with options`, async () => {
    const source = "http://a.example/ www.b.example x@c.example";
    assert.equal(api.count(source), 1);
    assert.equal(api.count(source, { kinds: "IRI,bare,e-mail" }), 3);
    const bytes = new TextEncoder().encode("http://a.example/é");
    const options = { charset: "UTF8", fields: [] };
    assert.deepEqual(api.findBytes(bytes, options), new Finder(options).findBytes(bytes));
    const written = "http://a.example/%C3%A9";
    assert.equal(new TextDecoder().decode(api.rewriteBytes(bytes, { charset: "utf-8" })), written);
    const stream = new Blob([bytes]).stream().pipeThrough(api.transform({ charset: "utf-8" }));
    assert.equal(await new Response(stream).text(), written);
    assert.throws(() => api.findBytes(bytes, { charset: "utf-9" }), ConfigError);
    if (name === "all") {
      const mail = new TextEncoder().encode("Subject: x\n\nhttp://a.example/é\n");
      assert.deepEqual(api.findMail(mail), new Finder().findMail(mail));
      assert.equal(new TextDecoder().decode(api.rewriteMail(mail)), `Subject: x\n\n${written}\n`);
      const signed = new TextEncoder().encode("Content-Type: multipart/signed; boundary=b\n\n--b\n\nhttp://a.example/é\n--b--\n");
      assert.equal(api.rewriteMail(signed), signed);
      assert.match(new TextDecoder().decode(api.rewriteMail(signed, { evenSigned: true, kinds: "iri" })), /%C3%A9/);
    }
  });

  test(`${name}: references are compared by the ladder`, () => {
    const ladder = ["string", "syntax", "scheme", "idn", "nfc"];
    const pairs = [
      ["http://a.example/", "http://a.example/"], ["HTTP://a.example/%7Eb/../c", "http://a.example/c"],
      ["http://a.example:80", "http://a.example/"], ["http://例え.jp/", "http://xn--r8jz45g.jp/"],
      ["http://a.example/\u00e9", "http://a.example/e\u0301"],
    ];
    for (const [first, [a, b]] of pairs.entries()) {
      for (const [i, level] of ladder.entries()) assert.equal(api.equivalent(a, b, { level }), i >= first, `${a} ${level}`);
      assert.equal(api.equivalent(b, a), first <= 1);
    }
    assert.throws(() => api.equivalent("http://a.example/[", "x"), UriError);
    assert.throws(() => api.equivalent("a", "b", { level: "none" }), ConfigError);
  });

  test(`${name}: addresses follow from the text, or are given, or are asked for`, () => {
    const kinds = "iri,bare,email";
    const source =
      "http://a.example/x www.b.example/ü x@c.example x_y@ü.example a'b@d.example http://é.example " +
      "<http://e.example/\nf> http://xn--a.example/é http://\u{202e}.example/ " +
      "https://urldefense.com/v3/__https://a.example/x__;!!abc$ http://g.example/\ufffd http://h.example/\ud800";
    for (const options of [{}, { host: "keep" }, { unwrap: true }, { format: "html" }, { host: "percent" }]) {
      const links = api.find(`${source} <a href="/é?a&amp;b">`, { kinds, ...options });
      assert.ok(links.length >= 9, `only ${links.length} links`);
      for (const link of links) same(link, details(link));
    }
    const open = (text, options) => api.find(text, { kinds, ...options })[0].open;
    assert.equal(open("x_y@ü.example"), "mailto:x_y@xn--tda.example");
    assert.equal(open("a'b@d.example"), "mailto:a'b@d.example");
    assert.equal(open("www.b.example/ü"), "https://www.b.example/%C3%BC");
    assert.equal(open("https://urldefense.com/v3/__https://a.example/x__;!!abc$", { unwrap: true }), "https://a.example/x");
    assert.equal(open("<a href='/é'>", { format: "html" }), null);
  });

  test(`${name}: details of links stay right after other calls`, () => {
    const links = api.find("http://é.example/ http://a.example/ü");
    api.find("http://another.example/ö");
    assert.deepEqual(links.map((link) => link.host), ["é.example", "a.example"]);
    assert.equal(links[1].uri, "http://a.example/%C3%BC");
  });

  test(`${name}: lone surrogates and astral characters keep their places`, () => {
    for (const around of ["\ud800", "\udc00", "x\ud83d", "😀", "\ud83d\ud83d\ude00", "\ufffd", "\u0000"]) {
      const source = `${around} http://a.example/é ${around}http://b.example/x${around} http://c.example/𝒳.`;
      const links = api.find(source);
      assert.deepEqual(
        links.map((link) => link.text).filter((found) => !found.includes("b.example")),
        ["http://a.example/é", "http://c.example/𝒳"],
        JSON.stringify(around),
      );
      for (const link of links) assert.equal(source.slice(link.start, link.end), link.text);
      const written = api.rewrite(source);
      assert.ok(written.startsWith(`${around} http://a.example/%C3%A9 ${around}`));
      assert.ok(written.endsWith(`${around} http://c.example/%F0%9D%92%B3.`), JSON.stringify(written));
    }
  });

  test(`${name}: rewriting changes the links of find, and keeps lone surrogates`, () => {
    for (const [options, source, wanted] of [
      [{}, "http://a.example/é\ud800é http://b.example/é", null],
      [{ rules: "uts58" }, "http://a.com/é\ud800é http://b.com/é", "http://a.com/é\ud800é http://b.com/%C3%A9"],
      [{ rules: "uts58" }, "http://a.com/\udc00\ufffd \ufffd\ud83d http://b.com/\ufffdé", "http://a.com/\udc00\ufffd \ufffd\ud83d http://b.com/%EF%BF%BD%C3%A9"],
      [{ rules: "uts58", to: "iri" }, "http://a.com/%C3%A9\ud800 http://b.com/%C3%A9", "http://a.com/%C3%A9\ud800 http://b.com/é"],
      [{ format: "html" }, "<a href='/é\ud800'>\udfff<a href='/é&amp;'>", "<a href='/é\ud800'>\udfff<a href='/%C3%A9&amp;'>"],
      [{ rules: "uts58", template: "[{host}]" }, "\ud800 http://a.com/é\ud800 \udc00 http://b.com/", "\ud800 [a.com] \udc00 [b.com]"],
      [{ format: "json" }, '{"a":"http://a.example/é","b":"\ud800"}', '{"a":"http://a.example/%C3%A9","b":"\ud800"}'],
      [{}, "\ud800 nothing", "\ud800 nothing"],
      [{}, "\ud800 http://a.example/", "\ud800 http://a.example/"],
    ]) {
      const finder = new Finder(options);
      const written = finder.rewrite(source);
      if (wanted !== null) assert.equal(written, wanted);
      const surrogates = (string) => string.match(/\p{Surrogate}/gu);
      if (!options.template) assert.deepEqual(surrogates(written), surrogates(source));
      // What is not a link of `find` stays; a link is replaced by its URI form, or stays.
      let rest = written;
      let at = 0;
      for (const link of finder.find(source)) {
        const before = source.slice(at, link.start);
        assert.ok(rest.startsWith(before), JSON.stringify([source, written]));
        rest = rest.slice(before.length);
        const old = source.slice(link.start, link.end);
        const put = options.template ? `[${link.host}]` : [old, link.uri?.replaceAll("&", "&amp;"), link.uri, decodeURI(link.uri ?? "")].find((one) => one && rest.startsWith(one));
        assert.ok(put !== undefined && rest.startsWith(put), JSON.stringify([source, written]));
        rest = rest.slice(put.length);
        at = link.end;
      }
      assert.equal(rest, source.slice(at), JSON.stringify([source, written]));
    }
    // The same without a method that browsers have since 2023.
    const method = String.prototype.isWellFormed;
    delete String.prototype.isWellFormed;
    try {
      assert.equal(api.rewrite("\ud800 http://a.example/é 😀"), "\ud800 http://a.example/%C3%A9 😀");
    } finally {
      if (method) Object.defineProperty(String.prototype, "isWellFormed", { value: method, writable: true, configurable: true });
    }
  });

  test(`${name}: the link at an offset`, () => {
    const source = "😀 http://a.example/é x http://b.example/";
    const finder = new Finder();
    for (const link of finder.find(source)) {
      for (let at = link.start; at < link.end; at += 1) {
        assert.equal(finder.findAt(source, at)?.start, link.start);
      }
    }
    for (const at of [-1, 0, 2, source.length, 1e9]) assert.equal(finder.findAt(source, at), null);
    assert.throws(() => finder.findAt(source, 0.5), TypeError);
  });

  test(`${name}: replace`, () => {
    const source = "a http://a.example/ b http://b.example/é c";
    assert.equal(api.replace(source, (link) => `<${link.host}>`), "a <a.example> b <b.example> c");
    assert.equal(api.replace(source, (link) => (link.host === "a.example" ? null : "$&")), "a http://a.example/ b $& c");
    assert.equal(api.replace("none", () => "x"), "none");
    assert.throws(() => api.replace(source, "x"), TypeError);
    assert.equal(api.rewrite(source, { template: "[{host}]" }), "a [a.example] b [b.example] c");
  });

  test(`${name}: options`, () => {
    for (const [options, why] of [
      [{ kinds: "ir" }, /^kinds: /],
      [{ kinds: [] }, /^kinds: empty/],
      [{ max_len: 5 }, /^max_len: no such option; use one of kinds, /],
      [{ toString: "x" }, /^toString: no such option/],
      [{ host: "puny" }, /^host: "puny" is not a form of a host; use one of punycode/],
      [{ maxLen: -1 }, /^maxLen: expected a whole number/],
      [{ asciiOnly: 1 }, /^asciiOnly: expected true or false/],
      [{ match: "(" }, name === "all" ? /^match: "\("/ : /^match: this build is for text; import "iriscan"/],
      [{ charset: "utf-9" }, /^charset: /],
      [{ hostsFrom: ["a b/c"] }, /^hostsFrom: line 1/],
      [{ format: Symbol.iterator }, /^format: expected a string/],
    ]) {
      assert.throws(() => new Finder(options), (error) => {
        assert.ok(error instanceof ConfigError && error instanceof RangeError);
        assert.match(error.message, why);
        return true;
      });
    }
    assert.throws(() => new Finder(5), TypeError);
    assert.throws(() => api.find(5), TypeError);
    assert.throws(() => new Finder().find(), TypeError);
    const finder = new Finder({ onlyHost: "*.example", kinds: "iri,bare" });
    assert.deepEqual(finder.find("http://a.example http://a.test").map((link) => link.text), ["http://a.example"]);
    assert.deepEqual(api.find("http://a.example", { hostsFrom: [] }), []);
    assert.ok(Object.isFrozen(finder.options));
    assert.equal(new Finder({ kinds: undefined, charset: null }).count("http://a.example"), 1);
  });

  test(`${name}: rows, and addresses`, () => {
    const finder = new Finder({ kinds: "iri,bare,email" });
    const texts = [
      "http://例え.jp/道。x", "", null, "www.a.example x@a.example", "\ud800 http://b.example", undefined, "😀http://c.example/\udc00", "http://d.example/\ud83d",
      "\ude00 http://e.example/", "http://f.example/\n\n<http://a.exam\nple/>", "<http://a.exam", "ple/>", "\n", "\ufeffhttp://g.example", "x".repeat(300) + "é".repeat(300) + " http://h.example/é",
    ];
    const each = (all) => all.map((text) => (typeof text === "string" ? finder.find(text) : []));
    assert.deepStrictEqual(finder.findMany(texts), each(texts));
    assert.deepStrictEqual(finder.findMany(new Set(texts)), each([...new Set(texts)]));
    const ascii = ["http://a.example/", "", "x", "www.a.example", "a\nb http://b.example/\n"];
    assert.deepStrictEqual(finder.findMany(ascii), each(ascii));
    assert.deepStrictEqual(finder.findMany([]), []);
    assert.deepStrictEqual(finder.findMany([null]), [[]]);
    assert.deepEqual(details(finder.findMany(texts)[3][1]), details(finder.find(texts[3])[1]));
    const rows = Array.from({ length: 60_000 }, (_, i) => (i % 3 === 0 ? `row ${i} http://a.example/${i}é` : "no link in this row, which is an English one"));
    const many = finder.findMany(rows);
    assert.equal(many.length, rows.length);
    many.forEach((links, i) => assert.equal(links[0]?.uri, i % 3 === 0 ? `http://a.example/${i}%C3%A9` : undefined));
    for (const wrong of ["http://a.example", null, 5, [5], [["x"]]]) assert.throws(() => finder.findMany(wrong), TypeError);
    assert.deepEqual(finder.addresses("http://例え.jp/道。x www.a.example x@a.example \ud800 http://b.example 😀http://c.example/\udc00"), [
      "http://xn--r8jz45g.jp/%E9%81%93", "https://www.a.example", "mailto:x@a.example", "http://b.example", "http://c.example/",
    ]);
    assert.deepEqual(new Finder({ format: "html" }).addresses("<a href='/x'><a href='http://a.example/?a&amp;b'>"), ["http://a.example/?a&b"]);
  });

  test(`${name}: random rows have the links of each`, () => {
    let seed = 11;
    const below = (n) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    const parts = ["http://", "a.example", "/", "é", "道", "😀", "\ud83d", "\ude00", "\n", " ", "x@b.example", "www.c.example", "<", ">", "ascii", "\ufeff", "。"];
    const finder = new Finder({ kinds: "iri,bare,email" });
    let links = 0;
    for (let i = 0; i < 600; i += 1) {
      const rows = Array.from({ length: below(9) }, () => Array.from({ length: below(9) }, () => parts[below(parts.length)]).join(""));
      const found = finder.findMany(rows);
      assert.deepStrictEqual(found, rows.map((row) => finder.find(row)), JSON.stringify(rows));
      links += found.flat().length;
    }
    assert.ok(links > 300, `only ${links} links`);
  });

  test(`${name}: whole references`, () => {
    assert.equal(api.toUri("http://bücher.example/ü?x=ß#é"), "http://xn--bcher-kva.example/%C3%BC?x=%C3%9F#%C3%A9");
    assert.equal(api.toIri("http://xn--bcher-kva.example/%C3%BC%20x", { host: "unicode" }), "http://bücher.example/ü%20x");
    assert.equal(api.normalize("HTTP://a.example:80/b/../%7Ec", { level: "scheme" }), "http://a.example/~c");
    assert.equal(api.resolve("http://例え.jp/b/c/d", "../ö#s"), "http://例え.jp/b/ö#s");
    assert.equal(api.toText("https://a.example/%E6%97%A5%E6%9C%AC."), "https://a.example/日本%2E");
    const checked = api.check("http://😀.example/b c");
    assert.deepEqual([checked.valid, checked.offset, checked.host], [false, 19, "😀.example"]);
    assert.equal(api.check("http://a.example/").message, null);
    assert.deepEqual(api.check("http://a.example/😀Ａ%20").inadvisable, [{ offset: 19, character: "Ａ" }, { offset: 20, character: " " }]);
    assert.throws(() => api.toUri("http://\ufffd.example/"), (error) => error instanceof UriError && /no ASCII form/.test(error.message));
    assert.throws(() => api.toUri("x", { host: "y" }), ConfigError);
    assert.throws(() => api.normalize("http://a b/"), UriError);
    assert.throws(() => api.toUri("x", { level: "y" }), ConfigError);
  });

  test(`${name}: streams`, async () => {
    const source = new TextEncoder().encode("😀 http://bücher.example/é, ".repeat(2000));
    const wanted = new TextEncoder().encode("😀 http://xn--bcher-kva.example/%C3%A9, ".repeat(2000));
    for (const size of [1, 7, 1000, source.length]) {
      const chunks = [];
      for (let at = 0; at < source.length; at += size) chunks.push(source.subarray(at, at + size));
      const readable = ReadableStream.from(chunks).pipeThrough(new Finder({ charset: "utf-8" }).transform());
      const written = new Uint8Array(await new Response(readable).arrayBuffer());
      assert.deepEqual(written, wanted);
    }
    const bad = ReadableStream.from(["text"]).pipeThrough(new Finder().transform());
    await assert.rejects(new Response(bad).arrayBuffer(), TypeError);
  });

  test(`${name}: hundreds of finders and long texts leave no memory behind`, () => {
    for (let i = 0; i < 2000; i += 1) new Finder({ maxLen: 100 + i }).find("http://a.example/");
    const long = "Ein Satz mit http://bücher.example/größe darin. ".repeat(200_000);
    const finder = new Finder();
    assert.equal(finder.count(long), 200_000);
    assert.equal(finder.find(long).at(-1).uri, "http://xn--bcher-kva.example/gr%C3%B6%C3%9Fe");
    assert.equal(finder.find("http://a.example/é")[0].uri, "http://a.example/%C3%A9");
  });
}

test("bytes of any charset", async () => {
  const document = sjis(0x81, 0x75, ...Buffer.from("http://ja.example.org/"), 0x95, 0x5c, 0x81, 0x76);
  const finder = new all.Finder();
  const [link] = finder.findBytes(document, "shift_jis");
  assert.deepEqual([link.start, link.end, link.text], [2, 26, "http://ja.example.org/表"]);
  assert.equal(link.charset, "Shift_JIS");
  const wanted = Buffer.concat([Buffer.from([0x81, 0x75]), Buffer.from("http://ja.example.org/%E8%A1%A8"), Buffer.from([0x81, 0x76])]);
  assert.deepEqual(Buffer.from(finder.rewriteBytes(document, "sjis")), wanted);
  assert.deepEqual(Buffer.from(finder.rewriteBytes(document.buffer, "sjis")), wanted);
  const plain = Buffer.from("http://a.example/");
  assert.equal(finder.rewriteBytes(plain), plain);
  const readable = ReadableStream.from([document]).pipeThrough(finder.transform("shift_jis"));
  assert.deepEqual(Buffer.from(await new Response(readable).arrayBuffer()), wanted);
  assert.throws(() => finder.findBytes("text"), TypeError);
  assert.throws(() => new text.Finder({ charset: "shift_jis" }), (error) => error instanceof text.ConfigError && /reads Unicode only/.test(error.message));
});

test("regular expressions", () => {
  const finder = new all.Finder({ match: "^http:", notMatch: [/x$/.source] });
  assert.deepEqual(finder.find("http://a.example http://a.example/x https://a.test").map((link) => link.text), ["http://a.example"]);
});

test("mail", () => {
  const message = Buffer.from(
    "Subject: =?utf-8?q?http://a.example/=C3=A9?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n" +
      "Content-Transfer-Encoding: base64\n\n" + Buffer.from("see http://bücher.example/ now\n").toString("base64"),
  );
  const finder = new all.Finder();
  const links = finder.findMail(message);
  assert.deepEqual(links.map((link) => [link.field, link.iri]), [["Subject", "http://a.example/é"], [null, "http://bücher.example/"]]);
  assert.equal(links[1].start, null);
  assert.ok(finder.rewriteMail(message).length > message.length);
  assert.throws(() => new text.Finder().findMail(message), /import "iriscan"/);
});

test("no input makes it fail", () => {
  let seed = 3987;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const pieces = ["http://", "a.example", "\ud800", "\udfff", "😀", "例え", "。", "<", ">", "(", ")", "&amp;", "%", "[::1]", "\0", " ", "\n", "@", "www.", "\ufeff", "/", "javascript:", "é", ":", "80", ",", "u:p@", "?", "#", "HTTP:", "mongodb://"];
  const finders = ["text", "html", "xml", "json", "markdown", "csv", "log", "turtle", "asciidoc", "ical"].map(
    (format) => new all.Finder({ format, kinds: "iri,bare,email" }),
  );
  for (let i = 0; i < 4000; i += 1) {
    const source = Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join("");
    const finder = finders[i % finders.length];
    let at = 0;
    for (const link of finder.find(source)) {
      assert.ok(link.start >= at && link.end <= source.length);
      assert.equal(source.slice(link.start, link.end), link.text, JSON.stringify(source));
      at = link.end;
      same(link, all.details(link));
    }
    finder.rewrite(source);
  }
});
