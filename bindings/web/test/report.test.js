// The page of `iriscan report` in headless Chromium: with axe-core, on narrow screens and on paper. IRISCAN_TARGET is the
// folder where the command was built.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = process.env.IRISCAN_TARGET ?? join(root, "../../target");
const [command] = ["release", "debug"]
  .map((profile) => join(target, profile, "iriscan"))
  .filter((path) => existsSync(path))
  .sort((a, b) => statSync(b).mtime - statSync(a).mtime);
const skip = command ? false : "the command is not built; run `cargo build` in the root";

let browser;
let page;

before(async () => {
  if (skip) return;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const folder = mkdtempSync(join(tmpdir(), "iriscan-"));
  const links = Array.from({ length: 230 }, (_, i) => `<a href="http://h${i % 7}.example/é${i}">text ${i}</a>`).join("\n");
  writeFileSync(join(folder, "a.html"), links);
  writeFileSync(join(folder, "b.eml"), "Subject: x\nContent-Type: text/plain; charset=utf-8\n\nhttp://u@раураl.com/ http://דוגמה.example/ה\n");
  writeFileSync(join(folder, "c.txt"), `http://${"long.".repeat(40)}example/ http://e.example/${"a/".repeat(200)}\n`);
  page = join(folder, "report.html");
  execFileSync(command, ["report", "-o", page, "a.html", "b.eml", "c.txt"], { cwd: folder });
});

after(() => browser?.close());

async function open(options) {
  const context = await browser.newContext({ offline: true, ...options });
  const made = await context.newPage();
  await made.goto(pathToFileURL(page).href);
  return { made, close: () => context.close() };
}

test("axe-core finds nothing wrong, in light and in dark, with scripts and without", { skip }, async () => {
  const source = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const colorScheme of ["light", "dark"]) {
    for (const scripts of [true, false]) {
      // The policy of the page lets no other script in.
      const { made, close } = await open({ colorScheme, bypassCSP: true });
      if (!scripts) {
        // What is seen without scripts, in a page in which axe-core can run.
        await made.evaluate(() => {
          document.getElementById("list").remove();
          document.getElementById("tools").hidden = true;
          const links = document.querySelector("noscript");
          links.outerHTML = links.textContent;
          for (const pages of document.querySelectorAll(".pages")) pages.hidden = true;
        });
      }
      await made.evaluate(source);
      const found = await made.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      assert.ok(found.passes.length > 20, `only ${found.passes.length} rules`);
      const said = found.violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)]);
      assert.deepEqual(said, [], `${colorScheme}, scripts: ${scripts}`);
      await close();
    }
  }
});

test("a narrow screen scrolls in one direction", { skip }, async () => {
  const { made, close } = await open({ viewport: { width: 320, height: 600 } });
  const [wide, all] = await made.evaluate(() => [document.documentElement.scrollWidth, document.querySelectorAll("#list li").length]);
  assert.equal(wide, 320);
  assert.equal(all, 200);
  await close();
});

test("on paper there are all links and no controls", { skip }, async () => {
  const { made, close } = await open({ colorScheme: "dark" });
  await made.emulateMedia({ media: "print" });
  const links = () => made.evaluate(() => document.querySelectorAll("#list li").length);
  await made.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await links(), 234);
  const shown = await made.evaluate(() => {
    const seen = (it) => getComputedStyle(it).display !== "none";
    const paper = getComputedStyle(document.body).backgroundColor;
    return [[...document.querySelectorAll("#tools, .pages")].filter(seen).length, paper];
  });
  assert.deepEqual(shown, [0, "rgb(255, 255, 255)"]);
  await made.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await links(), 200);
  await close();
});

test("a link is reached by the keyboard, in the order of the page", { skip }, async () => {
  const { made, close } = await open();
  const order = [];
  for (let i = 0; i < 60; i += 1) {
    await made.keyboard.press("Tab");
    order.push(await made.evaluate(() => {
      const all = [...document.querySelectorAll("*")];
      return all.indexOf(document.activeElement);
    }));
  }
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  assert.ok(new Set(order).size > 50);
  await close();
});
