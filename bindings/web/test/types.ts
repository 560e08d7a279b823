// Compiled by tsc, never run: programs that use the types as documented.
import { Finder, check, find, linkifyNode, toUri, type Link } from "iriscan";
import { find as findText } from "iriscan/text";
import { instantiate } from "iriscan/core";

const links: Link[] = new Finder({ kinds: ["iri", "bare"], maxLen: 100 }).find("x");
const uri: string | null = find("x", { kinds: "iri,email" })[0].uri;
const other: Link | null = new Finder().findAt("x", 0);
linkifyNode(document.body, {
  rel: "nofollow",
  target: (link) => (link.kind === "email" ? null : "_blank"),
  render: (link, page) => page.createTextNode(link.display),
});
const offset: number | null = check("x", { kind: "uri" }).offset;
const stream: TransformStream = new Finder().transform("shift_jis");
const api = instantiate(new WebAssembly.Module(new Uint8Array()));
api.find("x")[0].start.toFixed();
toUri("x", { host: "keep" });
// @ts-expect-error: no such word
new Finder({ rules: "loose" });
// @ts-expect-error: no such option
new Finder({ max_len: 1 });
export { links, uri, other, offset, stream, findText };
