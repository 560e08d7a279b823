// iriscan/linkify-it: the fixtures and tests of linkify-it 5, and those of markdown-it for links. Where it gives
// another answer, differences.txt says so.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import markdownit from "markdown-it";

const folder = pathToFileURL(`${resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan")}/`);
const { default: linkify, LinkifyIt, Match } = await import(new URL("linkify-it.js", folder));
const fixture = (name) => readFileSync(new URL(`linkify-it/${name}`, import.meta.url), "utf8").split(/\r?\n/);
const known = new Set(fixture("differences.txt").map((line) => /^(\S+ \d+): ./.exec(line)?.[1]).filter(Boolean));

/** Compares what is different with what the list says. */
function compare(name, tried, different) {
  const listed = [...known].filter((one) => one.startsWith(`${name} `));
  assert.deepEqual(different, listed, `${name}: another list of differences`);
  assert.ok(different.length < tried / 10);
}

test("the links of linkify-it", () => {
  const it = linkify({ fuzzyIP: true });
  it.normalize = () => {};
  const lines = fixture("links.txt").map((line) => line.replace(/^%.*/, ""));
  const different = [];
  let tried = 0;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    if (!line.trim()) continue;
    const place = `links.txt ${i + 1}`;
    const wanted = lines[i + 1]?.trim() ? lines[(i += 1)] : line;
    tried += 1;
    const same = it.pretest(line) && it.test(`\n${line}\n`) && it.test(line) && it.match(line)[0].url === wanted;
    if (!same) different.push(place);
  }
  assert.ok(tried > 110);
  compare("links.txt", tried, different);
});

test("what is no link for linkify-it", () => {
  const it = linkify();
  const lines = fixture("not_links.txt").map((line) => line.replace(/^%.*/, ""));
  const tried = lines.filter((line) => line.trim()).length;
  const different = lines.flatMap((line, i) => (line.trim() && it.test(line) ? [`not_links.txt ${i + 1}`] : []));
  assert.ok(tried > 35);
  compare("not_links.txt", tried + 20, different);
});

test("markdown-it: its own fixtures, and hosts that are not ASCII", () => {
  const md = markdownit({ html: true, linkify: true, typographer: true });
  md.linkify = linkify();
  const parts = fixture("markdown-it.txt").join("\n").split(/^\.\n/m);
  const different = [];
  let tried = 0;
  for (let i = 1; i + 1 < parts.length; i += 3) {
    tried += 1;
    if (md.render(parts[i]) !== parts[i + 1]) different.push(`markdown-it.txt ${tried}`);
  }
  assert.equal(tried, 19);
  compare("markdown-it.txt", tried, different);
  assert.equal(
    md.render("見て http://例え.jp/道。*次* www.example.org/a_b_c"),
    '<p>見て <a href="http://xn--r8jz45g.jp/%E9%81%93">http://例え.jp/道</a>。<em>次</em> <a href="http://www.example.org/a_b_c">www.example.org/a_b_c</a></p>\n',
  );
  md.linkify.set({ fuzzyLink: false }).add("ftp:", null);
  assert.equal(md.render("www.example.org ftp://a.example x@a.example"), '<p>www.example.org ftp://a.example <a href="mailto:x@a.example">x@a.example</a></p>\n');
});

test("top-level domains", () => {
  const it = linkify();
  assert.ok(!it.test("google.myroot"));
  it.tlds("myroot", true);
  assert.ok(it.test("google.myroot") && it.test("google.com") && it.pretest("google.myroot"));
  assert.deepEqual(it.match("(see a.google.MYROOT/x?y=1, x.myroots .myroot x@b.myroot)").map(({ raw }) => raw), ["a.google.MYROOT/x?y=1"]);
  it.tlds(["xyz", "онион"]);
  assert.deepEqual(it.match("google.xyz google.myroot google.com foo.онион http://google.com").map(({ raw }) => raw), ["google.xyz", "foo.онион", "http://google.com"]);
});

