// Tests of the packages and of the page in Chromium: `node browser.mjs PAGE [SCREENSHOT]`, in a folder with the
// packages and playwright-core installed. CASES is the file of the example `agreement`, IMPINGE the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { Mesh } from "impinge-compat";

const [pagePath, screenshot] = process.argv.slice(2).map((place) => path.resolve(place));
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "impinge-browser-"));
const kinds = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const map = (name) => JSON.stringify({ imports: { impinge: `/node_modules/${name}/index.js` } });

// A page whose modules find a package by its name, as a plain page does.
const plainPage = (name) => `<!doctype html><script type="importmap">${map(name)}</script>`;
const server = http.createServer((request, response) => {
  const place = decodeURIComponent(new URL(request.url, "http://x").pathname);
  if (place.startsWith("/page/")) return response.setHeader("content-type", "text/html").end(plainPage(place.slice(6)));
  const file = place === "/cases.json" ? process.env.CASES : path.join(root, place);
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.setHeader("content-type", kinds[path.extname(file)] ?? "application/octet-stream");
  fs.createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  ],
});

// A page; every error or warning fails the test, and every request that `allowed` refuses.
async function open(address, allowed, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("request", (request) => allowed(request.url()) || wrong.push(`request ${request.url()}`));
  page.on("console", (message) => {
    const isNoise = /GPU stall|GL Driver Message|favicon/.test(message.text() + message.location().url);
    if (["error", "warning"].includes(message.type()) && !isNoise) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.goto(address);
  return {
    page,
    done: async () => {
      assert.deepEqual(wrong, []);
      await context.close();
    },
  };
}

const tests = [];
const test = (name, run) => tests.push([name, run]);

for (const name of ["impinge", "impinge-compat"]) {
  test(`${name}: a plain page, and a worker, have the bits of the machine`, async () => {
    const { page, done } = await open(`${origin}/page/${name}`, (url) => url.startsWith(origin) || /^(blob|data):/.test(url));
    const found = await page.evaluate(async () => {
      const [impinge, { compare }] = await Promise.all([import("impinge"), import("/test/agreement.mjs")]);
      return compare(impinge, await (await fetch("/cases.json")).json());
    });
    assert.deepEqual(found.wrong.slice(0, 5), []);
    assert.ok(found.compared > 10_000, `${found.compared}`);
    const inWorker = await page.evaluate(async (address) => {
      const text = `import { Body, Mesh, Model, check, intersects } from "${address}";
        const box = Mesh.box(1, 1, 1);
        const body = new Body(new Model(box));
        const part = (name) => ({ name, points: box.points, triangles: box.triangles });
        const report = await check([part("a"), part("b")]);
        postMessage([intersects(body, body), report.findings]);`;
      const source = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      const worker = new Worker(source, { type: "module" });
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(event.message);
      });
    }, `${origin}/node_modules/${name}/index.js`);
    assert.deepEqual(inWorker, [true, 1]);
    await done();
  });
}

// A binary STL of a mesh that is moved along x.
function stl(name, mesh, x) {
  const [points, triangles] = [mesh.points, mesh.triangles];
  const bytes = Buffer.alloc(84 + 50 * mesh.triangleCount);
  bytes.writeUInt32LE(mesh.triangleCount, 80);
  for (let t = 0; t < mesh.triangleCount; t++) {
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * triangles[3 * t + corner];
      const at = 84 + 50 * t + 12 + 12 * corner;
      [points[v] + x, points[v + 1], points[v + 2]].forEach((c, k) => bytes.writeFloatLE(c, at + 4 * k));
    }
  }
  fs.writeFileSync(path.join(folder, name), bytes);
  return path.join(folder, name);
}

