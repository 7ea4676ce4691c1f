// The WebAssembly of the package `impinge`: files beside this one, which bundlers copy.

// Node reads the file, as its `fetch` takes no address of a file.
async function source(url) {
  if (url.protocol !== "file:" || typeof process === "undefined") return url;
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(url);
}

export const query = () => source(new URL("./query.wasm", import.meta.url));
export const check = () => source(new URL("./check.wasm", import.meta.url));
