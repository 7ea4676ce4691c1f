// The WebAssembly of the package `impinge-compat`: text in modules, compressed.

async function bytes({ default: text }) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export const query = () => import("./query.wasm.js").then(bytes);
export const check = () => import("./check.wasm.js").then(bytes);
