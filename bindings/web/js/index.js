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
  explain,
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
} = loadable("iriscan.wasm", () => new URL("./iriscan.wasm", import.meta.url));
export default init;
export { ConfigError, UriError } from "./core.js";
