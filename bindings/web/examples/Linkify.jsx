// Links in the text of React elements, on a server and in a browser:
//
//     <Linkify options={{ kinds: "iri,email" }} target="_blank">see http://例え.jp/道。</Linkify>
//
// Call `await init()` of iriscan before the first rendering; on a server nothing has to be called.

import { Children, cloneElement, isValidElement, useMemo } from "react";
import { Finder, details } from "iriscan";

const KINDS = { kinds: ["iri", "bare", "email"] };
// Text in these stays as it is.
const SKIPPED = new Set(["a", "button", "code", "option", "pre", "script", "style", "textarea"]);

/** A link: what is shown cannot deceive, and what is opened is printable ASCII. */
function Anchor({ link, ...rest }) {
  const rel = rest.target === "_blank" ? "noopener" : undefined;
  return (
    <a rel={rel} {...rest} href={link.open}>
      {details(link).display}
    </a>
  );
}

/** The text with elements in place of its links. */
function withLinks(text, finder, render) {
  const parts = [];
  let at = 0;
  for (const link of finder.find(text)) {
    // What has no address that can be opened stays text.
    if (link.open === null) continue;
    parts.push(text.slice(at, link.start), render(link, link.start));
    at = link.end;
  }
  return at === 0 ? text : [...parts, text.slice(at)];
}

/** Children that are strings; elements keep their type, their keys and their other properties. */
function walk(children, finder, render) {
  return Children.map(children, (child) => {
    if (typeof child === "string") return withLinks(child, finder, render);
    if (!isValidElement(child) || SKIPPED.has(child.type) || child.props.children === undefined) return child;
    return cloneElement(child, undefined, walk(child.props.children, finder, render));
  });
}

/** `as`: the component of a link, which gets it as `link`. Other properties are handed to it. */
export function Linkify({ children, options = KINDS, as: Link = Anchor, ...rest }) {
  // A new object with the same options needs no new finder.
  const key = JSON.stringify(options);
  const finder = useMemo(() => new Finder(JSON.parse(key)), [key]);
  return walk(children, finder, (link, index) => <Link key={index} link={link} {...rest} />);
}
