// Gets the WebAssembly module that lies beside this file: by `fetch`, in Node from the disk.

export async function load(url) {
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    // A name in a variable, because bundlers for browsers know no module `node:fs`.
    const name = "node:fs/promises";
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`iriscan: ${url}: ${response.status}; copy the .wasm file beside the script`);
  }
  // Not compileStreaming, because many servers do not know the media type of WebAssembly.
  return WebAssembly.compile(await response.arrayBuffer());
}
