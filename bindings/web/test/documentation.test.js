// Every block of JavaScript in README.md runs, and each line `expression; // value` gives that value.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
const dist = new URL("../dist/iriscan/", import.meta.url);

test("the blocks of README.md", async () => {
  const folder = mkdtempSync(fileURLToPath(new URL("../dist/readme-", import.meta.url)));
  let values = 0;
  try {
    for (const [index, block] of blocks.entries()) {
      const imports = block
        .replaceAll('from "iriscan"', `from "${new URL("index.js", dist)}"`)
        .replaceAll('from "iriscan/linkify-it"', `from "${new URL("linkify-it.js", dist)}"`)
        .replaceAll('from "iriscan/text"', `from "${new URL("text.js", dist)}"`);
      const checked = imports.replace(/^(.+); \/\/ (.+)$/gm, (_, code, value) => {
        values += 1;
        return `same(${code}, ${value});`;
      });
      const file = `${folder}/${index}.mjs`;
      writeFileSync(file, `import { deepEqual as same } from "node:assert/strict";\n${checked}`);
      await import(file);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.ok(blocks.length >= 3 && values >= 6, `${blocks.length} blocks, ${values} values`);
});
