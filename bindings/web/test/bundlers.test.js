// Programs that use the package, bundled by each tool and run in Chromium or in Node. BUNDLERS names the folder
// with the tools, MORE_TOOLS that with the large ones, and CHROMIUM the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
// .ci/web_tools names it.
const more = process.env.MORE_TOOLS && resolve(process.env.MORE_TOOLS);
const tool = async (name) => import(pathToFileURL(require.resolve(name)));

const TEXT = "見て http://例え.jp/道。";
const URI = "http://xn--r8jz45g.jp/%E9%81%93";
const PROGRAMS = {
  // What most programs do.
  "page.js": `import init, { find } from "iriscan";
    init().then(() => { document.title = find("${TEXT}")[0].uri; }, (error) => { document.title = String(error); });`,
  "small.js": `import { init, find } from "iriscan/text";
    init().then(() => { document.title = find("${TEXT}")[0].uri; }, (error) => { document.title = String(error); });`,
  // The file is an import of the bundler.
  "imported.js": `import init, { find } from "iriscan";
    import wasm from "iriscan/iriscan.wasm";
    init(wasm).then(() => { document.title = find("${TEXT}")[0].uri; }, (error) => { document.title = String(error); });`,
  "sync.js": `import { initSync, find } from "iriscan/text";
    import wasm from "iriscan/iriscan-text.wasm";
    initSync(wasm);
    document.title = find("${TEXT}")[0].uri;`,
  "required.js": `const { init, find } = require("iriscan");
    init().then(() => { document.title = find("${TEXT}")[0].uri; }, (error) => { document.title = String(error); });`,
  // A message arrives at the worker before the module does.
  "workers.js": `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.postMessage("${TEXT}");
    worker.onmessage = ({ data }) => { document.title = data[0].uri; };`,
  "worker.js": `import init, { find } from "iriscan";
    const ready = init();
    onmessage = async ({ data }) => { await ready; postMessage(find(data)); };`,
  "node.js": `import { find } from "iriscan";
    console.log(find("${TEXT}")[0].uri);`,
  "node-required.cjs": `console.log(require("iriscan").find("${TEXT}")[0].uri);`,
};

// What a tool copies that copies at all. A page loads the second file of `iriscan/text` only when it is asked for.
const FILES = { "small.js": 2 };

let project;
let browser;
let server;
let origin;

before(async () => {
  project = mkdtempSync(join(tmpdir(), "iriscan-bundlers-"));
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  cpSync(built, join(project, "node_modules/iriscan"), { recursive: true });
  for (const [name, source] of Object.entries(PROGRAMS)) writeFileSync(join(project, name), source);
  browser = await launch();
  server = await serve((path) => readFileSync(join(project, path)), (path) => ({
    // Parcel writes scripts into the page.
    "content-security-policy": path.startsWith("/parcel-") ? "" : "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'",
  }));
  origin = server.origin;
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(project, { recursive: true, force: true });
});

/** The title that a script gives its page, which a strict policy is for. */
async function titleOf(folder, script, isModule = true) {
  const html = `<!doctype html><meta charset="utf-8"><title></title><body></body><script ${isModule ? 'type="module" ' : ""}src="${script}"></script>`;
  writeFileSync(join(project, folder, "index.html"), html);
  return shown(`${origin}/${folder}/index.html`);
}

async function shown(url) {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => document.title !== "", null, { timeout: 15_000 }).catch(() => {});
  const title = await page.title();
  await page.close();
  return title || said.join("\n");
}

const wasms = (folder) => readdirSync(join(project, folder), { recursive: true }).filter((name) => name.endsWith(".wasm"));

function copy(folder, name = "iriscan.wasm") {
  mkdirSync(join(project, folder), { recursive: true });
  copyFileSync(join(built, name), join(project, folder, name));
}

const node = (file) => execFileSync(process.execPath, [join(project, file)], { encoding: "utf8" }).trim();

/** What is only in the code of pages. */
const PAGES = /createElementNS|noembed|linkifyHtml/;

test("a bundle with find has no code of pages", async () => {
  const esbuild = (await tool("esbuild")).default;
  const { rollup } = await tool("rollup");
  const { default: resolved } = await tool("@rollup/plugin-node-resolve");
  const page = 'import { linkifyHtml } from "iriscan"; document.title = linkifyHtml("x");';
  writeFileSync(join(project, "linkifying.js"), page);
  for (const [entry, wanted] of [["page.js", false], ["small.js", false], ["linkifying.js", true]]) {
    const { outputFiles } = await esbuild.build({ absWorkingDir: project, entryPoints: [entry], bundle: true, format: "esm", write: false, logLevel: "silent" });
    assert.equal(PAGES.test(outputFiles[0].text), wanted, `esbuild, ${entry}`);
    const bundle = await rollup({ input: join(project, entry), plugins: [resolved({ browser: true })], onwarn() {} });
    const { output } = await bundle.generate({ format: "es" });
    assert.equal(PAGES.test(output[0].code), wanted, `Rollup, ${entry}`);
    await bundle.close();
  }
});

