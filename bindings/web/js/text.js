import { linkifier } from "./linkify.js";
import { loadableInParts } from "./load.js";

const {
  kit,
  init,
  initSync,
  initMore,
  initMoreSync,
  Finder,
  details,
  find,
  findMany,
  addresses,
  findAt,
  hasLink,
  count,
  findBytes,
  rewriteBytes,
  transform,
  rewrite,
  replace,
  toUri,
  toIri,
  normalize,
  resolve,
  toText,
  check,
  equivalent,
} = loadableInParts(
  ["iriscan-text.wasm", () => new URL("./iriscan-text.wasm", import.meta.url)],
  ["iriscan-more.wasm", () => new URL("./iriscan-more.wasm", import.meta.url)],
);
// Functions, and not the parts of an object, so that a bundle has only those that it uses.
let made = null;
const pages = () => (made ??= linkifier(kit));
export function linkifyNode(root, options) {
  return pages().linkifyNode(root, options);
}
export function linkifyElement(element, options) {
  return pages().linkifyElement(element, options);
}
export function linkifyHtml(html, options) {
  return pages().linkifyHtml(html, options);
}
export function linkifyText(text, options) {
  return pages().linkifyText(text, options);
}

export {
  init,
  initSync,
  initMore,
  initMoreSync,
  Finder,
  details,
  find,
  findMany,
  addresses,
  findAt,
  hasLink,
  count,
  findBytes,
  rewriteBytes,
  transform,
  rewrite,
  replace,
  toUri,
  toIri,
  normalize,
  resolve,
  toText,
  check,
  equivalent,
};
export default init;
export { ConfigError, UriError } from "./core.js";
