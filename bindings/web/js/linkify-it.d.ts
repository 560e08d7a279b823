export { init, initSync } from "./text.js";

export interface LinkifyItOptions {
  /** Hosts without a scheme. Default: true. */
  fuzzyLink?: boolean;
  /** Mail addresses without `mailto:`. Default: true. */
  fuzzyEmail?: boolean;
  /** IP addresses without a scheme. Default: false. */
  fuzzyIP?: boolean;
  /** A link ends at `---`. Default: false. */
  "---"?: boolean;
  /** The longest link, in bytes. Default: 10000. */
  maxLength?: number;
}

export interface SchemaDefinition {
  /** Reads on after the prefix: the length of the rest of the link, or 0 if there is none. Without one iriscan does. */
  validate?: RegExp | ((text: string, pos: number, self: LinkifyIt) => number | boolean);
  /** Changes `text` and `url` of a link. */
  normalize?: (match: Match, self: LinkifyIt) => void;
}

/** A definition, or the name of another schema. */
export type Schema = string | SchemaDefinition;

export class Match {
  constructor(text: string, schema: string, index: number, lastIndex: number);
  /** The prefix; empty for a host without one. */
  schema: string;
  index: number;
  lastIndex: number;
  /** The characters of the text. */
  raw: string;
  /** What to show. */
  text: string;
  /** What to open. */
  url: string;
}

/**
 * The interface of linkify-it, with the links of iriscan. It finds nothing before `init` has loaded the module,
 * except in Node.
 */
export class LinkifyIt {
  constructor(schemas?: Record<string, Schema> | null, options?: LinkifyItOptions | null);
  constructor(options?: LinkifyItOptions);
  /** Classes of characters for validators, and what they keep. */
  re: Record<string, any>;
  /** Adds a schema; null removes it. */
  add(schema: string, definition?: SchemaDefinition | null): this;
  /** Adds a schema that is read like another one. */
  add(schema: string, other: string): this;
  set(options: LinkifyItOptions): this;
  /** Top-level domains of hosts without a scheme, in place of those that iriscan knows or beside them. */
  tlds(list: string | string[], keepOld?: boolean): this;
  /** False only if there is no link. */
  pretest(text: string): boolean;
  test(text: string): boolean;
  /** The length of what comes after a prefix at `pos`, or 0. */
  testSchemaAt(text: string, schema: string, pos: number): number;
  match(text: string): Match[] | null;
  /** The link with a scheme at the start of a text. */
  matchAtStart(text: string): Match | null;
  normalize(match: Match): void;
  onCompile(): void;
}

// The class of linkify-it 6 has a private member, so markdown-it 15 takes nothing but that type. Where linkify-it is
// installed, what `linkifyit` returns has it too; elsewhere the import is of any type, and adds nothing.
// @ts-ignore: it may not be installed
import type { LinkifyIt as Original } from "linkify-it";
type Also = 0 extends 1 & Original ? unknown : Original;

/** Makes one, with `new` or without. */
export function linkifyit(schemas?: Record<string, Schema> | null, options?: LinkifyItOptions | null): LinkifyIt & Also;
export function linkifyit(options?: LinkifyItOptions): LinkifyIt & Also;
export default linkifyit;
