import { loadable } from "./load.js";

export const {
  init,
  initSync,
  Finder,
  details,
  find,
  findMany,
  addresses,
  findAt,
  hasLink,
  rewrite,
  replace,
  linkifyNode,
  linkifyElement,
  linkifyHtml,
  linkifyText,
  toUri,
  toIri,
  normalize,
  resolve,
  toText,
  check,
} = loadable("iriscan-text.wasm", () => new URL("./iriscan-text.wasm", import.meta.url));
export default init;
export { ConfigError, UriError } from "./core.js";
