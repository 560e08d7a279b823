// Sizes of the builds, and their speed beside linkify-it and linkifyjs in one process.
//
//     make -C bindings/web && node bindings/web/bench/bench.js

import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants } from "node:zlib";

import { LinkifyIt } from "linkify-it";
import * as linkifyjs from "linkifyjs";

const dist = new URL("../dist/iriscan/", import.meta.url);
const all = await import(new URL("index.js", dist));
const text = await import(new URL("text.js", dist));

console.log("| module | raw | gzip | brotli |\n|---|---|---|---|");
for (const name of ["iriscan.wasm", "iriscan-text.wasm", "iriscan-more.wasm"]) {
  const data = readFileSync(new URL(name, dist));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const sizes = [data, gzipSync(data, { level: 9 }), brotliCompressSync(data, { params })];
  console.log(`| ${name} | ${sizes.map((one) => `${(one.length / 1000).toFixed(0)} KB`).join(" | ")} |`);
}

const bench = (name) => readFileSync(new URL(`../../../testdata/bench/${name}`, import.meta.url), "utf8");
const lines = bench("rows.txt").split("\n").filter(Boolean);
const ROW = "Did you see https://en.example.org/wiki/Link today? It is on page 7, and the rest comes on Monday ok";
const TEXTS = {
  "chat rows": lines,
  "rows of 100 characters, one link": Array.from({ length: 1000 }, (_, i) => ROW.replace("7", i % 10)),
  prose: [bench("prose.txt")],
  "many links": [bench("dense.txt")],
  mail: [bench("mail.txt")],
};

const it = new LinkifyIt();
const kinds = ["iri", "bare", "email"];
const finder = new all.Finder({ kinds });
const small = new text.Finder({ kinds });
const iris = new all.Finder();
// What a program does with a link: where it is, what is shown, what is opened.
let sink = 0;
const use = (found, start, open) => {
  sink += found.length;
  for (const one of found) sink += one[start] + one[open].length;
};
const WAYS = {
  iriscan: (one) => use(finder.find(one), "start", "open"),
  "iriscan/text": (one) => use(small.find(one), "start", "open"),
  "iriscan, kind iri": (one) => use(iris.find(one), "start", "open"),
  "iriscan, count only": (one) => {
    sink += finder.count(one);
  },
  "iriscan, count only, kind iri": (one) => {
    sink += iris.count(one);
  },
  "linkify-it": (one) => use(it.match(one) ?? [], "index", "url"),
  linkifyjs: (one) => use(linkifyjs.find(one), "start", "href"),
};

function once(way, texts) {
  const from = process.hrtime.bigint();
  for (const one of texts) way(one);
  return Number(process.hrtime.bigint() - from);
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

console.log("\n| texts | way | µs a text | MB/s | against linkify-it | against linkifyjs |\n|---|---|---|---|---|---|");
for (const [name, texts] of Object.entries(TEXTS)) {
  const units = texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  const times = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));
  // By turns, so that other work on the machine slows all of them.
  const rounds = Number(process.env.ROUNDS ?? 15);
  for (let round = 0; round < rounds + 3; round += 1) {
    for (const [way, work] of Object.entries(WAYS)) {
      // linkifyjs takes seconds for a long text.
      if (way === "linkifyjs" && units > 100_000 && round > 3) continue;
      // The same number of tries for all: other work on the machine only makes them slower.
      const took = Math.min(...Array.from({ length: 3 }, () => once(work, texts)));
      if (round >= 3) times[way].push(took);
    }
  }
  const took = Object.fromEntries(Object.entries(times).map(([way, all]) => [way, median(all)]));
  for (const way of Object.keys(WAYS)) {
    const us = took[way] / 1000 / texts.length;
    const ratio = (peer) => (took[peer] / took[way]).toFixed(1);
    console.log(`| ${name} | ${way} | ${us.toFixed(us < 10 ? 2 : 0)} | ${((units / took[way]) * 1000).toFixed(0)} | ${ratio("linkify-it")} | ${ratio("linkifyjs")} |`);
  }
}
if (sink === 0) throw new Error("nothing was found");
