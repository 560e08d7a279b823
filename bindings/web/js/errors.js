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
