// iriscan on a WebAssembly module. `index.js` and `text.js` load a module and export what
// `instantiate` returns.

import { linkifier, MARKUP, PLACED } from "./linkify.js";

// Flags and results of the module; see src/lib.rs.
const STRING = 1;
const DETAILS = 2;
const MAIL = 4;
const EVEN_SIGNED = 8;
const ADDRESSES = 16;
const ASCII = 32;
const FAILED = 0xffffffff;
// The record of a link, and its flags; see src/links.rs.
const RECORD = 4;
const KIND = 3;
const SAME = 4;
const GIVEN = 8;
const KINDS = ["iri", "bare", "email"];
const PREFIXES = ["", "https://", "mailto:"];

/** An option that does not exist, or a value that it cannot have. */
export class ConfigError extends RangeError {
  get name() {
    return "ConfigError";
  }
}

/** A reference that cannot be converted. */
export class UriError extends Error {
  get name() {
    return "UriError";
  }
}

// A new module takes over after so many bytes, because memory of WebAssembly never shrinks.
const LARGE = 64 * 1024 * 1024;

/** The module that runs, and its memory. Another one follows it if it fails or has become large. */
class Core {
  constructor(module) {
    this.module = module;
    this.generation = 0;
    this.streams = 0;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.start();
  }

  start() {
    this.exports = new WebAssembly.Instance(this.module, {}).exports;
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

  /** The characters of bytes of the memory. */
  ascii(from, to) {
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
  kinds: WORDS,
  charset: WORD,
  forceCharset: FLAG,
  format: WORD,
  rules: WORD,
  schemes: WORDS,
  to: WORD,
  host: WORD,
  query: WORD,
  nfc: WORD,
  maxLen: NUMBER,
  base: WORD,
  fields: WORDS,
  asciiOnly: FLAG,
  identifiers: FLAG,
  delimiter: WORD,
  code: FLAG,
  elements: FLAG,
  unwrap: FLAG,
  template: WORD,
  onlyHost: LINES,
  notHost: LINES,
  hostsFrom: LINES,
  match: LINES,
  notMatch: LINES,
  containsFrom: LINES,
  changed: FLAG,
  linksOnly: FLAG,
};

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

/**
 * The links of one text. What the table does not have is computed for all of them at the first use.
 * `json`: gets it from the module, by a flag.
 */
class Batch {
  constructor(text, json, details) {
    this.text = text;
    this.json = json;
    this.known = null;
    this.all = details;
  }

  addresses(index) {
    if (this.all) return this.all[index];
    this.known ??= this.json(ADDRESSES);
    return this.known[index];
  }

  details(index) {
    this.all ??= this.json(DETAILS);
    return this.all[index];
  }
}

/** A link that was found. It has its place; the rest is made when asked for. */
export class Link {
  #batch;
  #index;
  #flags;
  #uri;

  /** `uri`: that of a link whose flags say that it is given. */
  constructor(batch, index, start, end, flags, uri) {
    this.start = start;
    this.end = end;
    this.#batch = batch;
    this.#index = index;
    this.#flags = flags;
    this.#uri = uri;
  }

  #addresses() {
    return this.#batch.addresses(this.#index);
  }

  #details() {
    return this.#batch.details(this.#index);
  }

