// The example of a React component, rendered as on a server.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
let folder;
let Linkify;
let React;
let render;

before(async () => {
  folder = mkdtempSync(join(root, "dist/react-"));
  const source = readFileSync(join(root, "examples/Linkify.jsx"), "utf8");
  const options = { jsx: ts.JsxEmit.ReactJSX, module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(source, { compilerOptions: options, reportDiagnostics: true });
  const built = pathToFileURL(join(resolve(process.env.IRISCAN_PACKAGE ?? join(root, "dist/iriscan")), "index.js"));
  writeFileSync(join(folder, "Linkify.mjs"), outputText.replace('from "iriscan"', `from "${built}"`));
  ({ Linkify } = await import(pathToFileURL(join(folder, "Linkify.mjs"))));
  React = (await import("react")).default;
  render = (await import("react-dom/server")).renderToStaticMarkup;
});

after(() => rmSync(folder, { recursive: true, force: true }));

const text = (props, ...children) => render(React.createElement(Linkify, props, ...children));
const h = (...words) => React.createElement(...words);
const A = '<a href="http://a.example/">http://a.example/</a>';

test("a component of at most 60 lines", () => {
  assert.ok(readFileSync(join(root, "examples/Linkify.jsx"), "utf8").split("\n").length <= 61);
});

test("strings become links, in elements too", () => {
  assert.equal(text({}, "see http://a.example/ now"), `see ${A} now`);
  assert.equal(
    text({}, "見て http://例え.jp/道。", h("p", { className: "x" }, "www.a.example ", h("b", null, "x@a.example")), null, 5),
    '見て <a href="http://xn--r8jz45g.jp/%E9%81%93">http://例え.jp/道</a>。<p class="x"><a href="https://www.a.example">www.a.example</a> <b><a href="mailto:x@a.example">x@a.example</a></b></p>5',
  );
  for (const tag of ["a", "code", "pre", "textarea", "button"]) {
    assert.match(text({}, h(tag, { readOnly: tag === "textarea" || undefined }, "http://a.example/")), new RegExp(`^<${tag}[^>]*>http://a.example/</${tag}>$`));
  }
  assert.equal(text({}, "<b>http://a.example/</b>"), `&lt;b&gt;${A}&lt;/b&gt;`);
  assert.equal(text({}, "javascript:alert(1) none"), "javascript:alert(1) none");
  assert.equal(text({}), "");
});

test("options, properties, and another component", () => {
  assert.equal(text({ options: { kinds: "email" }, className: "c" }, "http://a.example/ x@a.example"), 'http://a.example/ <a class="c" href="mailto:x@a.example">x@a.example</a>');
  assert.equal(text({ target: "_blank" }, "http://a.example/"), '<a rel="noopener" target="_blank" href="http://a.example/">http://a.example/</a>');
  const as = ({ link }) => h("i", null, link.host);
  assert.equal(text({ as }, "http://a.example/ http://b.example/"), "<i>a.example</i> <i>b.example</i>");
  // What is shown cannot deceive.
  assert.match(text({}, "http://xn--r8jz45g.jp/"), />http:\/\/例え\.jp\/</);
});
