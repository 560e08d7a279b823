// Hosts of all kinds, the same each time, for the law that `hostToAscii` of js/hosts.js and the library agree. Used
// in Node and in the browser.

/** A generator of numbers below `n` (mulberry32). */
function random(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const RANGES = [
  [0x61, 0x7a], [0x61, 0x7a], [0x30, 0x39], [0x41, 0x5a], [0xa1, 0x24f], [0x370, 0x3ff], [0x400, 0x52f], [0x531, 0x587],
  [0x5d0, 0x5ea], [0x620, 0x64a], [0x660, 0x669], [0x6f0, 0x6f9], [0x900, 0x97f], [0xe01, 0xe3a], [0x10a0, 0x10ff], [0x1e00, 0x1fff],
  [0x2000, 0x206f], [0x2070, 0x218f], [0x2460, 0x24ff], [0x3041, 0x3096], [0x30a1, 0x30fa], [0x4e00, 0x9fff], [0xac00, 0xd7a3],
  [0xf900, 0xfaff], [0xfe00, 0xfe0f], [0xff01, 0xffef], [0x300, 0x36f], [0x1f300, 0x1faff], [0x80, 0x2fff], [0x3000, 0xd7ff],
  [0xe000, 0xffff], [0x10000, 0x1ffff], [0x20000, 0x33fff], [0xe0000, 0xe01ff],
];
const PARTS = [
  "-", "--", ".", "\u3002", "\uff0e", "\uff61", "xn--", "xn--bcher-kva", "xn--fiqs8s", "xn--a", "xn--mgbh0fb", "\u200c", "\u200d", "\u094d\u200d",
  "\u0633\u200c\u0646", "\u00df", "\u1e9e", "\u03c2", "\u0130", "e\u0301", "\u00ad", "_", "www", "\u2260", "\u2490", "\u0966", "\u0661", "\u06f1", "\ufdfa", "\u115f",
];

/** Gives `count` hosts, each of which has a character that is not ASCII. */
export function* hosts(count, seed = 79) {
  const below = random(seed);
  for (let made = 0; made < count; ) {
    let host = "";
    const range = RANGES[below(RANGES.length)];
    for (let left = 1 + below(9); left > 0; left -= 1) {
      const [first, last] = below(3) === 0 ? RANGES[below(RANGES.length)] : range;
      host += below(5) === 0 ? PARTS[below(PARTS.length)] : String.fromCodePoint(first + below(last - first + 1));
    }
    if (below(2) === 0) host += [".example", ".jp", ".\u65e5\u672c", "."][below(4)];
    // None of ASCII that ends a host, and no escape.
    if (/[^\0-\x7f]/.test(host) && !/[%/?#:@[\]\\]/.test(host) && host.isWellFormed()) {
      made += 1;
      yield host;
    }
  }
}

/**
 * Compares the two for so many hosts. Characters that are younger than the Unicode of the program that runs this
 * may differ, so they are apart.
 */
export function compare(hostToAscii, toUri, count, seed) {
  const [differ, young] = [[], []];
  let mapped = 0;
  for (const host of hosts(count, seed)) {
    let wanted = null;
    try {
      wanted = toUri(`http://${host}/`).slice(7, -1);
    } catch {
      // It has no ASCII form.
    }
    const got = hostToAscii(host);
    if (got !== null) mapped += 1;
    if (got === wanted) continue;
    (/\p{Unassigned}/u.test(host) ? young : differ).push([host, got, wanted]);
  }
  return { mapped, differ, young };
}
