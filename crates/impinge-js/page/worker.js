// The worker of the page, behind the script of wasm-bindgen. The first message has the compressed WebAssembly, each
// other one files to check or a format to write.
let ready;
let report;

async function load(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  await wasm_bindgen({ module_or_path: await new Response(stream).arrayBuffer() });
}

function run({ files, options }) {
  // Each file is read when its turn comes, so that only one is in memory beside the meshes.
  const input = (file) => ({
    name: file.name,
    get bytes() {
      postMessage({ stage: `read ${file.name}`, done: 0, total: 0 });
      try {
        return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file));
      } catch (error) {
        const why = file.size < 2 ** 31 ? error.message : "larger than the 2 GB that a browser reads";
        throw new Error(`${file.name}: ${why}`);
      }
    },
  });
  report?.free();
  report = undefined;
  const show = (stage, done, total) => postMessage({ stage, done, total });
  report = wasm_bindgen.check(files.map(input), options, show);
  postMessage({ stage: "write the report", done: 0, total: 0 });
  postMessage({ html: report.text("html"), parts: report.parts, findings: report.findings });
}

onmessage = async ({ data }) => {
  try {
    if (data.wasm) ready = load(data.wasm);
    await ready;
    if (data.files) run(data);
    if (!data.format) return;
    if (!report) throw new Error("the report was dropped: check the files again");
    postMessage({ format: data.format, bytes: report.bytes(data.format) });
  } catch (error) {
    // After a trap the module is not to be used again.
    const isTrap = error instanceof WebAssembly.RuntimeError;
    const limit = "the files may need more than the 4 GB of memory that a page has";
    const text = `${limit}; the command has no such limit (${error.message})`;
    postMessage({ error: isTrap ? text : error.message, isTrap });
  }
};
