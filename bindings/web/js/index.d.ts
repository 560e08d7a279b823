/** What finds links, and how they are converted. The names and words are those of the command line. */
export interface FinderOptions {
  // generated: options
  /** The kinds of link: iri (with a scheme), bare (a host without one), email, ip (an IP address without one). Default: "iri". */
  kinds?: Words<"iri" | "bare" | "email" | "ip">;
  /** The charset of the input; auto: it is detected. */
  charset?: string;
  /** In mail, the charset also of parts that declare another one. */
  forceCharset?: boolean;
  /** The syntax around the text. Default: "text". */
  format?: "text" | "html" | "xml" | "json" | "log" | "turtle" | "csv" | "tsv" | "markdown" | "asciidoc" | "css" | "ical" | "org" | "latex" | "rst" | "po" | "wikitext" | "defanged" | "bbcode" | "source" | "c" | "python" | "java" | "man" | "ipynb" | "jsonld";
  /** The rules for where a link starts and ends; uts58: Unicode Technical Standard 58 to the letter. Default: "prose". */
  rules?: "prose" | "uts58";
  /** The schemes that count: common, any, or a list; in attributes of markup any, unless it is given. */
  schemes?: Words<string>;
  /** What rewriting makes of links. Default: "uri". */
  to?: "uri" | "iri";
  /** The form of a host that is not ASCII; to iri: keep or unicode. Default: "punycode". */
  host?: "punycode" | "percent" | "keep" | "unicode";
  /** The charset of a query that is not ASCII in a legacy document; if it is not given, utf-8 in mail that is not HTML. */
  query?: "document" | "utf-8";
  /** The ASCII that no URI has, such as ^ and {: encoded in URIs; if it is not given, a rewritten document keeps it in links of ASCII. */
  disallowed?: "encode" | "keep" | "fail";
  /** When text is normalised before it is encoded; auto: from a legacy charset. Default: "auto". */
  nfc?: "auto" | "always" | "never";
  /** The longest link, in bytes of the source. Default: 65536. */
  maxLen?: number;
  /** The URI that relative links are resolved against; a base in a document is resolved against it. */
  base?: string;
  /** In JSON, only the strings in fields of these names. */
  fields?: Strings;
  /** In CSV, the character between fields; found in the first records if it is not given. */
  delimiter?: string;
  /** A character that is not ASCII ends a link. */
  asciiOnly?: boolean;
  /** Identifiers of RDF and keys of PO are rewritten too. */
  identifiers?: boolean;
  /** In Markdown, links in code count. Default: true. */
  code?: boolean;
  /** In HTML and XML, links in comments count, as in running text. */
  comments?: boolean;
  /** When links are found, those in the queries of links too: ?u=http%3A%2F%2Fb.example%2F. */
  nested?: boolean;
  /** In logs, the targets of requests are links: /dir/ in "GET /dir/ HTTP/1.1". */
  targets?: boolean;
  /** Links of HTML and XML say where they are: element, attribute and anchor. */
  elements?: boolean;
  /** What opens the wrapper of a mail gateway is the link inside. */
  unwrap?: boolean;
  /** What rewriting writes in the place of each link, with fields such as {host}. */
  template?: string;
  /** Rewriting makes links harmless: hxxp[:]//host[.]example. */
  defang?: boolean;
  /** Rewriting makes links of links that were made harmless; needs the format defanged. */
  refang?: boolean;
  /** Rewriting changes one part of each link: host=new.example, scheme=https, port=8080; port= takes it away. */
  set?: Strings;
  /** Rewriting changes the start of paths: the old one and the new one, in pairs. */
  pathPrefix?: Strings;
  /** Rewriting leaves out parameters of queries whose names are like one of these: utm_*. */
  dropQuery?: Strings;
  /** Only links with a host like one of these: *.example.org, which does not match example.org. */
  onlyHost?: Strings;
  /** No links with a host like one of these. */
  notHost?: Strings;
  /** Only links with a host of this list, or below one: lines of a hosts file or of a blocker. */
  hostsFrom?: Strings;
  /** No links with a host of this list, or below one. */
  notHostsFrom?: Strings;
  /** Only links whose IRI one of these regular expressions matches, in the syntax of ripgrep. */
  match?: Strings;
  /** No links whose IRI one of these regular expressions matches. */
  notMatch?: Strings;
  /** Only links whose IRI contains one of these strings. */
  containsFrom?: Strings;
  /** Only links that rewriting changes. */
  changed?: boolean;
  /** Only links that a person can follow: in HTML and XML no images, scripts and style sheets. */
  linksOnly?: boolean;
  // end of options
}

