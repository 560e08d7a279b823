// The ASCII form of hosts, for `iriscan-text.wasm`, which has no data for it.

// ASCII that no host may have, and the two signs that become a `%`: browsers undo an escape with it.
const DENIED = /[\0-,/:-@[-^`{-\x7f\uff05\ufe6a]/;

/** As a browser maps a host: by UTS #46. Its Unicode may be older than that of the library. */
function byBrowser(host) {
  try {
    // Without the last label, a host that ends in a number would be an IP address. Browsers of before 2025 map
    // the capital sharp s to `ss`.
    return new URL(`http://${host.replaceAll("\u1e9e", "\xdf")}.a`).hostname.slice(0, -2);
  } catch {
    return null;
  }
}

/** The ASCII form of a host by UTS #46; null if it has none. `map` maps it, if there is something better than a browser. */
export function hostToAscii(host, map) {
  if (DENIED.test(host)) return null;
  const ascii = (map ?? byBrowser)(host);
  return ascii !== null && !DENIED.test(ascii) && /[^.]/.test(ascii) ? ascii : null;
}
