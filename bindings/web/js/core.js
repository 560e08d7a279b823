// iriscan on a WebAssembly module. `index.js` and `text.js` export what `create` returns, and load the
// module when they are told to.

import { ConfigError, UriError } from "./errors.js";
import { hostToAscii } from "./hosts.js";
import { linkifier } from "./linkify.js";
import { MARKUP, OUTER, SIGNS } from "./symbols.js";

export { ConfigError, UriError };

// Flags and results of the module; see src/lib.rs.
const STRING = 1;
const MAIL = 4;
const EVEN_SIGNED = 8;
const ASCII = 32;
const FAILED = 0xffffffff;
// The record of a link, and its flags; see src/links.rs.
const RECORD = 4;
const KIND = 3;
const SAME = 4;
const GIVEN = 8;
const KINDS = ["iri", "bare", "email", "ip"];
const PREFIXES = ["", "https://", "mailto:"];

const NOT_LOADED = "iriscan is not loaded; call `await init()` first, or `initSync(bytes)`";
const NOT_MORE =
  "iriscan/text: this needs the second file; call `await initMore()` first, or `initMoreSync(bytes)`, or import \"iriscan\"";

// A new module takes over after so many bytes, because memory of WebAssembly never shrinks.
const LARGE = 64 * 1024 * 1024;

/**
 * The module that runs, and its memory. Another one follows it if it fails or has become large.
 * `compile` gives the module when it is first needed, or null where it has to be loaded before.
 */
class Core {
  constructor(compile, lacking = NOT_LOADED) {
    this.compile = compile;
    this.lacking = lacking;
    // What the module asks of its host. Only the one for strings does.
    this.imports = { iriscan: { host_to_ascii: (name, length, out, room) => this.mapped(name, length, out, room) } };
    this.toAscii = hostToAscii;
    this.module = null;
    this.generation = 0;
    this.streams = 0;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  }

  /** Runs this module, unless one runs already. */
  load(module, instance) {
    if (this.module !== null) return;
    this.start(module, instance);
    this.module = module;
  }

  /** Whether a module runs, which is started if it can be. */
  ready() {
    if (this.module !== null) return true;
    const module = this.compile();
    if (module !== null) this.load(module);
    return module !== null;
  }

  /** The module has to run. */
  check() {
    if (!this.ready()) throw new Error(this.lacking);
  }

  /** Writes the ASCII form of a host to the memory, if there is room; see src/hosts.rs. */
  mapped(name, length, out, room) {
    // Memory may have grown since the module was called.
    const bytes = new Uint8Array(this.exports.memory.buffer);
    const ascii = this.toAscii(this.decoder.decode(bytes.subarray(name, name + length)));
    if (ascii === null) return 0;
    if (ascii.length <= room) this.encoder.encodeInto(ascii, bytes.subarray(out, out + room));
    return ascii.length;
  }

  start(module = this.module, instance = new WebAssembly.Instance(module, this.imports)) {
    this.exports = instance.exports;
    this.generation += 1;
    this.streams = 0;
    this.capacity = 0;
    this.address = 0;
    this.view = this.exports.view() >>> 2;
    this.look();
  }

  /** Makes views of the memory. One that has grown has detached those before. */
  look() {
    const { buffer } = this.exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.input = this.bytes.subarray(this.address, this.address + this.capacity);
  }

  /** Calls a function of the module. */
  call(name, a, b, c, d) {
    let result;
    try {
      result = this.exports[name](a, b, c, d) >>> 0;
    } catch (cause) {
      this.failed(name, cause);
    }
    if (this.bytes.length === 0) this.look();
    return result;
  }

  failed(name, cause) {
    this.start();
    throw new Error(`iriscan failed in ${name}; please report it, with the input`, { cause });
  }

  /** Makes room for input. */
  room(length) {
    if (length <= this.capacity) return;
    if (length > 0x7fff0000) throw new RangeError("iriscan: the text is longer than 2 GiB");
    const wanted = Math.max(length, Math.min(2 * this.capacity, 1 << 20), 4096);
    this.address = this.call("input", wanted);
    this.capacity = wanted;
    this.look();
  }

  /** Writes a string as input; a lone surrogate becomes U+FFFD. Returns its length in UTF-8. */
  text(text) {
    const { length } = text;
    // Three bytes a unit would be much more than most long texts need.
    if (length > 1 << 22) return this.data(this.encoder.encode(text));
    if (3 * length > this.capacity) this.room(3 * length);
    return this.encoder.encodeInto(text, this.input).written;
  }