type Strings = string | Iterable<string>;
// Editors offer the known words, and any string is one: a list that is read from somewhere is `string[]`. An array
// has a row of its own, for TypeScript 4.9.
type Named<Word extends string> = Word | (string & {});
type Words<Word extends string> = Named<Word> | readonly Named<Word>[] | Iterable<Named<Word>>;
export type Kind = "iri" | "bare" | "email" | "ip";
export type Format = NonNullable<FinderOptions["format"]>;
type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;

/**
 * A link that was found: a plain object, whose fields `{...link}`, `structuredClone`, `postMessage` and
 * `JSON.stringify` keep. `details` gives more.
 */
export interface Link {
  /** In a string UTF-16 units, so that `text.slice(start, end)` is the link; in bytes, bytes. */
  start: number;
  end: number;
  kind: Kind;
  /** The characters of the source. */
  text: string;
  /** The reference without the escapes and line wrapping of the format. */
  iri: string;
  /** Its URI form; null if it has none, and then `error` says why. */
  uri: string | null;
  error: string | null;
  /** What to hand to a browser: `uri`, with `https://` or `mailto:` where no scheme is written. */
  open: string | null;
  scheme: string | null;
  host: string | null;
}

/** All that is known of a link. */
export interface DetailedLink extends Link {
  /** `uri` as an absolute URI: a relative link is resolved against its base; null if it has none. */
  absolute: string | null;
  /** What to show a person: the readable IRI, where that cannot deceive. */
  display: string;
  /** The host in the form in which hosts are compared: all links to one host have the same; null without a host. */
  hostKey: string | null;
  /** The link in the wrapper of a mail gateway. */
  unwrapped: string | null;
  warnings: string[];
  charset: string;
  // generated: fields
  /** In HTML and XML, if the option `elements` asks for it, the element that the link is in. */
  element: string | null;
  /** The attribute that the link is in; none in the text of an element. */
  attribute: string | null;
  /** The text of the element `a` or `area` that the link is the target of, white space folded, at most 200 characters. */
  anchor: string | null;
  // end of fields
}

/** A link of a message. `start` and `end` are null if its bytes are not in the message. */
export interface MailLink extends Omit<DetailedLink, "start" | "end"> {
  start: number | null;
  end: number | null;
  part: string;
  field: string | null;
  line: number;
}

/**
 * All that is known of a link, as a new plain object. The link has to be the object that a finder gave: a copy
 * of it, or one from another thread, has no details.
 */
export function details(link: MailLink): MailLink;
export function details(link: Link): DetailedLink;

/** What `init` takes: an address of the `.wasm` file, a response, its bytes, or the compiled module. */
export type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module, once: from beside the script, or what is given. In Node nothing has to be loaded, because
 * the first call reads the file.
 */
export function init(source?: Source | PromiseLike<Source>): Promise<void>;
/** Runs the module of these bytes, or this compiled one, at once. */
export function initSync(source: BufferSource | WebAssembly.Module): void;
export default init;

/**
 * Finds links. It never changes; make one for each set of options, and keep it. It can be made before `init`;
 * what only the module can check of its options is checked when it is first used then.
 */
export class Finder {
  /** @throws ConfigError for an option that does not exist */
  constructor(options?: FinderOptions);
  readonly options: Readonly<FinderOptions>;
  find(text: string): Link[];
  /** The links of each text; none where there is no text. */
  findMany(texts: Iterable<string | null | undefined>): Link[][];
  /** What `open` of each link would be, without the objects. Links that cannot be opened are left out. */
  addresses(text: string): string[];
  /** The link that contains the UTF-16 unit at `offset`. */
  findAt(text: string, offset: number): Link | null;
  hasLink(text: string): boolean;
  count(text: string): number;
  /** Why each link begins and ends where it does, and why texts that look like links are none. Only text
   * and references of the format are explained. Not in `iriscan/text`. */
  explain(text: string): Explanation[];
  /** Offsets count bytes. `charset` wins over the option. */
  findBytes(data: Bytes, charset?: string): DetailedLink[];
  /** Links of one message, through transfer encodings and charsets. Not in `iriscan/text`. */
  findMail(message: Bytes): MailLink[];
  rewrite(text: string): string;
  /** The same object if nothing changes. */
  rewriteBytes(data: Bytes, charset?: string): Uint8Array;
  rewriteMail(message: Bytes, options?: { evenSigned?: boolean }): Uint8Array;
  /** What the function returns takes the place of a link; null or undefined keeps the link. */
  replace(text: string, replacement: (link: Link) => string | null | undefined): string;
  /** A stream that rewrites, in bounded memory. With `nested`, links in queries stay parts of the links around them. */
  transform(charset?: string): TransformStream<Bytes, Uint8Array>;
}

