// Compares the links of 60,000 texts with those that the command finds in the same texts, in both builds:
//
//     node test/texts.js COMMAND [COUNT]
//
// .ci/web_texts builds the command and runs this.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [command, count = "60000"] = process.argv.slice(2);
const folder = pathToFileURL(`${resolve(process.env.IRISCAN_PACKAGE ?? "dist/iriscan")}/`);
const builds = { all: await import(new URL("index.js", folder)), text: await import(new URL("text.js", folder)) };

let seed = 56;
const below = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};
const PIECES = [
  "http://", "https://", "HTTP://", "ftp://", "mailto:", "urn:isbn:", "//", "www.", "a.example", "bücher.example", "例え.jp", "مثال.example", "xn--r8jz45g.jp",
  "xn--a", "[::1]", "[fe80::1%25eth0]", "192.0.2.1", "a.com", "x@a.example", "ü@b.example", "u:p@", ":80", ":x", "/path", "/é", "/道", "?a=b&c", "?é", "#f", "#見出し",
  "%20", "%", "%e9", "(", ")", "[", "]", "<", ">", "「", "」", "。", "、", ".", ",", ";", "!", "'", '"', "`", "*", "_", "-", "~", "\\", "|", "{", "}", "$", "@", "&amp;",
  " ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u200b", "\u202e", "\u2028", "\u0001", "\u007f", "\ufffd", "\ud800", "\udfff", "\ud83d", "😀", "𝒳", "e\u0301", "ß", "İ", "ﬀ", "ａ",
  "see", "見て", "と", "и", "และ", "javascript:", "data:", "blob:", "view-source:", "x:", "localhost", "a..b", "-a.example", "a.example.", "test", "1", "é",
];
const random = () => {
  const kind = below(10);
  if (kind < 8) return PIECES[below(PIECES.length)];
  return kind === 8 ? String.fromCodePoint(below(0x300)) : String.fromCodePoint(below(0x110000));
};
const texts = Array.from({ length: Number(count) }, () => {
  let text = below(3) === 0 ? "http://a.example/" : "";
  for (let n = 1 + below(16); n > 0; n -= 1) text += random();
  // A byte order mark says in a file what it cannot say in a string, and a NUL that the file is binary.
  return text.replace(/^\ufeff+|\0/g, "");
});

const input = mkdtempSync(join(tmpdir(), "iriscan-texts-"));
let output;
try {
  texts.forEach((text, i) => {
    const part = join(input, String(Math.floor(i / 1000)));
    if (i % 1000 === 0) mkdirSync(part);
    // The encoder of strings writes U+FFFD for a lone surrogate.
    writeFileSync(join(part, `${i}.text`), new TextEncoder().encode(text));
  });
  const words = ["find", "--json", "--kinds", "iri,bare,email", "--charset", "utf-8", "--format", "text", "--offsets", "utf16", input];
  output = execFileSync(command, words, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
} finally {
  rmSync(input, { recursive: true, force: true });
}
const wanted = texts.map(() => []);
for (const line of output.split("\n").filter(Boolean)) {
  const record = JSON.parse(line);
  wanted[Number(basename(record.file ?? record.path, ".text"))].push(record);
}

const FIELDS = ["kind", "iri", "uri", "error", "open", "scheme", "host", "display"];
const isLone = (text) => /\p{Surrogate}/u.test(text);
let [links, surrogates, problems] = [0, 0, 0];
const differs = (build, text, what, got, want) => {
  problems += 1;
  if (problems <= 10) console.error(`${build}: ${JSON.stringify(text)}: ${what}: ${JSON.stringify(got)}, the command ${JSON.stringify(want)}`);
};
for (const [name, api] of Object.entries(builds)) {
  const finder = new api.Finder({ kinds: ["iri", "bare", "email"] });
  texts.forEach((text, i) => {
    const found = finder.find(text);
    const places = (all) => all.map(({ start, end }) => [start, end]);
    const want = wanted[i].map((one) => ({ ...one, ...(one.utf16 && { start: one.utf16[0] ?? one.utf16.start, end: one.utf16[1] ?? one.utf16.end }) }));
    if (JSON.stringify(places(found)) !== JSON.stringify(places(want))) {
      differs(name, text, "places", places(found), places(want));
      return;
    }
    surrogates += isLone(text) ? 1 : 0;
    found.forEach((link, n) => {
      links += 1;
      const known = api.details(link);
      for (const field of FIELDS) {
        const value = want[n][field] ?? null;
        if (known[field] !== value) differs(name, text, field, known[field], value);
      }
      if (JSON.stringify(known.warnings) !== JSON.stringify(want[n].warnings ?? [])) differs(name, text, "warnings", known.warnings, want[n].warnings);
    });
  });
}
console.log(`${texts.length} texts, ${links / 2} links, ${surrogates / 2} texts with lone surrogates, ${problems} differences`);
if (problems > 0 || links < texts.length / 2 || surrogates < texts.length / 20) process.exit(1);
