"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const letters = atob(element("wasm").textContent);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const address = URL.createObjectURL(new Blob([element("worker").textContent], { type: "text/javascript" }));
  let [worker, name, isBusy] = [undefined, "report", false];

  function start() {
    worker?.terminate();
    worker = new Worker(address);
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => fail(event.message);
    worker.postMessage({ wasm: packed });
    busy(false);
  }

  function busy(is) {
    isBusy = is;
    element("work").hidden = !is;
  }

  function waiting(text) {
    busy(true);
    element("stage").textContent = text;
    element("progress").removeAttribute("value");
  }

  function show(text) {
    element("error").textContent = text;
    element("error").hidden = !text;
  }

  function fail(text) {
    busy(false);
    show(text);
  }

  function hear(data) {
    if (data.stage) {
      const { stage, done, total } = data;
      const [bar, numbers] = [element("progress"), `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`];
      element("stage").textContent = total > 0 ? `${stage}: ${numbers}` : stage;
      if (total > 0) {
        bar.max = total;
        bar.value = Math.min(done, total);
      } else bar.removeAttribute("value");
    } else if (data.error) {
      fail(data.error);
      if (data.isTrap) start();
    } else if (data.html) {
      busy(false);
      element("drop").hidden = true;
      const frame = element("report");
      frame.srcdoc = data.html;
      frame.hidden = false;
      element("saves").hidden = false;
      document.title = `${name}: ${data.findings} ${data.findings === 1 ? "finding" : "findings"}`;
    } else {
      busy(false);
      download(data.bytes, data.format);
    }
  }

  function download(content, format) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = `${name}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // The page has the HTML. The worker draws pictures for BCF, which can take a while.
  function save(format) {
    show("");
    if (format === "html") return download(element("report").srcdoc, format);
    waiting(`write ${name}.${format}`);
    worker.postMessage({ format });
  }

  function check(files) {
    if (files.length === 0) return;
    if (isBusy) start();
    show("");
    element("saves").hidden = true;
    element("report").hidden = true;
    element("drop").hidden = false;
    name = files[0].name.replace(/\.[^.]*$/, "");
    const options = { unit: element("unit").value || undefined };
    for (const id of ["clearance", "tolerance"]) {
      if (element(id).value !== "") options[id] = element(id).valueAsNumber;
    }
    waiting("start");
    worker.postMessage({ files, options });
  }

  element("files").onchange = ({ target }) => {
    check([...target.files]);
    // So that the same files are a change, too.
    target.value = "";
  };
  element("cancel").onclick = start;
  element("settings").onsubmit = (event) => event.preventDefault();
  for (const button of document.querySelectorAll("[data-format]")) {
    button.onclick = () => save(button.dataset.format);
  }
  const over = (is) => (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", is);
  };
  addEventListener("dragover", over(true));
  addEventListener("dragleave", over(false));
  addEventListener("drop", (event) => {
    over(false)(event);
    check([...event.dataTransfer.files]);
  });
  start();
})();
