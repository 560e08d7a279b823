// Gets the WebAssembly module that lies beside the script: in Node from the disk, when it is first needed;
// elsewhere by `fetch`, when `init` is called.

import { create } from "./core.js";

/** Whether it is a compiled module, of this window or of another one. */
function isModule(value) {
  return Object.prototype.toString.call(value) === "[object WebAssembly.Module]";
}

function isBytes(value) {
  return ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}

/** The bytes of a file on the disk; null where there is no disk, or where the file is not on it. */
function onDisk(place) {
  // Asked for by name, because bundlers for browsers know no module `node:fs`.
  const disk = globalThis.process?.getBuiltinModule?.("node:fs");
  const isFile = typeof place === "string" || place?.protocol === "file:";
  return disk && isFile ? disk.readFileSync(place) : null;
}

/** The bytes of what a server or a program gives. */
async function bytesOf(source) {
  const given = await source;
  if (isBytes(given) || isModule(given)) return given;
  const url = typeof given === "string" && /^file:/i.test(given) ? new URL(given) : given;
  const read = url?.protocol === "file:" ? onDisk(url) : null;
  if (read !== null) return read;
  const isResponse = typeof given?.arrayBuffer === "function" && "ok" in given;
  const response = isResponse ? given : await fetch(given);
  if (!response.ok) {
    throw new Error(`iriscan: ${response.url || given}: ${response.status}; is the .wasm file there?`);
  }
  // Not compileStreaming, because many servers do not know the media type of WebAssembly.
  return response.arrayBuffer();
}

/** A file with a module. `beside` gives its place as the script knows it, and throws where it does not know it. */
function file(name, beside) {
  const place = () => {
    try {
      return beside();
    } catch {
      // A script that a bundler made for `require` has no URL.
      return typeof __dirname === "string" ? `${__dirname}/${name}` : null;
    }
  };
  const compile = () => {
    const bytes = onDisk(place());
    return bytes === null ? null : new WebAssembly.Module(bytes);
  };
  return { name, place, compile };
}

/** The error for one of the browser, whose own text names `unsafe-eval`, with which scripts could do more. */
function explained(error) {
  const isPolicy = /unsafe-eval|content security policy|\bCSP\b/i.test(error?.message);
  const what = "the content security policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src";
  return isPolicy ? new Error(`iriscan: ${what}`, { cause: error }) : error;
}

/** Makes the functions that load the module of `core`, which the messages name `init` and `initSync`. */
function loaders(core, { name, place }, [init, initSync]) {
  let loading = null;

  async function load(source) {
    const where = source ?? place();
    if (where === null) {
      throw new Error(`iriscan: this script does not know its URL; use ${init}(URL of ${name}) or ${initSync}(bytes)`);
    }
    const got = await bytesOf(where);
    const module = isModule(got) ? got : await WebAssembly.compile(got);
    // Not `new WebAssembly.Instance`, which older browsers forbid for large modules outside of workers.
    core.load(module, await WebAssembly.instantiate(module, core.imports));
  }

  const loads = async (source) => {
    if (core.module !== null || (source === undefined && core.ready())) return;
    loading ??= load(source);
    try {
      await loading;
    } catch (error) {
      loading = null;
      throw explained(error);
    }
  };

  const loadsSync = (source) => {
    if (!isModule(source) && !isBytes(source)) {
      throw new TypeError(`iriscan: ${initSync}: expected the bytes of the .wasm file, or a compiled module`);
    }
    try {
      core.load(isModule(source) ? source : new WebAssembly.Module(source));
    } catch (error) {
      throw explained(error);
    }
  };

  return [loads, loadsSync];
}

/** The functions of the package but those of pages, with `init`, `initSync` and the `kit` of `create`. */
export function loadable(name, beside) {
  const only = file(name, beside);
  const { core, api, kit } = create(only.compile);
  const [init, initSync] = loaders(core, only, ["init", "initSync"]);
  return { init, initSync, kit, ...api };
}

/** The same with a second file: `initMore` and `initMoreSync` load it. */
export function loadableInParts([name, beside], [moreName, besideMore]) {
  const [first, second] = [file(name, beside), file(moreName, besideMore)];
  const { core, more, api, kit } = create(first.compile, second.compile);
  const [init, initSync] = loaders(core, first, ["init", "initSync"]);
  const [initMore, initMoreSync] = loaders(more, second, ["initMore", "initMoreSync"]);
  return { init, initSync, initMore, initMoreSync, kit, ...api };
}