test("esbuild", async () => {
  const esbuild = (await tool("esbuild")).default;
  const build = (entry, options) =>
    esbuild.build({ absWorkingDir: project, entryPoints: [entry], bundle: true, minify: true, logLevel: "silent", ...options });
  // It copies nothing.
  await build("page.js", { format: "esm", outdir: "esbuild-esm" });
  assert.deepEqual(wasms("esbuild-esm"), []);
  copy("esbuild-esm");
  assert.equal(await titleOf("esbuild-esm", "page.js"), URI);
  await build("worker.js", { format: "esm", outdir: "esbuild-esm" });
  await build("workers.js", { format: "esm", outdir: "esbuild-esm" });
  assert.equal(await titleOf("esbuild-esm", "workers.js"), URI);
  await build("required.js", { format: "esm", outdir: "esbuild-esm" });
  assert.equal(await titleOf("esbuild-esm", "required.js"), URI);
  // A script that knows no URL of its own says what to do.
  await build("page.js", { format: "iife", outdir: "esbuild-iife" });
  assert.match(await titleOf("esbuild-iife", "page.js", false), /does not know its URL; use init\(URL of iriscan.wasm\)/);
  await build("imported.js", { format: "iife", outdir: "esbuild-file", loader: { ".wasm": "file" } });
  assert.equal(await titleOf("esbuild-file", "imported.js", false), URI);
  await build("sync.js", { format: "iife", outdir: "esbuild-binary", loader: { ".wasm": "binary" } });
  assert.equal(await titleOf("esbuild-binary", "sync.js", false), URI);
  for (const format of ["esm", "cjs"]) {
    const folder = `esbuild-node-${format}`;
    copy(folder);
    for (const entry of ["node.js", "node-required.cjs"]) {
      const out = `${folder}/${entry}.${format === "esm" ? "mjs" : "cjs"}`;
      await build(entry, { format, platform: "node", outfile: out });
      assert.equal(node(out), URI, out);
    }
  }
});

test("Rollup", async () => {
  const { rollup } = await tool("rollup");
  const { default: resolved } = await tool("@rollup/plugin-node-resolve");
  const build = async (entry, out, browser = true) => {
    const bundle = await rollup({ input: join(project, entry), plugins: [resolved({ browser })], onwarn() {} });
    await bundle.write({ name: "program", ...out, file: join(project, out.file) });
    await bundle.close();
  };
  for (const format of ["es", "iife", "umd"]) {
    const folder = `rollup-${format}`;
    await build("page.js", { format, file: `${folder}/page.js` });
    assert.deepEqual(wasms(folder), []);
    copy(folder);
    assert.equal(await titleOf(folder, "page.js", format === "es"), URI, format);
  }
  await build("small.js", { format: "es", file: "rollup-text/small.js" });
  copy("rollup-text", "iriscan-text.wasm");
  assert.equal(await titleOf("rollup-text", "small.js"), URI);
  copy("rollup-node");
  for (const [format, file] of [["es", "rollup-node/node.mjs"], ["cjs", "rollup-node/node.cjs"]]) {
    await build("node.js", { format, file }, false);
    assert.equal(node(file), URI, file);
  }
});

test("webpack", async () => {
  const webpack = (await tool("webpack")).default;
  const build = async (entry, output, options) => {
    const stats = await new Promise((done, failed) => {
      const path = join(project, output.path);
      webpack({ context: project, mode: "production", entry: `./${entry}`, ...options, output: { ...output, path } }, (error, made) => (error ? failed(error) : done(made)));
    });
    assert.equal(stats.hasErrors() || stats.hasWarnings() ? stats.toString({ all: false, errors: true, warnings: true }) : "", "");
  };
  const performance = { hints: false };
  for (const entry of ["page.js", "small.js", "required.js", "workers.js"]) {
    const folder = `webpack-${entry}`;
    await build(entry, { path: folder, filename: "main.js" }, { performance, ...(entry === "required.js" && { module: { rules: [{ test: /required\.js$/, type: "javascript/auto" }] } }) });
    assert.equal(wasms(folder).length, FILES[entry] ?? 1, `${entry}: ${wasms(folder)}`);
    assert.equal(await titleOf(folder, "main.js", false), URI, entry);
  }
  for (const entry of ["node.js", "node-required.cjs"]) {
    await build(entry, { path: `webpack-${entry}`, filename: "main.cjs" }, { target: "node" });
    assert.equal(node(`webpack-${entry}/main.cjs`), URI, entry);
  }
});

