// The package where programs run that are no plain page: in a service worker, on a server that renders pages, in a
// React component that takes over what a server has rendered, and under policies for scripts. BUNDLERS names the
// folder with esbuild, and CHROMIUM the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { launch, serve } from "./serving.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = resolve(process.env.IRISCAN_PACKAGE ?? join(root, "dist/iriscan"));
const tools = resolve(process.env.BUNDLERS ?? join(root, "bundlers"));
const require = createRequire(join(tools, "package.json"));

const TEXT = "見て http://例え.jp/道。";
const URI = "http://xn--r8jz45g.jp/%E9%81%93";
// Nothing is allowed but scripts and data of the same server.
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'; worker-src 'self'; script-src 'self'";
const WITH_WASM = `${POLICY} 'wasm-unsafe-eval'`;
// Trusted Types forbid what makes markup or scripts of text.
const STRICT = `${WITH_WASM}; require-trusted-types-for 'script'; trusted-types 'none'`;
const POLICIES = { forbidden: POLICY, strict: STRICT, react: STRICT };

let project;
let browser;
let server;
let origin;
/** The pages that the server renders, by their paths: functions that return HTML. */
const rendered = new Map();

before(async () => {
  project = mkdtempSync(join(tmpdir(), "iriscan-surroundings-"));
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  cpSync(built, join(project, "node_modules/iriscan"), { recursive: true });
  browser = await launch();
  const file = (path) => rendered.get(path)?.() ?? readFileSync(join(project, path));
  server = await serve(file, (path) => ({
    "content-security-policy": POLICIES[path.split("/")[1]] ?? WITH_WASM,
    ...(rendered.has(path) && { "content-type": "text/html; charset=utf-8" }),
  }));
  origin = server.origin;
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(project, { recursive: true, force: true });
});

/** Opens a page, and returns its title once it has one, what `look` returns, and what went wrong in it. */
async function shown(path, look = () => null) {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(origin + path);
  await page.waitForFunction(() => document.title !== "", null, { timeout: 15_000 }).catch(() => {});
  const [title, seen] = [await page.title(), await page.evaluate(look)];
  await page.close();
  return { title, seen, said };
}

const page = (script, body = "") => `<!doctype html><meta charset="utf-8"><title></title><body>${body}<script type="module" src="${script}"></script>`;

async function bundle(folder, name, source, options = {}) {
  const { build } = (await import(pathToFileURL(require.resolve("esbuild")))).default;
  mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, folder, name), source);
  await build({
    absWorkingDir: project, entryPoints: [join(folder, name)], outfile: join(project, folder, "bundle.js"), bundle: true, format: "esm", logLevel: "silent",
    nodePaths: [join(root, "node_modules")], jsx: "automatic", define: { "process.env.NODE_ENV": '"development"' }, ...options,
  });
  for (const file of ["iriscan.wasm", "iriscan-text.wasm"]) cpSync(join(built, file), join(project, folder, file));
}

for (const name of ["iriscan", "iriscan/text"]) {
  const folder = name === "iriscan" ? "all" : "text";

  test(`a service worker finds links with ${name}, also after it was stopped`, async () => {
    await bundle(`worker-${folder}`, "worker.js", `
      import { find, init } from "${name}";
      const ready = init();
      addEventListener("install", (event) => event.waitUntil(ready.then(() => skipWaiting())));
      addEventListener("activate", (event) => event.waitUntil(clients.claim()));
      addEventListener("fetch", (event) => {
        const text = new URL(event.request.url).searchParams.get("text");
        if (text !== null) event.respondWith(ready.then(() => Response.json(find(text).map((link) => link.uri))));
      });`);
    writeFileSync(join(project, `worker-${folder}/page.js`), `
      const answer = async () => (await (await fetch("links?text=" + encodeURIComponent("${TEXT}"))).json())[0];
      const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
      navigator.serviceWorker.register("bundle.js", { type: "module" })
        .then(async () => { if (!navigator.serviceWorker.controller) await controlled; document.title = await answer(); })
        .catch((error) => { document.title = String(error); });`);
    rendered.set(`/worker-${folder}/`, () => page("page.js"));
    const context = await browser.newContext();
    const made = await context.newPage();
    await made.goto(`${origin}/worker-${folder}/`);
    await made.waitForFunction(() => document.title !== "", null, { timeout: 15_000 });
    assert.equal(await made.title(), URI);
    // The browser stops a worker that rests, and starts it anew for the next request.
    const session = await context.newCDPSession(made);
    await session.send("ServiceWorker.enable");
    await session.send("ServiceWorker.stopAllWorkers");
    await made.reload();
    await made.waitForFunction(() => document.title !== "", null, { timeout: 15_000 });
    assert.equal(await made.title(), URI);
    await context.close();
  });
}

