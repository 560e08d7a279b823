/**
 * What a bundler makes of `import wasm from "iriscan/iriscan.wasm"`: a URL for `init`, or bytes for `initSync`.
 * Which of both, the bundler is told; this type is for either.
 */
declare const wasm: string & ArrayBuffer;
export default wasm;
