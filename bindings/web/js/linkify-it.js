// The interface of linkify-it, on iriscan: for markdown-it, and for programs that use linkify-it.

import { Finder, init, initSync } from "./text.js";

export { init, initSync };

const OPTIONS = { fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false, "---": false, maxLength: 10000 };
// What iriscan finds itself, or what is built on it below.
const SCHEMAS = { "http:": true, "https:": "http:", "ftp:": "http:", "//": true, "mailto:": true };
const START = 1024;

/** A link, as linkify-it gives it. */
export class Match {
  constructor(text, schema, index, lastIndex) {
    this.schema = schema.toLowerCase();
    this.index = index;
    this.lastIndex = lastIndex;
    this.raw = text.slice(index, lastIndex);
    this.text = this.raw;
    this.url = this.raw;
  }
}

const escaped = (text) => text.replace(/[.?*+^$[\]\\(){}|-]/g, "\\$&");

/** Classes of characters for validators, which put them into regular expressions without the flag `u`. */
const CLASSES = {
  src_Any: "[\\s\\S]",
  src_Cc: "[\\0-\\x1f\\x7f-\\x9f]",
  src_Z: "[ \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]",
  src_P: "[!-#%-*,-/:;?@[-\\]_{}\\xa1\\xa7\\xab\\xb6\\xb7\\xbb\\xbf\\u2010-\\u2027\\u2030-\\u205e\\u3001-\\u3003\\u3008-\\u3011\\u3014-\\u301f\\uff01-\\uff0f\\uff1a\\uff1b\\uff1f]",
};
CLASSES.src_ZCc = `(?:${CLASSES.src_Z}|${CLASSES.src_Cc})`;
CLASSES.src_ZPCc = `(?:${CLASSES.src_Z}|${CLASSES.src_P}|${CLASSES.src_Cc})`;

function checked(schema, definition) {
  const wrong = () => new Error(`(LinkifyIt) Invalid schema "${schema}": ${definition}`);
  if (typeof definition === "string" || definition === true) return definition;
  if (typeof definition !== "object" || Array.isArray(definition)) throw wrong();
  const { validate, normalize } = definition;
  const hasValidate = validate === undefined || typeof validate === "function" || validate instanceof RegExp;
  if (!hasValidate || (normalize !== undefined && typeof normalize !== "function")) throw wrong();
  return definition;
}

export class LinkifyIt {
  /** `schemas` may be left out, as in linkify-it 6. */
  constructor(schemas, options) {
    const only = !options && Object.keys(schemas ?? {}).some((name) => Object.hasOwn(OPTIONS, name));
    this.__opts__ = { ...OPTIONS, ...(only ? schemas : options) };
    this.__schemas__ = { ...SCHEMAS };
    this.__tlds__ = { only: null, more: [] };
    this.re = { ...CLASSES };
    for (const [name, definition] of Object.entries((only ? null : schemas) ?? {})) {
      this.__schemas__[name] = checked(name, definition);
    }
    this.#changed();
  }

  #finder;
  #hosts;
  #prefixes;
  #atStart;
  #tail;

