// Runs iriscan, so that the page never waits. `require` comes from build.js.

const { details, instantiate } = require("./core.cjs");

let api;
let finders = new Map();

function finder(options) {
  const key = JSON.stringify(options);
  if (!finders.has(key)) {
    if (finders.size > 20) finders = new Map();
    finders.set(key, new api.Finder(options));
  }
  return finders.get(key);
}

// More are counted, but not sent.
const MOST = 2000;

const WORK = {
  async start({ module }) {
    const unzipped = new Response(module.stream().pipeThrough(new DecompressionStream("gzip")));
    api = instantiate(await WebAssembly.compile(await unzipped.arrayBuffer()));
    return {};
  },
  find({ text, options }) {
    const from = performance.now();
    const links = finder(options).find(text);
    const took = performance.now() - from;
    return { count: links.length, took, links: links.slice(0, MOST).map(details) };
  },
  explain({ text, options }) {
    return { all: finder(options).explain(text) };
  },
  file({ buffer, options, isMail }) {
    const from = performance.now();
    const data = new Uint8Array(buffer);
    const made = finder(options);
    const links = isMail ? made.findMail(data) : made.findBytes(data);
    const written = isMail ? made.rewriteMail(data) : made.rewriteBytes(data);
    const took = performance.now() - from;
    const changed = written !== data;
    return {
      count: links.length,
      took,
      changed,
      charset: links.findLast((link) => link.charset !== "UTF-8")?.charset ?? links[0]?.charset ?? "",
      links: links.slice(0, MOST).map(details),
      written: new Blob([changed ? written : data]),
    };
  },
};

onmessage = async ({ data }) => {
  try {
    postMessage({ id: data.id, ...(await WORK[data.type](data)) });
  } catch (error) {
    postMessage({ id: data.id, error: error.message });
  }
};