test("schemas: functions, regular expressions, aliases, and without one", () => {
  const my = linkify().add("my:", { validate: /^\/\/[a-z]+/ });
  assert.deepEqual(my.match("google.com. my:// my://asdf!").map(({ text, url, schema }) => [text, url, schema]), [
    ["google.com", "http://google.com", ""], ["my://asdf", "my://asdf", "my:"],
  ]);
  my.add("my:", { validate: /^\/\/[a-z]+/, normalize: (match) => Object.assign(match, { text: match.text.slice(5), url: match.url.toUpperCase() }) });
  assert.deepEqual(my.match("my://asdf!").map(({ text, url, raw }) => [text, url, raw]), [["asdf", "MY://ASDF", "my://asdf"]]);
  const twitter = linkify({
    "@": {
      validate(text, pos, self) {
        self.re.twitter ??= new RegExp(`^([a-zA-Z0-9_]){1,15}(?!_)(?=$|${self.re.src_ZPCc})`);
        if (!self.re.twitter.test(text.slice(pos))) return 0;
        return text[pos - 2] === "@" ? false : text.slice(pos).match(self.re.twitter)[0].length;
      },
      normalize: (match) => { match.url = `https://twitter.example/${match.url.slice(1)}`; },
    },
  });
  assert.equal(twitter.match("hello, @gamajoba_!")[0].text, "@gamajoba_");
  assert.equal(twitter.match(":@givi")[0].url, "https://twitter.example/givi");
  assert.ok(!twitter.test("@@invalid") && twitter.pretest("@x"));
  assert.deepEqual(twitter.match("@a @b,@c x@d.com").map(({ raw }) => raw), ["@a", "@b", "@c", "x@d.com"]);
  const git = linkify({ "git:": "http:", "loop:": "loop:", "none:": "no:" });
  assert.equal(git.match("git://a.example/x.git")[0].schema, "git:");
  const none = linkify();
  assert.ok(none.test("http://google.com") && none.test("foo@bar.com"));
  none.add("http:", null).add("mailto:", null);
  assert.ok(!none.test("http://google.com") && !none.test("foo@bar.com") && !none.test("google.com"));
  for (const bad of [[], { validate: [] }, { validate: () => 0, normalize: "bad" }, 5]) assert.throws(() => linkify().add("test:", bad));
  assert.ok(!git.test("loop://a.example none://a.example"));
});

test("options", () => {
  const it = linkify({ fuzzyLink: false });
  assert.ok(!it.test("google.com.") && it.test("x@google.com"));
  it.set({ fuzzyLink: true, fuzzyEmail: false });
  assert.equal(it.match("google.com. x@bar.com")[0].text, "google.com");
  assert.ok(!it.test("foo@bar.com."));
  assert.ok(!it.test("1.1.1.1.") && !it.match("see 1.1.1.1"));
  it.set({ fuzzyIP: true });
  assert.deepEqual(it.match("1.1.1.1. v1.2.3.4.5 300.1.1.1 10.0.0.1:80/x?y").map(({ raw }) => raw), ["1.1.1.1", "10.0.0.1:80/x?y"]);
  assert.equal(it.match("http://e.com/foo---bar")[0].text, "http://e.com/foo---bar");
  assert.equal(linkify(null, { "---": true }).match("http://e.com/foo---bar")[0].text, "http://e.com/foo");
  assert.equal(linkify({ maxLength: 20 }).match("http://a.example/aaaaaaaa http://b.example")[0].raw, "http://b.example");
});

test("at a position, and at the start", () => {
  const it = new LinkifyIt();
  assert.equal(it.testSchemaAt("http://google.com", "http:", 5), 12);
  assert.equal(it.testSchemaAt("http://google.com", "HTTP:", 5), 12);
  assert.equal(it.testSchemaAt("http://google.com", "http:", 6), 0);
  assert.equal(it.testSchemaAt("http://google.com", "bad:", 6), 0);
  assert.equal(it.testSchemaAt("x //google.com/x", "//", 4), 12);
  assert.equal(it.testSchemaAt("http://google.com/x", "//", 7), 0);
  const match = it.matchAtStart("http://google.com 123");
  assert.ok(match instanceof Match);
  assert.deepEqual({ ...match }, { schema: "http:", index: 0, lastIndex: 17, raw: "http://google.com", text: "http://google.com", url: "http://google.com" });
  for (const text of ["google.com 123", "  http://google.com", "http://", "https://", "", "x@a.example"]) assert.equal(it.matchAtStart(text), null, text);
  for (const length of [1000, 1015, 1024, 3000]) {
    const link = `http://google.com/${"é".repeat(length)}`;
    assert.equal(it.matchAtStart(`${link}. And more ${"x ".repeat(3000)}`).raw, link);
  }
  assert.equal(it.match(""), null);
});

test("in linear time", () => {
  const it = linkify({ fuzzyIP: true }).tlds("myroot", true);
  for (const part of ["//a.com ", "//", "://", "a.myroot", ".myroot", "1.1.1.1 ", "1.1.1.", "😡", "@", "http://a.com/", "-"]) {
    const text = part.repeat(20_000);
    let best = Infinity;
    // Other programs on the machine cannot make it faster, so the best of a few runs counts.
    for (let i = 0; i < 4 && best >= 5000; i += 1) {
      const from = performance.now();
      it.test(text);
      it.match(text);
      it.matchAtStart(text);
      best = Math.min(best, performance.now() - from);
    }
    assert.ok(best < 5000, `${part}: ${best} ms`);
  }
});

test("for require, with new and without", () => {
  const required = createRequire(import.meta.url)(resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan", "linkify-it.cjs"));
  assert.equal(required.default().match("www.example.org")[0].url, "http://www.example.org");
  assert.ok(new required.default() instanceof required.LinkifyIt);
});
