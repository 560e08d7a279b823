// What a link becomes in a page: its options, checked, and the attributes and the text that they give.

import { ConfigError } from "./errors.js";

// Text in these is no prose, is a link already, or must not have links in it.
const SKIPPED = [
  "a", "applet", "audio", "button", "canvas", "datalist", "embed", "form", "head", "iframe", "input",
  "math", "noembed", "noframes", "noscript", "object", "optgroup", "option", "plaintext", "script",
  "select", "style", "svg", "template", "textarea", "title", "video", "xmp",
];
const CODE = ["code", "kbd", "listing", "pre", "samp", "tt", "var"];
// A browser would run these, or show as a page what its author chose.
const DANGEROUS = /^(javascript|vbscript|data|blob|filesystem|view-source):/i;
// What is in these is not shown as text.
const NOT_SHOWN = /^(script|style|xmp|iframe|noembed|noframes|noscript|plaintext|template|textarea|title|svg|math)$/i;

/** True if a click on it cannot run a script in the page. Browsers skip controls in a scheme. */
export function isSafe(uri) {
  return typeof uri === "string" && !DANGEROUS.test(uri.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ""));
}

const isString = (value) => typeof value === "string";
const isFunction = (value) => typeof value === "function";
const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(Symbol.iterator in value);
const isLength = (value) => value === Infinity || (Number.isSafeInteger(value) && value >= 0);
const isName = (value) => isString(value) && /^[a-z][a-z0-9-]*$/i.test(value) && !NOT_SHOWN.test(value);
const isProtocol = (value) => isString(value) && /^[a-z][a-z0-9+.-]*(:(\/\/)?)?$/i.test(value);
const isText = (value) => ["string", "number", "boolean", "undefined"].includes(typeof value) || value === null;
const isAttribute = ([name, value]) => /^[^\s"'<>/=\u0000-\u001f\u007f]+$/.test(name) && isText(value);
const isAttributes = (value) => isObject(value) && Object.entries(value).every(isAttribute);
const isListener = (value) => isFunction(value) || isFunction(value?.handleEvent) || (value ?? null) === null;
const isEvents = (value) => isObject(value) && Object.values(value).every(isListener);
const never = () => false;

// Of each option: what a value may be, in words too; whether an object may give one for each type of link.
const VALUES = {
  rel: [isString, "a string", true],
  target: [isString, "a string", true],
  className: [isString, "a string", true],
  tagName: [isName, "the name of an element that shows text", true],
  defaultProtocol: [isProtocol, 'a scheme such as "http"', true],
  truncate: [isLength, "a whole number", true],
  validate: [(value) => typeof value === "boolean", "true, false", true],
  attributes: [isAttributes, "an object of names and strings", false],
  events: [isEvents, "an object of names and functions", false],
  format: [never, "", true],
  formatHref: [never, "", true],
};
// What a function may give back that is not such a value.
const RESULTS = {
  format: isText,
  formatHref: isString,
  validate: () => true,
};
const TYPES = ["url", "email", "iri", "bare", "ip"];

const OWN = new Set([...Object.keys(VALUES), "finder", "render", "ignoreTags", "code"]);

function wrong(name, why) {
  return new ConfigError(`${name}: ${why}`);
}

function isByType(value) {
  return isObject(value) && Object.keys(value).every((name) => TYPES.includes(name));
}

/** Throws if a value is not one that the option may have. */
function check(name, value) {
  const [is, what, byType] = VALUES[name];
  const fits = (one) => (one ?? null) === null || isFunction(one) || is(one);
  if (fits(value) || (byType && isByType(value) && Object.values(value).every(fits))) return;
  const words = [what, "a function", byType && `an object with these for ${TYPES.join(", ")}`];
  throw wrong(name, `expected ${words.filter(Boolean).join(" or ")}`);
}

/** Splits options into those of links in a page, which are checked, and those of a finder. */
export function split(options, known, caller) {
  if (options !== undefined && options !== null && !isObject(options)) {
    throw new TypeError("iriscan: expected an object of options");
  }
  const own = {};
  const search = {};
  for (const [name, value] of Object.entries(options ?? {})) {
    // `code` belongs here: that of finders is about Markdown.
    if (OWN.has(name)) own[name] = value;
    else if (known.includes(name)) search[name] = value;
    else throw wrong(name, `no such option of ${caller}`);
    if (Object.hasOwn(VALUES, name)) check(name, value);
  }
  const { render, ignoreTags, code } = own;
  if ((render ?? null) !== null && !isFunction(render)) throw wrong("render", "expected a function");
  if ((code ?? null) !== null && typeof code !== "boolean") throw wrong("code", "expected true or false");
  if ((ignoreTags ?? null) !== null && !(Array.isArray(ignoreTags) && ignoreTags.every(isString))) {
    throw wrong("ignoreTags", "expected an array of names");
  }
  return [own, search];
}

/** Makes the function that says of the name of an element whether links in it would be wrong. */
export function skipped(own) {
  const names = new Set([...SKIPPED, ...(own.code ? [] : CODE)]);
  for (const name of own.ignoreTags ?? []) names.add(name.toLowerCase());
  return (name) => names.has(name);
}

/** The value of an option for a link. `value`: what a function gets first, before the type and the link. */
function of(own, name, value, link) {
  const type = link.kind === "email" ? "email" : "url";
  let given = own[name];
  if (VALUES[name][2] && isObject(given)) given = given[link.kind] ?? given[type];
  if (!isFunction(given)) return given ?? null;
  const result = given(value, type, link) ?? null;
  const fits = RESULTS[name] ?? VALUES[name][0];
  if (result !== null && !fits(result)) throw wrong(name, `the function returned ${typeof result}; expected ${VALUES[name][1] || "a string"}`);
  return result;
}

function shortened(text, most) {
  if (!most || text.length <= most) return text;
  // Half of a surrogate pair would show as an error.
  const cut = /[\ud800-\udbff]$/.test(text.slice(0, most)) ? most - 1 : most;
  return `${text.slice(0, cut)}…`;
}

/** What is opened without another word. */
function opened(link, own) {
  if (link.kind !== "bare" || link.open !== `https://${link.uri}`) return link.open;
  const protocol = of(own, "defaultProtocol", link.text, link);
  return protocol === null ? link.open : `${protocol.replace(/:?\/*$/, "")}://${link.uri}`;
}

/** Whether a link is wanted at all. */
export function isValid(link, own) {
  return (own.validate ?? null) === null || Boolean(of(own, "validate", link.text, link) ?? true);
}

/** The element of a link: its name, attributes, events and text. Null if the link stays text. */
export function presented(link, own) {
  const standard = opened(link, own);
  const href = (own.formatHref ?? null) === null ? standard : hrefOf(standard, link, own);
  if (!isSafe(href)) return null;
  const target = of(own, "target", href, link);
  // A page that a link opens must not get hold of the one with the link.
  const rel = of(own, "rel", href, link) ?? (target === "_blank" ? "noopener" : null);
  const attributes = { href, ...of(own, "attributes", href, link) };
  if (!isSafe(attributes.href)) return null;
  for (const [name, value] of Object.entries({ target, rel, class: of(own, "className", href, link) })) {
    if (value !== null && value !== "") attributes[name] = value;
  }
  const text = of(own, "format", link.text, link) ?? link.text;
  return {
    name: of(own, "tagName", href, link) ?? "a",
    attributes: Object.entries(attributes).filter(([, value]) => (value ?? null) !== null),
    events: Object.entries(of(own, "events", href, link) ?? {}).filter(([, value]) => (value ?? null) !== null),
    text: shortened(String(text), of(own, "truncate", String(text), link)),
  };
}

/** What `formatHref` makes of an address; null leaves text, and a type that it does not have is not changed. */
function hrefOf(standard, link, own) {
  const type = link.kind === "email" ? "email" : "url";
  const given = own.formatHref;
  if (isObject(given) && (given[link.kind] ?? given[type] ?? null) === null) return standard;
  return of(own, "formatHref", standard, link);
}
