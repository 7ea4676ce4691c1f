// The worker of the page, behind the script of wasm-bindgen. The first message has the compressed WebAssembly, each
// other one files to check or a format to write.
let ready;
let report;

async function load(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  await wasm_bindgen({ module_or_path: await new Response(stream).arrayBuffer() });
}

async function run({ files, options }) {
  const inputs = [];
  for (const file of files) {
    postMessage({ stage: `read ${file.name}`, done: 0, total: 0 });
    inputs.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  report?.free();
  report = undefined;
  report = wasm_bindgen.check(inputs, options, (stage, done, total) => postMessage({ stage, done, total }));
  postMessage({ stage: "write the report", done: 0, total: 0 });
  postMessage({ html: report.text("html"), parts: report.parts, findings: report.findings });
}

onmessage = async ({ data }) => {
  try {
    if (data.wasm) ready = load(data.wasm);
    await ready;
    if (data.files) await run(data);
    if (data.format) postMessage({ format: data.format, bytes: report.bytes(data.format) });
  } catch (error) {
    // After a trap the module is not to be used again.
    const isTrap = error instanceof WebAssembly.RuntimeError;
    const text = isTrap ? `${error.message}: the model may need more than the 4 GB that a page can have` : error.message;
    postMessage({ error: text, isTrap });
  }
};