// Runs the command; findings make its exit status 1.
function command(...args) {
  try {
    execFileSync(process.env.IMPINGE, args, { cwd: folder, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw new Error(`${args}: ${error.stderr}`);
  }
}

const openPage = () => {
  const address = pathToFileURL(pagePath).href;
  return open(address, (url) => url === address || /^(blob|data|about):/.test(url), { acceptDownloads: true });
};
async function finished(page) {
  await page.waitForFunction(() => / findings?$/.test(document.title) || !document.getElementById("error").hidden, null, {
    timeout: 120_000,
  });
  assert.equal(await page.innerText("#error"), "");
}
async function save(page, format) {
  const arrival = page.waitForEvent("download", { timeout: 120_000 });
  const [download] = await Promise.all([arrival, page.click(`[data-format=${format}]`)]);
  return [download.suggestedFilename(), fs.readFileSync(await download.path())];
}

test("the page checks two files from disk, and shows and saves the report of the command", async () => {
  stl("left.stl", Mesh.sphere(10, 24, 48), 0);
  stl("right.stl", Mesh.box(12, 12, 12), 12);
  command("check", "left.stl", "right.stl", "--unit", "mm", "-o", "of-command.html", "-o", "of-command.csv");
  const { page, done } = await openPage();
  await page.selectOption("#unit", "mm");
  // Dropped, as by hand.
  const files = ["left.stl", "right.stl"].map((name) => [name, fs.readFileSync(path.join(folder, name)).toString("base64")]);
  await page.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    }
    dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
  }, files);
  await finished(page);
  assert.equal(await page.title(), "left: 1 finding");
  const frame = page.frameLocator("#report");
  await frame.locator("#canvas[data-state=ready]").waitFor({ timeout: 20_000 });
  assert.match(await frame.locator("#list").innerText(), /left[^]*right/);
  const [name, html] = await save(page, "html");
  assert.equal(name, "left.html");
  assert.equal(html.toString(), fs.readFileSync(path.join(folder, "of-command.html"), "utf8"));
  assert.equal((await save(page, "csv"))[1].toString(), fs.readFileSync(path.join(folder, "of-command.csv"), "utf8"));
  assert.equal(JSON.parse((await save(page, "json"))[1]).findings.length, 1);
  assert.equal((await save(page, "bcf"))[1].subarray(0, 2).toString(), "PK");
  if (screenshot) await page.screenshot({ path: screenshot });
  await done();
});

test("the page names what is wrong, and goes on", async () => {
  fs.writeFileSync(path.join(folder, "broken.obj"), "v 0 0 0\nf 1 2 3\n");
  stl("good.stl", Mesh.box(1, 1, 1), 0);
  const { page, done } = await openPage();
  await page.setInputFiles("#files", path.join(folder, "broken.obj"));
  await page.waitForSelector("#error:not([hidden])");
  assert.match(await page.innerText("#error"), /broken\.obj.*2/);
  await page.setInputFiles("#files", path.join(folder, "good.stl"));
  await finished(page);
  assert.equal(await page.isVisible("#error"), false);
  await done();
});

test("100 MB do not freeze the page, and can be cancelled", async () => {
  // 2 * 1,006,780 triangles, 100.7 MB.
  const mesh = Mesh.sphere(10, 710, 710);
  const files = [stl("large-a.stl", mesh, 0), stl("large-b.stl", mesh, 15)];
  const { page, done } = await openPage();
  await page.evaluate(() => {
    let last = performance.now();
    window.longest = 0;
    setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  });
  await page.setInputFiles("#files", files);
  await page.waitForSelector("#work:not([hidden])");
  await page.click("#cancel");
  assert.equal(await page.isVisible("#work"), false);
  await page.evaluate(() => (window.longest = 0));
  const begin = Date.now();
  await page.setInputFiles("#files", files);
  await finished(page);
  const all = Date.now() - begin;
  // The view of the report draws all triangles, here without a graphics card.
  await page.frameLocator("#report").locator("#canvas[data-state=ready]").waitFor({ timeout: 120_000 });
  const [longest, drawn] = [await page.evaluate(() => window.longest), Date.now() - begin];
  const worker = page.workers().at(-1);
  const memory = await worker.evaluate(async () => (await wasm_bindgen()).memory.buffer.byteLength / 1e6);
  console.log(`  report after ${all} ms, view after ${drawn} ms, ${memory.toFixed()} MB of WebAssembly`);
  console.log(`  the page was busy for ${longest.toFixed()} ms at most`);
  assert.ok(longest < Math.max(1000, all / 10), `${longest} ms`);
  assert.equal(await page.title(), "large-a: 1 finding");
  // Two caps of spheres: pi (4 r + d) (2 r - d)^2 / 12 = 359.97.
  const [clash] = JSON.parse((await save(page, "json"))[1]).clashes;
  assert.ok(Math.abs(clash.overlap_volume[0] - 359.97) < 0.05, `${clash.overlap_volume}`);
  assert.match((await save(page, "csv"))[1].toString(), /large-a.*large-b/);
  assert.match((await save(page, "html"))[1].toString(), /^<!doctype html>/i);
  assert.equal((await save(page, "bcf"))[1].subarray(0, 2).toString(), "PK");
  // A save draws pictures, and can be cancelled, too. The report goes with it.
  await page.click("[data-format=bcf]");
  await page.click("#cancel");
  await page.click("[data-format=json]");
  await page.waitForSelector("#error:not([hidden])");
  assert.match(await page.innerText("#error"), /check the files again/);
  await done();
});

let failed = 0;
for (const [name, run] of tests) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack ?? error}`);
  }
}
await browser.close();
server.close();
fs.rmSync(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