/** What was decided about one place of a text where a link could be. Offsets count UTF-16 units. */
export interface Explanation {
  readonly link: boolean;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: Kind;
  /** Of a link. */
  readonly began?: { readonly rule: string; readonly what: string };
  /** Of a link. `without`: the link if the character at `at` were a letter. */
  readonly ended?: Decision & { readonly without: string | null };
  /** Of what is no link: what would make it one, options of the command or other texts. */
  readonly refused?: Decision & { readonly options: readonly string[]; readonly texts: readonly string[] };
}

/** A rule, and the character that decided. */
export interface Decision {
  readonly rule: string;
  readonly what: string;
  readonly at: number;
  readonly character: string | null;
}

export function explain(text: string, options?: FinderOptions): Explanation[];
export function find(text: string, options?: FinderOptions): Link[];
export function findMany(texts: Iterable<string | null | undefined>, options?: FinderOptions): Link[][];
export function addresses(text: string, options?: FinderOptions): string[];
export function findAt(text: string, offset: number, options?: FinderOptions): Link | null;
export function hasLink(text: string, options?: FinderOptions): boolean;
export function count(text: string, options?: FinderOptions): number;
/** Offsets count bytes. The option `charset` is that of the bytes. */
export function findBytes(data: Bytes, options?: FinderOptions): DetailedLink[];
/** Links of one message. Not in `iriscan/text`. */
export function findMail(message: Bytes, options?: FinderOptions): MailLink[];
export function rewriteBytes(data: Bytes, options?: FinderOptions): Uint8Array;
/** Not in `iriscan/text`. */
export function rewriteMail(message: Bytes, options?: FinderOptions & { evenSigned?: boolean }): Uint8Array;
/** A stream that rewrites, in bounded memory. */
export function transform(options?: FinderOptions): TransformStream<Bytes, Uint8Array>;
export function rewrite(text: string, options?: FinderOptions): string;
export function replace(
  text: string,
  replacement: (link: Link) => string | null | undefined,
  options?: FinderOptions,
): string;

/** The types of links, as linkifyjs calls them: `"email"`, and `"url"` for links with and without a scheme. */
export type LinkType = "url" | "email";

/**
 * A function of an option, as in linkifyjs. `value` is the text that is shown for `format`, `truncate`, `validate`
 * and `defaultProtocol`, and the address for the others.
 */
export type LinkFunction<Value> = (value: string, type: LinkType, link: Link) => Value;

/** An option for each type of link, or for each kind. A type without one has the default. */
export interface ByType<Value> {
  url?: Value | null;
  email?: Value | null;
  iri?: Value | null;
  bare?: Value | null;
  ip?: Value | null;
}

type None = null | undefined;
type Of<Value> = Value | LinkFunction<Value | None>;
type Each<Value> = Of<Value> | ByType<Of<Value>>;
type EachFunction<Value> = LinkFunction<Value> | ByType<LinkFunction<Value>>;
type Attributes = Record<string, string | number | boolean | None>;

/**
 * Options of linkifyHtml and linkifyText: those of a finder, `kinds` being all three, and these, which are those
 * of linkifyjs. An option of another type throws a ConfigError. The `text` of a link is without the markup in
 * it, and `start` and `end` count in the text around it, or in the HTML of linkifyHtml. If another text is shown
 * than that, the elements that the link went over come after it, without its text.
 */
export interface LinkifyStringOptions extends Omit<FinderOptions, "code" | "format"> {
  /** A finder, in place of its options. */
  finder?: Finder | None;
  /** Default: none; `noopener` if `target` is `_blank`. */
  rel?: Each<string> | None;
  target?: Each<string> | None;
  className?: Each<string> | None;
  attributes?: Of<Attributes> | None;
  /** Default: `"a"`. */
  tagName?: Each<string> | None;
  /** What is shown. Default: the text as it stands. `details(link).display` is safer. */
  format?: EachFunction<string | None> | None;
  /** What is opened; null leaves text. Default: `link.open`. */
  formatHref?: EachFunction<string | None> | None;
  /** The scheme of a host that is written without one. Default: `"https"`. */
  defaultProtocol?: Each<string> | None;
  /** Shows at most so many UTF-16 units, and an ellipsis. */
  truncate?: Each<number> | None;
  /** False leaves text. What a function returns counts as true or false. */
  validate?: boolean | LinkFunction<unknown> | ByType<boolean | LinkFunction<unknown>> | None;
  /** More elements to leave alone, by name. */
  ignoreTags?: readonly string[] | None;
  /** Links in `code`, `pre`, `kbd` and `samp` too. Default: false. */
  code?: boolean | None;
}

