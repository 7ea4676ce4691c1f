// Loads the module of checks when the first check begins, or the first curves are wanted.
import * as wasm from "./wasm.js";

let loading;

async function load() {
  const module = await import("./check-module.js");
  await module.default({ module_or_path: await wasm.check() });
  return module;
}

function loaded() {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

// A file of the browser, as a file in memory.
async function inMemory(input) {
  return typeof Blob !== "undefined" && input instanceof Blob
    ? { name: input.name, bytes: new Uint8Array(await input.arrayBuffer()) }
    : input;
}

export async function check(inputs, options, onProgress) {
  const module = await loaded();
  return module.check(await Promise.all(Array.from(inputs, inMemory)), options, onProgress);
}

// The numbers of a body, for the other module's memory.
function partOf(body) {
  if (body.radius !== 0) throw new TypeError("the body has a radius, which this query does not take");
  const { model, pose } = body;
  const { mesh } = model;
  const part = { points: mesh.points, triangles: mesh.triangles, pose };
  mesh.free();
  model.free();
  return part;
}

export async function curves(a, b) {
  // They are read before anything is awaited.
  const parts = [partOf(a), partOf(b)];
  return (await loaded()).curves(...parts);
}
