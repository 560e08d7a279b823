// Names of properties that no other program can have. They are apart, so that a bundle that finds links has
// nothing else of what makes links in pages.

/** The method of a finder that gives the same one for HTML; null if it is not for text. */
export const MARKUP = /* @__PURE__ */ Symbol("markup");

/** The method of a finder that gives the one without links in the queries of links. */
export const OUTER = /* @__PURE__ */ Symbol("outer");

/** The method of a finder that says which signs a link may have: a colon, and what else; null if it is not for text. */
export const SIGNS = /* @__PURE__ */ Symbol("signs");