/** Options of linkifyNode and linkifyElement. */
export interface LinkifyOptions extends LinkifyStringOptions {
  events?: Of<Record<string, EventListenerOrEventListenerObject | None>> | None;
  /** Makes the element itself; null leaves text. */
  render?: ((link: Link, document: Document) => Node | None) | None;
}

/**
 * Makes links of the text below `root`, never in links, scripts, forms and code. Returns how many.
 *
 * The text goes on over comments, `<wbr>`, `<b>`, `<span>` and other elements within a word, as in the format
 * `html`. The nodes in a link are moved into it and stay the same. Where a link would divide an element, goes
 * over code, or goes out of `root`, its text stays as it is, because a part of it would be another address.
 * A `finder` for another format than text reads each text alone.
 */
export function linkifyNode(root: Node, options?: LinkifyOptions): number;
/** The same, for an element, which it returns. */
export function linkifyElement<Root extends Node>(element: Root, options?: LinkifyOptions): Root;

/**
 * Makes links of the text in HTML, where linkifyNode makes them in a page. It adds tags around links and changes
 * nothing else: it does not sanitize. What is in an element that is not closed stays as it is.
 */
export function linkifyHtml(html: string, options?: LinkifyStringOptions): string;
/** Makes HTML of a text: its links become elements, and the rest is escaped. */
export function linkifyText(text: string, options?: LinkifyStringOptions): string;

/** The URI form of an IRI reference. @throws UriError */
export function toUri(
  reference: string,
  options?: {
    host?: "punycode" | "percent" | "keep";
    nfc?: "auto" | "always" | "never";
    disallowed?: "encode" | "keep" | "fail";
    charset?: string;
    query?: "document" | "utf-8";
  },
): string;
/** The IRI form of a URI reference. */
export function toIri(
  reference: string,
  options?: {
    host?: "keep" | "unicode" | "unicode-always";
    private?: "keep" | "decode";
    inadvisable?: "keep" | "all" | "decode" | "rfc3987";
    escapes?: string;
  },
): string;
/** How far references are made alike. From `syntax` on each includes those before it; `case`, `percent` and `path` are single steps. */
export type Level = "string" | "case" | "percent" | "path" | "syntax" | "scheme" | "idn" | "nfc";
/** The normal form of a reference. @throws UriError if it is not valid */
export function normalize(reference: string, options?: { level?: Level }): string;
/**
 * Whether two references are the same, by the ladder of comparison (RFC 3986, section 6; RFC 3987, section 5).
 * Relative references are not resolved, and fragments count. Default: the level `syntax`. @throws UriError if one
 * is not valid
 */
export function equivalent(a: string, b: string, options?: { level?: Level }): boolean;
/** `reference` resolved against `base`. @throws UriError */
export function resolve(base: string, reference: string): string;
/** The reference for running text, in which it is found whole again. */
export function toText(reference: string): string;
/** Whether a reference is valid, where it is wrong, and its components. */
export function check(reference: string, options?: { kind?: Grammar }): Check;

export type Grammar =
  | "iri" | "iri-reference" | "absolute-iri" | "uri" | "uri-reference" | "absolute-uri" | "leiri";
export interface Check {
  valid: boolean;
  /** The UTF-16 unit at which it is wrong; null if it is valid. */
  offset: number | null;
  message: string | null;
  scheme: string | null;
  userinfo: string | null;
  host: string | null;
  port: string | null;
  path: string;
  query: string | null;
  fragment: string | null;
  warnings: string[];
  /**
   * The characters that are better not in a reference, written or percent-encoded, outside of its host, with their
   * UTF-16 units: spaces, what nobody sees, look-alikes of delimiters, compatibility forms (RFC 3987, section 6.1).
   */
  inadvisable: { offset: number; character: string }[];
}

/** An option that does not exist, or a value that it cannot have. */
export class ConfigError extends RangeError {}
/** A reference that cannot be converted. */
export class UriError extends Error {}
