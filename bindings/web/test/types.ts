// Compiled by tsc, never run: programs that use the types as documented.
import init, {
  Finder, addresses, check, count, details, equivalent, find, findBytes, findMail, findMany, initSync, linkifyElement,
  linkifyHtml, linkifyNode, linkifyText, rewriteBytes, rewriteMail, toUri, transform,
  type DetailedLink, type Link, type LinkifyOptions,
} from "iriscan";
import { find as findText } from "iriscan/text";
import { instantiate } from "iriscan/core";
import wasm from "iriscan/iriscan.wasm";
import small from "iriscan/iriscan-text.wasm";
import linkify, { LinkifyIt, init as initLinkify, type Match } from "iriscan/linkify-it";

const links: Link[] = new Finder({ kinds: ["iri", "bare"], maxLen: 100 }).find("x");
const uri: string | null = find("x", { kinds: "iri,email" })[0].uri;
const other: Link | null = new Finder().findAt("x", 0);
linkifyNode(document.body, {
  rel: "nofollow",
  target: (href, type, link) => (type === "email" || link.host === null ? null : "_blank"),
  className: { url: "link", email: (value: string) => value },
  format: { email: (value) => value.toUpperCase() },
  attributes: { title: "x", tabindex: 1 },
  events: { click: (event) => event.preventDefault() },
  render: (link, page) => page.createTextNode(details(link).display),
});
const alike: boolean = equivalent("a", "b", { level: "idn" });
const offset: number | null = check("x", { kind: "uri" }).offset;
const stream: TransformStream = new Finder().transform("shift_jis");
const api = instantiate(new WebAssembly.Module(new Uint8Array()));
api.find("x")[0].start.toFixed();
toUri("x", { host: "keep" });
const loaded: Promise<void> = init(new URL("iriscan.wasm", "https://a.example/"));
initSync(new Uint8Array());
const known: DetailedLink = details(links[0]);
const key: string | null = known.hostKey;
// What a bundler makes of the file is a URL or the bytes.
const imported: Promise<void> = init(wasm);
initSync(small);
const listed: string[] = ["iri", "bare"];
const many: number = count("x", { kinds: listed, schemes: listed });
const decoded: DetailedLink[] = findBytes(new Uint8Array(), { charset: "shift_jis" });
const part: string = findMail(new ArrayBuffer(0))[0].part;
const mail: Uint8Array = rewriteMail(rewriteBytes(new Uint8Array()), { evenSigned: true, kinds: "iri" });
const writing: TransformStream = transform({ charset: "koi8-r" });
const copy: Link = { ...links[0], start: 5 };
const rows: Link[][] = findMany(["x", null]);
const texts: string[] = addresses("x", { kinds: "iri" });
const element: HTMLElement = linkifyElement(document.body, { truncate: { url: 20 } });
const html: string = linkifyHtml("x", { defaultProtocol: "http", validate: { email: false } }) + linkifyText("x");
const options: LinkifyOptions = { validate: (value) => /x/.exec(value) };
const matches: Match[] | null = linkify({ fuzzyIP: true }).tlds("onion", true).add("git:", "http:").match("x");
const it: LinkifyIt = new LinkifyIt(null, { fuzzyLink: false }).add("@", {
  validate: (text, pos, self) => (self.re.src_ZPCc ? text.length - pos : false),
  normalize: (match) => { match.url = match.text; },
});
const ready: Promise<void> = initLinkify();
// @ts-expect-error: not an option
linkify({ fuzzy: true });
// @ts-expect-error: not a type of link
linkifyText("x", { className: { hashtag: "x" } });
// @ts-expect-error: a number is expected
linkifyText("x", { truncate: "5" });
// @ts-expect-error: strings have no events
linkifyText("x", { events: {} });
// @ts-expect-error: a link has no details in it
links[0].display;
// @ts-expect-error: no such word
new Finder({ rules: "loose" });
// @ts-expect-error: no such option
new Finder({ max_len: 1 });
export { alike, key, imported, many, decoded, part, mail, writing, matches, it, ready, loaded, known, copy, rows, texts, element, html, options, links, uri, other, offset, stream, findText };
