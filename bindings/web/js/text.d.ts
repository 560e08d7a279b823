import type { Source } from "./index.js";

export * from "./index.js";
export { default } from "./index.js";

/**
 * Loads the second file, once: from beside the script, or what is given. `iriscan/text` needs it for `details`, for
 * documents, bytes and whole references, for `rewrite` and `linkifyHtml`, and for the options of a finder but `kinds`,
 * `rules`, `schemes`, `host`, `maxLen` and `asciiOnly`. In Node nothing has to be loaded.
 */
export function initMore(source?: Source | PromiseLike<Source>): Promise<void>;
/** The same with its bytes, or with the compiled module, at once. */
export function initMoreSync(source: BufferSource | WebAssembly.Module): void;
