import type * as iriscan from "./index.js";

/** What the package exports, on a compiled module: for workers, extensions and other loaders. */
export function instantiate(
  module: WebAssembly.Module,
): Omit<typeof iriscan, "default" | "init" | "initSync" | "ConfigError" | "UriError">;
export { ConfigError, UriError, details } from "./index.js";