  /** Makes anew what depends on the options. */
  #changed() {
    const { fuzzyLink, fuzzyEmail, maxLength } = this.__opts__;
    const names = Object.keys(this.__schemas__).filter((name) => this.#definition(name) !== null);
    const custom = names.filter((name) => this.#validator(name) !== null);
    const schemes = names.filter((name) => name !== "//" && !custom.includes(name)).map((name) => name.replace(/:$/, ""));
    const kinds = [];
    if (schemes.length > 0) kinds.push("iri");
    if (fuzzyLink && this.__schemas__["http:"]) kinds.push("bare");
    if (fuzzyEmail && this.__schemas__["mailto:"]) kinds.push("email");
    const common = { maxLen: maxLength };
    this.#finder = kinds.length > 0 ? new Finder({ ...common, kinds, ...(schemes.length > 0 && { schemes }) }) : null;
    // Reads a host with its path where something else says that there is one.
    this.#hosts = new Finder({ ...common, kinds: ["iri", "bare"], schemes: "http" });
    const list = (all) => all.map(escaped).sort((a, b) => b.length - a.length).join("|");
    const searched = [...custom, ...(this.__schemas__["//"] ? ["//"] : [])];
    this.#prefixes = searched.length > 0 ? new RegExp(`(^|(?!_)(?:[><\\uff5c]|${CLASSES.src_ZPCc}))(${list(searched)})`, "gi") : null;
    this.#atStart = names.length > 0 ? new RegExp(`^(?:${list(names)})`, "i") : null;
    const { only, more } = this.__tlds__;
    const tlds = [...(only ?? []), ...more];
    this.#tail = tlds.length > 0 ? new RegExp(`\\.(?:${list(tlds)})(?![\\p{L}\\p{N}\\p{M}_-])`, "giu") : null;
  }

  /** The function that reads on after a prefix; null if iriscan does. An alias has that of its schema. */
  #validator(schema) {
    const definition = this.#definition(schema);
    const { validate } = definition === true ? {} : definition;
    if (typeof validate === "function") return validate;
    if (validate instanceof RegExp) return (text, pos) => text.slice(pos).match(validate)?.[0].length ?? 0;
    return schema.endsWith(":") || schema === "//" ? null : () => 0;
  }