  /** Writes bytes as input. Returns how many they are. */
  data(data) {
    this.room(data.length);
    this.bytes.set(data, this.address);
    return data.length;
  }

  /** The output. It is overwritten by the next call. */
  output() {
    const address = this.words[this.view];
    return this.bytes.subarray(address, address + this.words[this.view + 1]);
  }

  message() {
    return this.decoder.decode(this.output());
  }

  /** The text in bytes of the memory. */
  decoded(from, to) {
    return this.decoder.decode(this.bytes.subarray(from, to));
  }

  /** Calls a function that says FAILED where it cannot be done. */
  run(name, a, b, c, d) {
    const result = this.call(name, a, b, c, d);
    if (result === FAILED) throw new Error(this.message());
    return result;
  }

  /** To be called when the output has been read. */
  done() {
    if (this.bytes.length > LARGE && this.streams === 0) this.start();
  }
}

/** Strings with their lengths, as `options.rs` reads them. */
function packed(strings) {
  const encoder = new TextEncoder();
  const parts = strings.map((text) => encoder.encode(text));
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 4, 0));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    all.set(part, at + 4);
    at += part.length + 4;
  }
  return all;
}

const WORD = "word";
const WORDS = "words";
const LINES = "lines";
const FLAG = "flag";
const NUMBER = "number";

const OPTIONS = {
  // generated: options
  kinds: WORDS,
  charset: WORD,
  forceCharset: FLAG,
  format: WORD,
  rules: WORD,
  schemes: WORDS,
  to: WORD,
  host: WORD,
  query: WORD,
  disallowed: WORD,
  nfc: WORD,
  maxLen: NUMBER,
  base: WORD,
  fields: LINES,
  delimiter: WORD,
  asciiOnly: FLAG,
  identifiers: FLAG,
  code: FLAG,
  comments: FLAG,
  nested: FLAG,
  targets: FLAG,
  elements: FLAG,
  unwrap: FLAG,
  template: WORD,
  defang: FLAG,
  refang: FLAG,
  set: LINES,
  pathPrefix: LINES,
  dropQuery: LINES,
  onlyHost: LINES,
  notHost: LINES,
  hostsFrom: LINES,
  notHostsFrom: LINES,
  match: LINES,
  notMatch: LINES,
  containsFrom: LINES,
  changed: FLAG,
  linksOnly: FLAG,
  // end of options
};

// The options of the module for strings. With any other a finder is one of the second file.
const OF_STRINGS = ["kinds", "rules", "schemes", "host", "maxLen", "asciiOnly"];

function wrong(name, why) {
  return new ConfigError(`${name}: ${why}`);
}

/** The words of an option, checked. */
function values(name, value, known) {
  const type = known[name];
  if (type === undefined || !Object.hasOwn(known, name)) {
    throw wrong(name, `no such option; use one of ${Object.keys(known).join(", ")}`);
  }
  if (type === FLAG) {
    if (typeof value !== "boolean") throw wrong(name, "expected true or false");
    return [String(value)];
  }
  if (type === NUMBER) {
    if (value === Infinity) return [String(Number.MAX_SAFE_INTEGER)];
    if (!Number.isSafeInteger(value) || value < 0) throw wrong(name, "expected a whole number");
    return [String(value)];
  }
  if (typeof value === "string") {
    return type === WORDS ? value.split(",").map((word) => word.trim()) : [value];
  }
  const list = type !== WORD && typeof value?.[Symbol.iterator] === "function" ? [...value] : null;
  if (!list?.every((item) => typeof item === "string")) {
    throw wrong(name, type === WORD ? "expected a string" : "expected a string or strings");
  }
  if (type === WORDS && list.length === 0) throw wrong(name, "empty; name at least one");
  return list;
}

/** Names and values by turns. */
function given(options, known = OPTIONS) {
  if (options === undefined || options === null) return [];
  if (typeof options !== "object") throw new TypeError("iriscan: expected an object of options");
  const strings = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const words = values(name, value, known);
    // A list without lines is a list all the same: no link has a host that is in it.
    if (words.length === 0 && name.endsWith("From")) words.push("");
    for (const word of words) strings.push(name, word);
  }
  return strings;
}

