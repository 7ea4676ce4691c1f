// Tests of the check of assemblies in Node, against the command IMPINGE.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Mesh, check } from "impinge-compat";
import { check as plainCheck } from "impinge";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "impinge-js-"));
test.after(() => fs.rmSync(folder, { recursive: true }));

// Runs the command; findings make its exit status 1.
function command(...args) {
  try {
    execFileSync(process.env.IMPINGE, args, { cwd: folder, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw new Error(`${args}: ${error.stderr}`);
  }
}
const file = (name) => ({ name, bytes: new Uint8Array(fs.readFileSync(path.join(folder, name))) });

// An OBJ file of boxes around points of the x axis.
function boxes(name, places) {
  const mesh = Mesh.box(1, 1, 1);
  const lines = [];
  places.forEach((x, k) => {
    lines.push(`o box_${k}`);
    for (let i = 0; i < 8; i++) {
      const [px, py, pz] = mesh.points.slice(3 * i, 3 * i + 3);
      lines.push(`v ${px + x} ${py} ${pz}`);
    }
    for (let i = 0; i < 12; i++) lines.push(`f ${Array.from(mesh.triangles.slice(3 * i, 3 * i + 3), (v) => 8 * k + v + 1).join(" ")}`);
  });
  fs.writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
  return file(name);
}

// A report without what differs by the program: its call, times, and fields of the machine.
function facts(report) {
  return JSON.parse(JSON.stringify(report, (key, value) => (["command", "date", "seconds"].includes(key) ? undefined : value)));
}

for (const [name, run] of Object.entries({ compat: check, plain: plainCheck })) {
  test(`${name}: finds what the command finds`, async () => {
    const input = boxes("three.obj", [0, 0.75, 5]);
    const report = await run([input], { clearance: 3.5 });
    command("check", "three.obj", "--clearance", "3.5", "-o", "three.json", "-o", "three.csv", "-o", "three.html");
    assert.deepEqual(facts(report.toJSON()), facts(JSON.parse(fs.readFileSync(path.join(folder, "three.json")))));
    assert.equal(report.text("csv"), fs.readFileSync(path.join(folder, "three.csv"), "utf8"));
    assert.equal(report.text("html"), fs.readFileSync(path.join(folder, "three.html"), "utf8"));
    assert.deepEqual([report.parts, report.findings], [3, 2]);
    report.free();
  });
}

test("a file is read when its turn comes, and may be gone then", async () => {
  const input = boxes("there.obj", [0, 0.75]);
  const gone = { name: "gone.obj", get bytes() { throw new Error("gone.obj: not there"); } };
  await assert.rejects(check([input, gone]), /^Error: gone\.obj: not there$/);
  assert.equal((await check([input])).findings, 1);
});

test("the gearbox, as a bundle and as GLB, has the findings of the command", async () => {
  command("check", "--demo", "gearbox", "--no-rules", "-o", "gearbox.json");
  const wanted = JSON.parse(fs.readFileSync(path.join(folder, "gearbox.json")));
  command("demo", "gearbox", "-o", "gearbox-parts.glb");
  command("convert", "gearbox-parts.glb", "-o", "gearbox-parts.impinge");
  for (const name of ["gearbox-parts.glb", "gearbox-parts.impinge"]) {
    const report = await check([file(name)]);
    assert.equal(report.findings, wanted.findings.length, name);
    const bcf = report.bytes("bcf");
    assert.deepEqual([...bcf.subarray(0, 2)], [0x50, 0x4b]);
  }
});

test("parts in memory, settings and rules", async () => {
  const mesh = Mesh.box(2, 2, 2);
  const part = (name, x) => ({ name, points: mesh.points, triangles: mesh.triangles, pose: [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0] });
  const count = async (places, options) => (await check(places.map((x, k) => part(`part ${k}`, x)), options)).findings;
  assert.equal(await count([0, 1]), 1);
  assert.equal(await count([0, 2]), 0);
  assert.equal(await count([0, 2], { report: ["touch"] }), 1);
  assert.equal(await count([0, 3]), 0);
  assert.equal(await count([0, 3], { clearance: 1 }), 1);
  assert.equal(await count([0, 1.5], { tolerance: 0.5 }), 0);
  assert.equal(await count([0, 1.5], { tolerance: 0.25 }), 1);
  const report = await check([part("a", 0), part("b", 1)], { unit: "mm", depth: "all" });
  assert.equal(report.toJSON().unit, "mm");
  const refuse = (pattern, inputs, options) => assert.rejects(check(inputs, options), pattern);
  await refuse(/depth must be/, [part("a", 0)], { depth: "deep" });
  await refuse(/unit: 'parsec' is/, [part("a", 0)], { unit: "parsec" });
  await refuse(/report: /, [part("a", 0)], { report: ["hit"] });
  await refuse(/rules:1/, [part("a", 0)], { rules: "=" });
  await refuse(/-1/, [part("a", 0)], { clearance: -1 });
});

test("a part that its pose scales is another shape", async () => {
  const { points, triangles } = Mesh.box(2, 2, 2);
  const part = (name, points, pose) => ({ name, points, triangles, pose });
  const moved = [1, 0, 0, -1.5, 0, 1, 0, 0, 0, 0, 1, 0];
  // Groups, too, tell its clash from that of the part in its own size.
  const run = async (large) => facts((await check([part("a", points), large, part("c", points, moved)])).toJSON());
  const scaled = await run(part("b", points, [2, 0, 0, 2.5, 0, 2, 0, 0, 0, 0, 2, 0]));
  const placed = await run(part("b", points.map((x, i) => 2 * x + (i % 3 === 0 ? 2.5 : 0))));
  assert.equal(scaled.findings.length, 2);
  assert.deepEqual(scaled, placed);
  const huge = part("b", points, [1e308, 0, 0, 1e308, 0, 1, 0, 0, 0, 0, 1, 0]);
  await assert.rejects(check([huge]), /b: .*inf/i);
});

test("broken files name the place", async () => {
  const bytes = (text) => new TextEncoder().encode(text);
  await assert.rejects(check([{ name: "a.obj", bytes: bytes("v 0 0 0\nf 1 2 3\n") }]), /a\.obj.*2/);
  await assert.rejects(check([{ name: "a.step", bytes: bytes("ISO-10303-21;\n") }]), /a\.step/);
  await assert.rejects(check([{ name: "a.stl", bytes: new Uint8Array() }]), /a\.stl.*empty/);
  await assert.rejects(check([{ bytes: bytes("") }]), /input 0 has no name/);
  await assert.rejects(check([null]), /input 0 must be a file or a part/);
  await assert.rejects(check([{ name: "a.obj", bytes: "text" }]), /a\.obj: bytes must be a Uint8Array/);
  // Nothing is broken by that.
  assert.equal((await check([boxes("good.obj", [0, 0.5])])).findings, 1);
});

test("progress is told, and an error of its function ends the check", async () => {
  const input = boxes("many.obj", Array.from({ length: 40 }, (_, k) => 0.75 * k));
  const stages = [];
  await check([input], undefined, (stage, done, total) => {
    assert.ok(done >= 0 && total >= 0);
    stages.push(stage);
  });
  assert.ok(new Set(stages).size >= 3, stages.join());
  assert.match(stages[0], /many\.obj/);
  const stop = () => {
    throw new Error("that will do");
  };
  await assert.rejects(check([input], undefined, stop), /that will do/);
  const later = (stage) => {
    if (stage !== stages[0]) stop();
  };
  await assert.rejects(check([input], undefined, later), /that will do/);
});