  /** The definition of a schema; null if there is none, or if it is the name of one that there is not. */
  #definition(schema) {
    let definition = this.__schemas__[schema];
    for (let steps = 0; typeof definition === "string" && steps < 100; steps += 1) {
      definition = this.__schemas__[definition];
    }
    return typeof definition === "string" ? null : (definition ?? null);
  }

  add(schema, definition = null) {
    if (definition === null) delete this.__schemas__[schema];
    else this.__schemas__[schema] = checked(schema, definition);
    this.#changed();
    return this;
  }

  set(options) {
    Object.assign(this.__opts__, options);
    this.#changed();
    return this;
  }

  tlds(list, keepOld = false) {
    const added = (Array.isArray(list) ? list : [list]).map((one) => one.toLowerCase());
    if (keepOld) this.__tlds__.more.push(...added);
    else this.__tlds__ = { only: added, more: [] };
    this.#changed();
    return this;
  }

  /** False only if there is no link. */
  pretest(text) {
    return /[.:@\u3002\uff0e\uff61]|\/\//.test(text) || (this.#prefixes?.test(text) ? ((this.#prefixes.lastIndex = 0), true) : false);
  }

  test(text) {
    const own = this.__tlds__.only === null ? (this.#finder?.hasLink(text) ?? false) : this.#own(text).length > 0;
    return own || this.#custom(text).length > 0 || this.#fuzzy(text).length > 0;
  }

  testSchemaAt(text, schema, pos) {
    const name = schema.toLowerCase();
    if (this.#definition(name) === null) return 0;
    const validate = this.#validator(name);
    if (validate !== null) return validate(text, pos, this) || 0;
    if (name !== "//") {
      const link = this.#linkAtStart(this.#finder, name, text, pos);
      return link?.kind === "iri" ? Math.max(this.#dash(link.text, 0, link.end) - name.length, 0) : 0;
    }
    // Not in `://` or `///`, which are other schemes.
    if (/[:/]/.test(text[pos - 3] ?? "")) return 0;
    const link = this.#linkAtStart(this.#hosts, "", text, pos);
    if (link?.kind === "bare" && this.#hasTld(link.host)) return link.end;
    // Of hosts without a dot only this one.
    return /^localhost(?![\p{L}\p{N}\p{M}_.-])/u.test(text.slice(pos, pos + 12)) ? this.#linkAtStart(this.#hosts, "http://", text, pos).end - 7 : 0;
  }

  /** The link at the start of a prefix and of what comes at `pos`; null if there is none. */
  #linkAtStart(finder, prefix, text, pos) {
    for (let size = START; ; size *= 2) {
      const part = prefix + text.slice(pos, pos + size);
      const link = finder?.findAt(part, 0) ?? null;
      // The rest of the text may belong to a link that ends where the part does.
      const isCut = pos + size < text.length && (link?.end ?? 0) > part.length - 64;
      if (!isCut || size > this.__opts__.maxLength) return link?.start === 0 ? link : null;
    }
  }

  matchAtStart(text) {
    const schema = this.#atStart?.exec(text)?.[0];
    if (schema === undefined) return null;
    const length = this.testSchemaAt(text, schema, schema.length);
    return length > 0 ? this.#made(text, schema, 0, schema.length + length) : null;
  }

  match(text) {
    const found = [...this.#own(text), ...this.#custom(text), ...this.#fuzzy(text)];
    found.sort((a, b) => a[1] - b[1] || b[2] - a[2]);
    const matches = [];
    let at = 0;
    for (const [schema, start, end] of found) {
      if (start < at || end <= start) continue;
      matches.push(this.#made(text, schema, start, end));
      at = end;
    }
    return matches.length > 0 ? matches : null;
  }

  /** What iriscan finds. */
  #own(text) {
    if (this.#finder === null) return [];
    return this.#finder
      .find(text)
      .filter(({ kind, host }) => kind !== "bare" || this.#hasTld(host))
      .map(({ kind, scheme, start, end }) => [kind === "iri" ? `${scheme}:` : kind === "email" ? "mailto:" : "", start, this.#dash(text, start, end)]);
  }

  /** Three hyphens may be a dash, where the link ends. */
  #dash(text, start, end) {
    if (!this.__opts__["---"]) return end;
    const at = text.slice(start, end).search(/(?<!-)---(?!-)/);
    return at < 0 ? end : start + at;
  }

  #hasTld(host) {
    const { only, more } = this.__tlds__;
    if (only === null) return true;
    const tld = host.toLowerCase().replace(/\.$/, "").split(".").at(-1);
    return only.includes(tld) || more.includes(tld);
  }

  /** Prefixes that validators know, and `//`. */
  #custom(text) {
    if (this.#prefixes === null) return [];
    const found = [];
    this.#prefixes.lastIndex = 0;
    for (let one = this.#prefixes.exec(text); one; one = this.#prefixes.exec(text)) {
      const pos = this.#prefixes.lastIndex;
      const length = this.testSchemaAt(text, one[2], pos);
      if (length > 0) found.push([one[2], pos - one[2].length, pos + length]);
      // The last character of a prefix may be the one before the next.
      this.#prefixes.lastIndex = pos + length - (length > 0 ? 1 : 0);
    }
    return found;
  }

  /** Hosts without a scheme that iriscan leaves as text: IP addresses, and other top-level domains. */
  #fuzzy(text) {
    const { fuzzyLink, fuzzyIP } = this.__opts__;
    const found = [];
    if (!fuzzyLink || !this.__schemas__["http:"]) return found;
    const add = (start) => {
      const link = this.#linkAtStart(this.#hosts, "http://", text, start);
      if (link) found.push(["", start, this.#dash(text, start, start + link.end - 7)]);
    };
    if (fuzzyIP) {
      const ip = /(?<![\p{L}\p{N}_.@:/-])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}_-]|\.\d)/gu;
      for (const one of text.matchAll(ip)) if (one[0].split(".").every((part) => part < 256)) add(one.index);
    }
    if (this.#tail) {
      for (const one of text.matchAll(this.#tail)) {
        const host = /(?:[\p{L}\p{N}\p{M}-]+\.)*[\p{L}\p{N}\p{M}-]+$/u.exec(text.slice(Math.max(0, one.index - 253), one.index));
        if (!host) continue;
        const start = one.index - host[0].length;
        if (!/[\p{L}\p{N}_.@:/\\-]$/u.test(text.slice(Math.max(0, start - 2), start))) add(start);
      }
    }
    return found;
  }

  #made(text, schema, start, end) {
    const match = new Match(text, schema, start, end);
    const definition = match.schema === "" ? true : this.#definition(match.schema);
    if (typeof definition?.normalize === "function") definition.normalize(match, this);
    else this.normalize(match);
    return match;
  }

  normalize(match) {
    if (match.schema === "") match.url = `http://${match.url}`;
    if (match.schema === "mailto:" && !/^mailto:/i.test(match.url)) match.url = `mailto:${match.url}`;
  }

  onCompile() {}
}

/** Makes one, with `new` or without. */
export function linkifyit(schemas, options) {
  return new LinkifyIt(schemas, options);
}

export default linkifyit;