function string(text) {
  if (typeof text !== "string") throw new TypeError("iriscan: expected a string");
  return text;
}

/** True if a string has no lone surrogate. The method is younger than the browsers that are supported. */
function isWellFormed(text) {
  return text.isWellFormed ? text.isWellFormed() : !/\p{Surrogate}/u.test(text);
}

function bytesOf(data) {
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (globalThis.SharedArrayBuffer && data instanceof SharedArrayBuffer) return new Uint8Array(data);
  throw new TypeError("iriscan: expected a Uint8Array or an ArrayBuffer");
}

/** The links of one text. All that is known of them is computed at the first use, by `json`. */
class Batch {
  constructor(json, all = null) {
    this.json = json;
    this.all = all;
  }

  details(index) {
    this.all ??= this.json();
    return this.all[index];
  }
}

/** A base class whose constructor gives back an object, so that a derived class adds fields to it. */
class Given {
  constructor(object) {
    return object;
  }
}

/**
 * Adds to a link where its details come from. The link stays a plain object: private fields are no
 * properties, so that no copy of it and no comparison sees them.
 */
class Found extends Given {
  #batch;
  #index;

  constructor(link, batch, index) {
    super(link);
    this.#batch = batch;
    this.#index = index;
  }

  static details(link) {
    if (typeof link !== "object" || link === null || !(#batch in link)) {
      throw new TypeError("iriscan: expected a link as it was found; a copy has no details");
    }
    const all = link.#batch.details(link.#index);
    return { ...link, ...NO_DETAILS, absolute: link.open, ...all, start: link.start, end: link.end, text: link.text };
  }

  /** The same link with another text or place. */
  static placed(link, properties) {
    return new Found({ ...link, ...properties }, link.#batch, link.#index);
  }
}

/** All that is known of a link that a finder of this package found. */
export function details(link) {
  return Found.details(link);
}

// What JSON leaves out where there is none.
const NO_DETAILS = {
  error: null,
  unwrapped: null,
  // generated: fields
  element: null,
  attribute: null,
  anchor: null,
  // end of fields
};

// A host may be a list of hosts with ports; only the last port is apart.
// What follows the bracket of an address belongs to the host, if it is no port.
const AUTHORITY = /\/\/(?:[^/?#]*@)?(\[[^\]/?#]*\](?=[:/?#]|$)|[^/?#]*)/y;
const PORT = /:[^:\]]*$/;

/** A link whose addresses follow from its text and its URI. */
function plain(text, start, end, kind, uri) {
  if (kind !== 0) {
    const open = PREFIXES[kind] + uri;
    const host = kind === 1 ? /^[^/?#:]*/.exec(text)[0] : text.slice(text.lastIndexOf("@") + 1);
    return { start, end, kind: KINDS[kind], text, iri: text, uri, error: null, open, scheme: null, host };
  }
  const colon = text.indexOf(":");
  AUTHORITY.lastIndex = colon + 1;
  const host = AUTHORITY.exec(text)?.[1].replace(PORT, "") ?? null;
  const scheme = text.slice(0, colon).toLowerCase();
  return { start, end, kind: "iri", text, iri: text, uri, error: null, open: uri, scheme, host };
}

/** The functions and classes of the package, on a compiled module. */
export function instantiate(module) {
  const { core, api, kit } = create(() => module);
  core.ready();
  return { ...api, ...linkifier(kit) };
}

/** A finder of a module. It is made anew in a module that follows. */
class Handle {
  #strings;
  #number;
  #generation = -1;

  constructor(core, strings) {
    this.core = core;
    this.#strings = strings;
  }

  /** Its number in the module that runs now. */
  number() {
    const { core } = this;
    if (this.#generation === core.generation) return this.#number;
    core.check();
    const number = core.call("finder_new", core.data(packed(this.#strings)));
    if (number === FAILED) throw new ConfigError(core.message());
    this.#number = number;
    this.#generation = core.generation;
    CLOSED.register(this, { core, generation: core.generation, number });
    return number;
  }
}

const CLOSED = /* @__PURE__ */ new FinalizationRegistry(({ core, generation, number }) => {
  if (generation === core.generation) core.call("release", number);
});

/**
 * The functions and classes of the package but those of pages, the core that they run on, and what those of
 * pages are made with. `compile` gives a compiled module where that can be done at once, else null. If there is
 * `compileMore`, that module finds links in strings, and all else is done by the one that `compileMore` gives.
 * Only who asks for links in pages imports `linkifier`, so that a bundle without them has none of its code.
 */
export function create(compile, compileMore = null) {
  const core = new Core(compile);
  const more = compileMore === null ? core : new Core(compileMore, NOT_MORE);
  // The second file knows hosts as the library does, and Node has it on its disk.
  core.toAscii = (host) => hostToAscii(host, more.ready() ? toAscii : null);

  class Finder {
    #options;
    #strings;
    /** For links of strings. */
    #plain;
    /** For all else. */
    #full;
    #labels;
    #markup;

    /** `strings`: the options as the module reads them. */
    constructor(options, strings = given(options)) {
      this.#strings = strings;
      this.#options = Object.freeze({ ...options });
      this.#full = new Handle(more, strings);
      const isPlain = more === core || strings.every((name, i) => i % 2 === 1 || OF_STRINGS.includes(name));
      this.#plain = isPlain && more !== core ? new Handle(core, strings) : this.#full;
      // Before the module is loaded only the names and the types are checked.
      if (this.#plain.core.ready()) this.#plain.number();
    }

    /** The options that were given. */
    get options() {
      return this.#options;
    }

    [SIGNS]() {
      if ((this.#options.format ?? "text") !== "text") return null;
      const { core } = this.#plain;
      const signs = core.call("signs", this.#plain.number());
      return { dot: (signs & 1) !== 0, at: (signs & 2) !== 0, any: (signs & 4) !== 0 };
    }

    [MARKUP]() {
      if ((this.#options.format ?? "text") !== "text") return null;
      // The last value of an option counts.
      const format = "html";
      this.#markup ??= new Finder({ ...this.#options, format }, [...this.#strings, "format", format]);
      return this.#markup;
    }

    [OUTER]() {
      return this.#options.nested ? new Finder({ ...this.#options, nested: false }) : this;
    }

    /** The finder for bytes of a charset. */
    #in(charset) {
      if (charset === undefined || charset === null) return this;
      string(charset);
      this.#labels ??= new Map();
      let finder = this.#labels.get(charset);
      if (!finder) {
        finder = new Finder({ ...this.#options, charset });
        this.#labels.set(charset, finder);
      }
      return finder;
    }

    find(text) {
      const count = this.#search("find", text);
      if (count === 0) return [];
      const links = this.#links(text, count, () => this.#details(text));
      this.#plain.core.done();
      return links;
    }

    findMany(texts) {
      if (typeof texts === "string" || typeof texts?.[Symbol.iterator] !== "function") {
        throw new TypeError("iriscan: expected strings");
      }
      return Array.from(texts, (text) => ((text ?? null) === null ? [] : this.find(text)));
    }

    addresses(text) {
      const count = this.#search("find", text);
      const found = [];
      this.#each(text, count, (source, _start, _end, flags, given) => {
        const kind = flags & KIND;
        if (flags & (SAME | GIVEN)) found.push(PREFIXES[kind] + (flags & SAME ? source : given));
        else {
          const { open } = JSON.parse(given);
          if (open !== null) found.push(open);
        }
      });
      this.#plain.core.done();
      return found;
    }

    /** Calls a function of the module on a text. */
    #search(name, text) {
      if (typeof text !== "string") string(text);
      const { core } = this.#plain;
      const number = this.#plain.number();
      const length = core.text(text);
      const flags = length === text.length ? STRING | ASCII : STRING;
      return core.run(name, number, length, flags);
    }

    /** Reads the table in the output: of each link its text, its place, its flags and what is given. */
    #each(text, count, use) {
      const { core } = this.#plain;
      const { words, view } = core;
      const address = words[view];
      const size = words[view + 1];
      const table = 4 * RECORD * count;
      const given = size > table ? core.decoded(address + table, address + size) : "";
      let at = address >>> 2;
      let from = 0;
      for (let i = 0; i < count; i += 1) {
        const [start, end, to] = [words[at], words[at + 1], from + words[at + 3]];
        use(text.slice(start, end), start, end, words[at + 2], from === to ? "" : given.slice(from, to));
        from = to;
        at += RECORD;
      }
    }

    /** The links of a text, from the table in the output. `json` gives all that is known of them. */
    #links(text, count, json) {
      const batch = new Batch(json);
      const links = [];
      this.#each(text, count, (source, start, end, flags, given) => {
        const kind = flags & KIND;
        let link;
        if (flags & (SAME | GIVEN)) link = plain(source, start, end, kind, flags & SAME ? source : given);
        else {
          const { iri, uri, error = null, open, scheme, host } = JSON.parse(given);
          link = { start, end, kind: KINDS[kind], text: source, iri, uri, error, open, scheme, host };
        }
        links.push(new Found(link, batch, links.length));
      });
      return links;
    }

    #details(text) {
      more.check();
      more.run("details", this.#full.number(), more.text(text), STRING);
      return this.#json();
    }

    #json() {
      const json = JSON.parse(more.message());
      more.done();
      return json;
    }

    findAt(text, offset) {
      string(text);
      if (!Number.isSafeInteger(offset)) throw new TypeError("iriscan: expected a whole number");
      if (offset < 0 || offset >= text.length) return null;
      const { core } = this.#plain;
      const number = this.#plain.number();
      const count = core.run("find_at", number, core.text(text), STRING, offset);
      if (count === 0) return null;
      const json = () => {
        more.check();
        more.run("details_at", this.#full.number(), more.text(text), STRING, offset);
        return this.#json();
      };
      const [link] = this.#links(text, count, json);
      core.done();
      return link;
    }

    hasLink(text) {
      return this.#search("has_link", text) === 1;
    }

    /** How many links a text has. */
    count(text) {
      return this.#search("count", text);
    }

    explain(text) {
      string(text);
      more.run("explain", this.#full.number(), more.text(text), STRING);
      return this.#json();
    }

    findBytes(data, charset) {
      return this.#in(charset).#bytes(bytesOf(data), 0);
    }

    findMail(data) {
      return this.#bytes(bytesOf(data), MAIL);
    }

    /** Links whose offsets count bytes. Their texts are not in a string, so all is computed now. */
    #bytes(data, flags) {
      const number = this.#full.number();
      const count = more.run("details", number, more.data(data), flags);
      if (count === 0) return [];
      const all = this.#json();
      const batch = new Batch(null, all);
      return all.map((one, index) => {
        const { start, end, kind, text, iri, uri, error = null, open, absolute = open, ...rest } = one;
        const link = { ...NO_DETAILS, start, end, kind, text, iri, uri, error, open, absolute, ...rest };
        return new Found(link, batch, index);
      });
    }

    rewrite(text) {
      string(text);
      if (!isWellFormed(text)) return this.#rewriteAround(text);
      const number = this.#full.number();
      const changed = more.run("rewrite", number, more.text(text), STRING);
      if (changed === 0) return text;
      const written = more.message();
      more.done();
      return written;
    }

    /**
     * Rewrites a text with lone surrogates, which UTF-8 lacks. The module finds the links of `find` and
     * gives what comes in the place of each; the rest is copied. A link with a lone surrogate stays,
     * because no URI has it, unless a template replaces it.
     */
    #rewriteAround(text) {
      const keeps = (this.#options.template ?? null) === null;
      more.run("replaced", this.#full.number(), more.text(text), STRING);
      let out = "";
      let at = 0;
      for (const { start, end, text: put } of this.#json()) {
        if (keeps && !isWellFormed(text.slice(start, end))) continue;
        out += text.slice(at, start) + put;
        at = end;
      }
      return at === 0 ? text : out + text.slice(at);
    }

    rewriteBytes(data, charset) {
      return this.#in(charset).#write(bytesOf(data), 0);
    }

    rewriteMail(data, { evenSigned = false } = {}) {
      return this.#write(bytesOf(data), MAIL | (evenSigned ? EVEN_SIGNED : 0));
    }

    #write(data, flags) {
      const number = this.#full.number();
      const changed = more.run("rewrite", number, more.data(data), flags);
      if (changed === 0) return data;
      const written = more.output().slice();
      more.done();
      return written;
    }

    replace(text, replacement) {
      if (typeof replacement !== "function") {
        throw new TypeError("iriscan: expected a function of a link");
      }
      const links = this.find(text);
      if (links.length === 0) return text;
      let out = "";
      let at = 0;
      for (const link of links) {
        const put = replacement(link);
        if (put === undefined || put === null) continue;
        out += text.slice(at, link.start) + String(put);
        at = link.end;
      }
      return out + text.slice(at);
    }

    transform(charset) {
      const finder = this.#in(charset);
      let number;
      let generation;
      const end = () => {
        if (number !== undefined && generation === more.generation) {
          more.call("release", number);
          more.streams -= 1;
        }
        number = undefined;
      };
      const push = (data, last, controller) => {
        if (generation !== more.generation) throw new Error("iriscan: the stream has failed");
        more.run("rewriter_push", number, more.data(data), last);
        const written = more.output();
        if (written.length > 0) controller.enqueue(written.slice());
      };
      return new TransformStream({
        start() {
          number = more.run("rewriter_new", finder.#full.number());
          generation = more.generation;
          more.streams += 1;
        },
        transform(chunk, controller) {
          const data = bytesOf(chunk);
          // Parts, so that memory does not grow with a chunk.
          for (let at = 0; at < data.length; at += 1 << 20) {
            push(data.subarray(at, at + (1 << 20)), 0, controller);
          }
        },
        flush(controller) {
          push(new Uint8Array(0), 1, controller);
          end();
        },
        cancel: end,
      });
    }
  }

  const REFERENCE = {
    toUri: [0, { host: WORD, nfc: WORD, disallowed: WORD, charset: WORD, query: WORD }],
    toIri: [1, { host: WORD, private: WORD, inadvisable: WORD, escapes: WORD }],
    normalize: [2, { level: WORD }],
    resolve: [3, {}],
    toText: [4, {}],
    check: [5, { kind: WORD }],
    equivalent: [6, { level: WORD }],
  };

  function reference(name, texts, options) {
    const [what, known] = REFERENCE[name];
    const strings = [...texts.map(string), ...given(options, known)];
    more.check();
    const result = more.call("reference", what, more.data(packed(strings)));
    const message = more.message();
    if (result !== FAILED) return message;
    // A NUL marks what is said of a reference, and not of an option.
    if (message.startsWith("\0")) throw new UriError(message.slice(1));
    throw new ConfigError(message);
  }

  /** The ASCII form of a host by the second file; null if it has none. */
  function toAscii(host) {
    try {
      return reference("toUri", [`http://${host}/`]).slice("http://".length, -1);
    } catch {
      return null;
    }
  }

  let standard = null;
  const finders = new Map();
  /** A finder with these options, for functions that get them each time. */
  const finderFor = (options) => {
    if (options === undefined || options === null) return (standard ??= new Finder());
    const key = JSON.stringify(given(options));
    let finder = finders.get(key);
    if (!finder) {
      if (finders.size >= 16) finders.delete(finders.keys().next().value);
      finder = new Finder(options);
      finders.set(key, finder);
    }
    return finder;
  };

  const api = {
    Finder,
    details,
    find: (text, options) => finderFor(options).find(text),
    findAt: (text, offset, options) => finderFor(options).findAt(text, offset),
    hasLink: (text, options) => finderFor(options).hasLink(text),
    explain: (text, options) => finderFor(options).explain(text),
    rewrite: (text, options) => finderFor(options).rewrite(text),
    replace: (text, replacement, options) => finderFor(options).replace(text, replacement),
    findMany: (texts, options) => finderFor(options).findMany(texts),
    addresses: (text, options) => finderFor(options).addresses(text),
    count: (text, options) => finderFor(options).count(text),
    findBytes: (data, options) => finderFor(options).findBytes(data),
    findMail: (message, options) => finderFor(options).findMail(message),
    rewriteBytes: (data, options) => finderFor(options).rewriteBytes(data),
    rewriteMail(message, { evenSigned, ...options } = {}) {
      return finderFor(options).rewriteMail(message, { evenSigned });
    },
    transform: (options) => finderFor(options).transform(),
    toUri: (text, options) => reference("toUri", [text], options),
    toIri: (text, options) => reference("toIri", [text], options),
    normalize: (text, options) => reference("normalize", [text], options),
    resolve: (base, text) => reference("resolve", [base, text]),
    toText: (text) => reference("toText", [text]),
    check: (text, options) => JSON.parse(reference("check", [text], options)),
    equivalent: (a, b, options) => reference("equivalent", [a, b], options) === "true",
  };
  return { core, more, api, kit: { Finder, finderFor, known: Object.keys(OPTIONS), placed: Found.placed } };
}
