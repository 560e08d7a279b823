import { instantiate } from "./core.js";
import { load } from "./load.js";

export const {
  Finder,
  find,
  findAt,
  hasLink,
  explain,
  rewrite,
  replace,
  linkifyNode,
  toUri,
  toIri,
  normalize,
  resolve,
  toText,
  check,
} = instantiate(await load(new URL("./iriscan.wasm", import.meta.url)));
export { ConfigError, Link, UriError } from "./core.js";
