// Loads the module of checks when the first check begins.
import * as wasm from "./wasm.js";

let loading;

async function load() {
  const module = await import("./check-module.js");
  await module.default({ module_or_path: await wasm.check() });
  return module;
}

// A file of the browser, as a file in memory.
async function inMemory(input) {
  return typeof Blob !== "undefined" && input instanceof Blob
    ? { name: input.name, bytes: new Uint8Array(await input.arrayBuffer()) }
    : input;
}

export async function check(inputs, options, onProgress) {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  const module = await loading;
  return module.check(await Promise.all(Array.from(inputs, inMemory)), options, onProgress);
}
