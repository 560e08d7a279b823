// Writes a module of js/ for `require`:
//
//     node commonjs.js IN.js OUT.cjs
//     node commonjs.js IN.d.ts OUT.d.cts
//
// It knows the few forms of import and export that js/ has, and refuses others.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const names = (list) => list.split(",").map((one) => one.trim()).filter(Boolean);

/** The source of a module, for `require`. */
export function commonjs(source) {
  const exported = [];
  const bound = (list) => list.replace(/ as /g, ": ");
  const file = (name) => name.replace(/\.js$/, ".cjs");
  let body = source
    .replace(/^import \{([^}]*)\} from "(\.\/[\w-]+\.js)";$/gm, (_, list, from) => `const {${bound(list)}} = require("${file(from)}");`)
    .replace(/^export \{([^}]*)\} from "(\.\/[\w-]+\.js)";$/gm, (_, list, from) => {
      exported.push(...names(list));
      return `const {${list}} = require("${file(from)}");`;
    })
    .replace(/^export \{([^}]*)\};$/gm, (_, list) => {
      exported.push(...names(list));
      return "";
    })
    .replace(/^export const \{([^}]*)\} =/gm, (_, list) => {
      exported.push(...names(list));
      return `const {${list}} =`;
    })
    .replace(/^export ((?:async )?(?:function\*?|class|const) )(\w+)/gm, (_, what, name) => {
      exported.push(name);
      return what + name;
    })
    .replace(/^export default (\w+);$/gm, (_, name) => {
      exported.push(`default: ${name}`);
      return "";
    })
    .replace(/new URL\("\.\/([\w.-]+)", import\.meta\.url\)/g, (_, name) => `\`\${__dirname}/${name}\``);
  const left = /^(?:import|export)\b.*|import\.meta/m.exec(body);
  if (left) throw new Error(`no rule for: ${left[0]}`);
  body = `"use strict";\n${body.trimEnd()}\n`;
  return `${body}\nObject.defineProperty(exports, "__esModule", { value: true });\nObject.assign(exports, { ${exported.join(", ")} });\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to] = process.argv.slice(2);
  const source = readFileSync(from, "utf8");
  const isTypes = from.endsWith(".d.ts");
  writeFileSync(to, isTypes ? source.replace(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"') : commonjs(source));
}