test("Vite", async () => {
  const { build, createServer: serve } = await tool("vite");
  const common = { root: project, configFile: false, logLevel: "silent", base: "./" };
  for (const entry of ["page.js", "small.js", "workers.js"]) {
    const folder = `vite-${entry}`;
    writeFileSync(join(project, `${entry}.html`), `<!doctype html><meta charset="utf-8"><title></title><script type="module" src="./${entry}"></script>`);
    await build({ ...common, worker: { format: "es" }, build: { outDir: folder, emptyOutDir: true, rollupOptions: { input: join(project, `${entry}.html`) } } });
    assert.equal(wasms(folder).length, FILES[entry] ?? 1, `${entry}: ${wasms(folder)}`);
    assert.equal(await shown(`${origin}/${folder}/${entry}.html`), URI, entry);
  }
  const dev = await serve({ ...common, optimizeDeps: { exclude: ["iriscan"] }, server: { port: 0, host: "127.0.0.1" } });
  await dev.listen();
  try {
    assert.equal(await shown(`${dev.resolvedUrls.local[0]}page.js.html`), URI);
    assert.equal(await shown(`${dev.resolvedUrls.local[0]}workers.js.html`), URI);
  } finally {
    await dev.close();
  }
});

/** The program in a package of which there is one for each system. */
function program(scope, name) {
  const folder = join(more, "node_modules", scope);
  const found = readdirSync(folder).flatMap((one) => [join(folder, one, name), join(folder, one, "bin", name)]);
  return found.find((file) => {
    try {
      return execFileSync(file, ["--version"], { encoding: "utf8", stdio: "pipe" }) !== "";
    } catch {
      return false;
    }
  });
}

test("Parcel", { skip: !more }, async () => {
  for (const entry of ["page.js", "small.js", "workers.js"]) {
    const folder = `parcel-${entry}`;
    writeFileSync(join(project, "index.html"), `<!doctype html><meta charset="utf-8"><title></title><script type="module" src="./${entry}"></script>`);
    const words = ["build", "index.html", "--dist-dir", folder, "--public-url", "./", "--no-cache", "--log-level", "warn"];
    execFileSync(join(more, "node_modules/.bin/parcel"), words, { cwd: project, stdio: "pipe" });
    assert.equal(wasms(folder).length, FILES[entry] ?? 1, `${entry}: ${wasms(folder)}`);
    assert.equal(await shown(`${origin}/${folder}/index.html`), URI, entry);
  }
});

test("Bun", { skip: !more }, async () => {
  const bun = program("@oven", "bun");
  const run = (...words) => execFileSync(bun, words, { cwd: project, encoding: "utf8" }).trim();
  for (const entry of ["node.js", "node-required.cjs"]) assert.equal(run("run", entry), URI, entry);
  run("build", "page.js", "--outdir", "bun-page", "--target", "browser");
  copy("bun-page");
  assert.equal(await titleOf("bun-page", "page.js"), URI);
  run("build", "node.js", "--outdir", "bun-node", "--target", "bun");
  copy("bun-node");
  assert.equal(run("run", "bun-node/node.js"), URI);
});

test("Deno", { skip: !more }, () => {
  const deno = program("@deno", "deno");
  const environment = { ...process.env, DENO_NO_UPDATE_CHECK: "1", DENO_DIR: join(project, "deno") };
  const run = (...words) => execFileSync(deno, words, { cwd: project, encoding: "utf8", stdio: "pipe", env: environment }).trim();
  for (const entry of ["node.js", "node-required.cjs"]) assert.equal(run("run", "--allow-read=.", "--node-modules-dir=manual", entry), URI, entry);
});

test("TypeScript", { skip: !more }, () => {
  const types = readFileSync(join(root, "test/types.ts"), "utf8");
  for (const name of ["types.ts", "types.mts", "types-required.cts"]) writeFileSync(join(project, name), types);
  writeFileSync(join(project, "wrong.mts"), 'import { find } from "iriscan"; find(5);');
  for (const version of ["4.9", "5.0", "5.4", "5.9", "7.0"]) {
    const check = (...words) =>
      execFileSync(process.execPath, [join(more, `node_modules/typescript-${version}/bin/tsc`), "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", ...words], {
        cwd: project, encoding: "utf8", stdio: "pipe",
      });
    const checked = (...words) => {
      try {
        return check(...words);
      } catch (error) {
        return error.stdout;
      }
    };
    assert.equal(checked("--module", "nodenext", "types.mts", "types-required.cts"), "", version);
    // TypeScript 7 has no such resolution any more.
    if (version !== "7.0") assert.equal(checked("--module", "commonjs", "--moduleResolution", "node", "types.ts"), "", version);
    if (version !== "4.9") assert.equal(checked("--module", "esnext", "--moduleResolution", "bundler", "types.ts"), "", version);
    assert.match(checked("--module", "nodenext", "wrong.mts"), /TS2345/, version);
  }
});
