// A browser, and a server for its pages.

import { createServer } from "node:http";
import { extname } from "node:path";

import { chromium } from "playwright-core";

const TYPES = { ".js": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };

/** Starts headless Chromium. CHROMIUM names the program. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * Starts a server. `file` gives what is at a path, and throws if nothing is there; `headers` gives headers for it, which
 * win over the type by the end of the path. Returns its `origin`, and a function that closes it.
 */
export async function serve(file, headers = () => ({})) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const data = file(path);
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...headers(path) });
      response.end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
