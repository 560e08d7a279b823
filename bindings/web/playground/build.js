// Writes the playground: one HTML file with its script, its worker and the module in it.
//
//     node build.js OUT.html iriscan.wasm

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";

import { commonjs } from "../build/commonjs.js";

const [out, wasm] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const joined = (...names) => names.map((name) => read(name).replace(/^export (?=\w)/gm, "")).join("\n");

/** A script with these modules of the package in it, and `require`. */
function withModules(script, ...names) {
  const wrapped = names.map((name) => `"./${name}.cjs": (exports, require) => {\n${commonjs(read(`../js/${name}.js`))}}`);
  return `const modules = {${wrapped.join(",\n")}};
const loaded = {};
function require(name) {
  if (!loaded[name]) modules[name]((loaded[name] = {}), require);
  return loaded[name];
}
${script}`;
}

const module = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
const worker = withModules(read("worker.js"), "errors", "symbols", "hosts", "words", "tree", "present", "markup", "linkify", "core");
const data = JSON.stringify({ worker, module }).replaceAll("<", "\\u003c");
const script = `const BUILT = ${data};\n${joined("samples.js", "page.js")}`;
const style = read("page.css");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = read("page.html")
  .replace("<!-- POLICY -->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
  .replace("<!-- STYLE -->", () => `<style>${style}</style>`)
  .replace("<!-- SCRIPT -->", () => `<script type="module">${script}</script>`);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