  get kind() {
    return KINDS[this.#flags & KIND];
  }

  get text() {
    const { text } = this.#batch;
    return text === null ? this.#details().text : text.slice(this.start, this.end);
  }

  get iri() {
    return this.#flags & (SAME | GIVEN) ? this.text : this.#addresses().iri;
  }

  get uri() {
    if (this.#flags & SAME) return this.text;
    return this.#flags & GIVEN ? this.#uri : this.#addresses().uri;
  }

  get open() {
    if (!(this.#flags & (SAME | GIVEN))) return this.#addresses().open;
    const uri = this.#flags & SAME ? this.text : this.#uri;
    return this.#flags & KIND ? PREFIXES[this.#flags & KIND] + uri : uri;
  }

  get absolute() {
    const { absolute, open } = this.#addresses();
    return absolute === undefined ? open : absolute;
  }

  get error() {
    return this.#flags & (SAME | GIVEN) ? null : (this.#addresses().error ?? null);
  }

  get scheme() {
    return this.#details().scheme;
  }

  get host() {
    return this.#details().host;
  }

  get display() {
    return this.#details().display;
  }

  get unwrapped() {
    return this.#details().unwrapped ?? null;
  }

  get warnings() {
    return this.#details().warnings;
  }

  get element() {
    return this.#details().element ?? null;
  }

  get attribute() {
    return this.#details().attribute ?? null;
  }

  get anchor() {
    return this.#details().anchor ?? null;
  }

  get charset() {
    return this.#details().charset;
  }

  get part() {
    return this.#details().part ?? null;
  }

  get field() {
    return this.#details().field ?? null;
  }

  get line() {
    return this.#details().line ?? null;
  }

  toJSON() {
    const { start, end, text } = this;
    return { ...this.#details(), start, end, text };
  }

  toString() {
    return this.text;
  }

  [PLACED](text, start, end) {
    const batch = this.#batch;
    const addresses = (index) => batch.addresses(index);
    const details = (index) => batch.details(index);
    const placed = { text, addresses, details };
    return new Link(placed, this.#index, start, end, this.#flags, this.#uri);
  }

  [Symbol.for("nodejs.util.inspect.custom")](_depth, options, inspect) {
    const { start, end, kind, text, iri, uri } = this;
    return `Link ${inspect({ start, end, kind, text, iri, uri }, options)}`;
  }
}

/** The functions and classes of the package, on a compiled module. */
export function instantiate(module) {
  const core = new Core(module);
  const closed = new FinalizationRegistry(({ generation, number }) => {
    if (generation === core.generation) core.call("release", number);
  });

  class Finder {
    #options;
    #strings;
    #number;
    #generation = 0;
    #labels;
    #markup;

    /** `strings`: the options as the module reads them. */
    constructor(options, strings = given(options)) {
      this.#strings = strings;
      this.#options = Object.freeze({ ...options });
      this.#ready();
    }

    /** The options that were given. */
    get options() {
      return this.#options;
    }

    /** The number of the finder in the module that runs now. */
    #ready() {
      if (this.#generation === core.generation) return this.#number;
      const number = core.call("finder_new", core.data(packed(this.#strings)));
      if (number === FAILED) throw new ConfigError(core.message());
      this.#number = number;
      this.#generation = core.generation;
      closed.register(this, { generation: core.generation, number });
      return number;
    }

    [MARKUP]() {
      if ((this.#options.format ?? "text") !== "text") return null;
      // The last value of an option counts.
      const format = "html";
      this.#markup ??= new Finder({ ...this.#options, format }, [...this.#strings, "format", format]);
      return this.#markup;
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
      const links = this.#links(text, count, (form) => this.#details(text, form));
      core.done();
      return links;
    }

    /** Calls a function of the module on a text. */
    #search(name, text) {
      if (typeof text !== "string") string(text);
      const number = this.#ready();
      const length = core.text(text);
      const flags = length === text.length ? STRING | ASCII : STRING;
      return core.run(name, number, length, flags);
    }

    /** The links of a text, from the table in the output. */
    #links(text, count, json) {
      const batch = new Batch(text, json, null);
      const links = new Array(count);
      const { words, view } = core;
      const address = words[view];
      const size = words[view + 1];
      const uris = size > 4 * RECORD * count ? core.ascii(address + 4 * RECORD * count, address + size) : "";
      let at = address >>> 2;
      let from = 0;
      for (let i = 0; i < count; i += 1) {
        const flags = words[at + 2];
        const length = words[at + 3];
        const uri = length === 0 ? null : uris.slice(from, from + length);
        links[i] = new Link(batch, i, words[at], words[at + 1], flags, uri);
        from += length;
        at += RECORD;
      }
      return links;
    }

    #details(text, form) {
      core.run("find", this.#ready(), core.text(text), STRING | form);
      return this.#json();
    }

    #json() {
      const json = JSON.parse(core.message());
      core.done();
      return json;
    }

    findAt(text, offset) {
      string(text);
      if (!Number.isSafeInteger(offset)) throw new TypeError("iriscan: expected a whole number");
      if (offset < 0 || offset >= text.length) return null;
      const number = this.#ready();
      const count = core.run("find_at", number, core.text(text), STRING, offset);
      if (count === 0) return null;
      const json = (form) => {
        core.run("find_at", this.#ready(), core.text(text), STRING | form, offset);
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
      core.run("explain", this.#ready(), core.text(text), STRING);
      return this.#json();
    }

    findBytes(data, charset) {
      return this.#in(charset).#bytes(bytesOf(data), DETAILS);
    }

    findMail(data) {
      return this.#bytes(bytesOf(data), MAIL);
    }

    /** Links whose offsets count bytes. Their texts are not in a string, so all is computed now. */
    #bytes(data, flags) {
      const number = this.#ready();
      const count = core.run("find", number, core.data(data), flags);
      if (count === 0) return [];
      const details = this.#json();
      const batch = new Batch(null, null, details);
      return details.map(
        ({ start, end, kind }, index) => new Link(batch, index, start, end, KINDS.indexOf(kind), null),
      );
    }

    rewrite(text) {
      string(text);
      if (!isWellFormed(text)) return this.#rewriteAround(text);
      const number = this.#ready();
      const changed = core.run("rewrite", number, core.text(text), STRING);
      if (changed === 0) return text;
      const written = core.message();
      core.done();
      return written;
    }

    /**
     * Rewrites a text with lone surrogates, which UTF-8 lacks. The module finds the links of `find` and
     * gives what comes in the place of each; the rest is copied. A link with a lone surrogate stays,
     * because no URI has it, unless a template replaces it.
     */
    #rewriteAround(text) {
      const keeps = (this.#options.template ?? null) === null;
      core.run("replaced", this.#ready(), core.text(text), STRING);
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
      const number = this.#ready();
      const changed = core.run("rewrite", number, core.data(data), flags);
      if (changed === 0) return data;
      const written = core.output().slice();
      core.done();
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
        if (number !== undefined && generation === core.generation) {
          core.call("release", number);
          core.streams -= 1;
        }
        number = undefined;
      };
      const push = (data, last, controller) => {
        if (generation !== core.generation) throw new Error("iriscan: the stream has failed");
        core.run("rewriter_push", number, core.data(data), last);
        const written = core.output();
        if (written.length > 0) controller.enqueue(written.slice());
      };
      return new TransformStream({
        start() {
          number = core.run("rewriter_new", finder.#ready());
          generation = core.generation;
          core.streams += 1;
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
  };

  function reference(name, texts, options) {
    const [what, known] = REFERENCE[name];
    const strings = [...texts.map(string), ...given(options, known)];
    const result = core.call("reference", what, core.data(packed(strings)));
    const message = core.message();
    if (result !== FAILED) return message;
    // A NUL marks what is said of a reference, and not of an option.
    if (message.startsWith("\0")) throw new UriError(message.slice(1));
    throw new ConfigError(message);
  }

  const standard = new Finder();
  const finders = new Map();
  /** A finder with these options, for functions that get them each time. */
  const finderFor = (options) => {
    if (options === undefined || options === null) return standard;
    const key = JSON.stringify(given(options));
    let finder = finders.get(key);
    if (!finder) {
      if (finders.size >= 16) finders.delete(finders.keys().next().value);
      finder = new Finder(options);
      finders.set(key, finder);
    }
    return finder;
  };

  return {
    Finder,
    find: (text, options) => finderFor(options).find(text),
    findAt: (text, offset, options) => finderFor(options).findAt(text, offset),
    hasLink: (text, options) => finderFor(options).hasLink(text),
    explain: (text, options) => finderFor(options).explain(text),
    rewrite: (text, options) => finderFor(options).rewrite(text),
    replace: (text, replacement, options) => finderFor(options).replace(text, replacement),
    linkifyNode: linkifier(Finder, finderFor, Object.keys(OPTIONS)),
    toUri: (text, options) => reference("toUri", [text], options),
    toIri: (text, options) => reference("toIri", [text], options),
    normalize: (text, options) => reference("normalize", [text], options),
    resolve: (base, text) => reference("resolve", [base, text]),
    toText: (text) => reference("toText", [text]),
    check: (text, options) => JSON.parse(reference("check", [text], options)),
  };
}