test("a server renders pages, where there is neither a window nor a document", () => {
  writeFileSync(join(project, "server.mjs"), `
    import { linkifyHtml, linkifyNode, linkifyText } from "iriscan";
    const failed = (() => { try { return linkifyNode({}); } catch (error) { return error.name; } })();
    const gone = [typeof window, typeof document];
    console.log(JSON.stringify([linkifyHtml("<p>${TEXT}</p>"), linkifyText("<${TEXT}"), failed, gone]));`);
  const out = execFileSync(process.execPath, ["server.mjs"], { cwd: project, encoding: "utf8" });
  const a = `<a href="${URI}">http://例え.jp/道</a>`;
  assert.deepEqual(JSON.parse(out), [`<p>見て ${a}。</p>`, `&lt;見て ${a}。`, "TypeError", ["undefined", "undefined"]]);
});

test("a React component takes over what a server has rendered, under a strict policy", async () => {
  const app = `
    import { createElement as h, useState } from "react";
    import { Linkify } from "./Linkify.jsx";
    export function App() {
      const [text, setText] = useState("${TEXT}");
      return h("main", null, h(Linkify, null, text), h("button", { onClick: () => setText("http://b.example/ü and x@b.example") }, "next"));
    }`;
  mkdirSync(join(project, "react"), { recursive: true });
  cpSync(join(root, "examples/Linkify.jsx"), join(project, "react/Linkify.jsx"));
  writeFileSync(join(project, "react/app.jsx"), app);
  await bundle("react", "server.jsx", `
    import { createElement } from "react";
    import { renderToString } from "react-dom/server";
    import { App } from "./app.jsx";
    console.log(renderToString(createElement(App)));`, { platform: "node", outfile: join(project, "react/server.cjs"), format: "cjs" });
  const html = execFileSync(process.execPath, [join(project, "react/server.cjs")], { encoding: "utf8" }).trim();
  assert.match(html, new RegExp(`<a href="${URI}">http://例え.jp/道</a>`));
  await bundle("react", "client.jsx", `
    import { createElement } from "react";
    import { hydrateRoot } from "react-dom/client";
    import { init } from "iriscan";
    import { App } from "./app.jsx";
    const root = document.getElementById("root");
    const served = root.querySelector("a");
    await init();
    hydrateRoot(root, createElement(App), { onRecoverableError: (error) => console.error(String(error)) });
    const links = () => [...root.querySelectorAll("a")].map((a) => a.href);
    const later = () => new Promise((done) => setTimeout(done, 50));
    await later();
    // The element is the one of the server, so nothing was rendered anew.
    const kept = root.querySelector("a") === served;
    root.querySelector("button").click();
    await later();
    window.result = [kept, links()];
    document.title = "done";`);
  rendered.set("/react/", () => page("bundle.js", `<div id="root">${html}</div>`));
  const { title, seen, said } = await shown("/react/", () => window.result);
  assert.deepEqual([title, said], ["done", []]);
  assert.deepEqual(seen, [true, ["http://b.example/%C3%BC", "mailto:x@b.example"]]);
});

const LINKIFIES = `
  import { init, linkifyNode } from "iriscan";
  let title;
  try {
    await init();
    title = String(linkifyNode(document.querySelector("p")));
  } catch (error) {
    title = error.name + ": " + error.message;
  }
  document.title = title;`;

test("a page under a strict policy gets its links, and nothing breaks the policy", async () => {
  await bundle("strict", "page.js", LINKIFIES);
  rendered.set("/strict/", () => page("bundle.js", `<p>${TEXT}</p>`));
  const { title, seen, said } = await shown("/strict/", () => document.querySelector("p a").href);
  assert.deepEqual([title, seen, said], ["1", URI, []]);
});

test("without 'wasm-unsafe-eval', init fails with an error that names it, and the text stays", async () => {
  await bundle("forbidden", "page.js", LINKIFIES);
  rendered.set("/forbidden/", () => page("bundle.js", `<p>${TEXT}</p>`));
  const { title, seen } = await shown("/forbidden/", () => document.querySelector("p").innerHTML);
  assert.equal(title, "Error: iriscan: the content security policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src");
  assert.equal(seen, TEXT);
});
