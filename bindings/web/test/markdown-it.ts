// Compiled by tsc, never run: markdown-it 15 with the types of linkify-it 6, which it installs.
import markdownit from "markdown-it";
import linkify from "iriscan/linkify-it";

const md = markdownit({ linkify: true });
md.linkify = linkify({ fuzzyIP: true }).tlds("onion", true);
const finder = linkify();
finder.add("git:", "http:");
md.linkify = finder;
const rendered: string = md.render("x");
export { rendered };
