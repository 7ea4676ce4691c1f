// Tests of the installed packages in Node: `node --test`, with CASES, the file of the example `agreement`.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import * as compat from "impinge-compat";
import * as plain from "impinge";
import { compare } from "./agreement.mjs";

const cases = JSON.parse(fs.readFileSync(process.env.CASES, "utf8"));
const tetrahedron = [[0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2], [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]];
const shifted = (x) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0];

for (const [name, impinge] of Object.entries({ plain, compat })) {
  const { Body, Mesh, Model, Scene } = impinge;

  test(`${name}: results have the bits of those without WebAssembly`, () => {
    assert.equal(impinge.simdLevel(), "simd128");
    assert.notEqual(cases.simd, "simd128");
    const { compared, wrong } = compare(impinge, cases);
    assert.deepEqual(wrong.slice(0, 5), []);
    assert.ok(compared > 10_000, `${compared}`);
    // The cases must tell: of each kind of result there are several.
    const kinds = new Set(cases.pairs.map((pair) => pair.relation.kind));
    assert.ok(kinds.size >= 6, [...kinds].join());
    assert.ok(cases.pairs.some((pair) => pair.sweep.kind === "contact"));
    assert.ok(cases.pairs.some((pair) => pair.penetration.separatingDistance));
  });

  test(`${name}: arrays and poses of any kind`, () => {
    const [points, triangles] = tetrahedron;
    const lists = [points, new Float32Array(points), new Float64Array(points)];
    const indices = [triangles, new Uint8Array(triangles), new Uint16Array(triangles), new Int32Array(triangles)];
    for (const list of lists) {
      for (const index of indices) {
        const [lo, hi] = new Model(new Mesh(list, index)).volume;
        assert.ok(lo <= 4 / 3 && 4 / 3 <= hi && hi - lo < 1e-15, `${lo} ${hi}`);
      }
    }
    const model = new Model(new Mesh(points, triangles));
    const columns = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25, 0, 0, 1];
    assert.deepEqual([...new Body(model, columns).pose], shifted(0.25));
    const body = new Body(model);
    assert.deepEqual([...body.pose], shifted(0));
    body.setPose(shifted(3));
    assert.equal(impinge.intersects(body, new Body(model)), false);
    assert.equal(body.model.mesh.triangleCount, 4);
    assert.equal(Mesh.box(2, 4, 6).triangleCount, 12);
    assert.equal(new Model(Mesh.sphere(1)).isClosed && new Model(Mesh.prism(1, 1, 6)).isClosed, true);
  });

  test(`${name}: errors name the place`, () => {
    const [points, triangles] = tetrahedron;
    const refuse = (pattern, make) => assert.throws(make, pattern);
    refuse(/points must have 3 numbers each: 4/, () => new Mesh([1, 2, 3, 4]));
    refuse(/points\[0\] is no number; an array is flat/, () => new Mesh([[0, 0, 0]]));
    refuse(/points must be a Float64Array/, () => new Mesh("123"));
    refuse(/points must be a Float64Array/, () => new Mesh(3));
    refuse(/points must be a Float64Array/, () => new Mesh(new DataView(new ArrayBuffer(24))));
    refuse(/not finite|NaN/i, () => new Mesh([0, 0, NaN, 1, 0, 0, 0, 1, 0]));
    refuse(/9/, () => new Mesh(points, [0, 1, 9]));
    refuse(/triangles\[2\] is no index: -1/, () => new Mesh(points, [0, 1, -1]));
    refuse(/triangles\[1\] is no index: 0.5/, () => new Mesh(points, [0, 0.5, 1]));
    refuse(/2 points are no triangles/, () => new Mesh([0, 0, 0, 1, 1, 1]));
    const model = new Model(new Mesh(points, triangles));
    refuse(/quality must be one of high/, () => new Model(new Mesh(points, triangles), "best"));
    refuse(/12 or 16 numbers, not 3/, () => new Body(model, [1, 2, 3]));
    refuse(/last row of the pose is 5 0 0 1/, () => new Body(model, [1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]));
    const scaled = [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0];
    refuse(/rigid|rotation/, () => new Body(model, scaled));
    assert.deepEqual([...new Body(model, scaled, true).pose], scaled);
    const body = new Body(model);
    refuse(/pose 1: /, () => impinge.intersectsAt(body, model, [...shifted(0), ...scaled]));
    refuse(/13 is no multiple of 12/, () => impinge.pairsAt(body, model, new Float64Array(13)));
    refuse(/-1/, () => impinge.within(body, body, -1));
    refuse(/direction/, () => impinge.rayFirst(body, [0, 0, 0], [0, 0, 0]));
    refuse(/2 origins and 1 directions/, () => impinge.rayFirstEach(body, [0, 0, 0, 1, 1, 1], [0, 0, 1]));
    refuse(/16 pairs of triangles meet, more than 3/, () => impinge.pairs(body, body, 3));
    refuse(/no triangle 4, only 4/, () => impinge.contactPoint(body, 4, body, 0));
    assert.equal(impinge.contactPoint(body, 0, body, 0).meets, true);
  });

  test(`${name}: radii and half-spaces`, () => {
    const model = new Model(Mesh.box(2, 2, 2));
    const [box, ball] = [new Body(model), Body.sphere(0.5, shifted(2))];
    assert.deepEqual([ball.radius, box.radius, [...ball.pose]], [0.5, 0, shifted(2)]);
    assert.equal(impinge.intersects(box, ball), false);
    assert.deepEqual(impinge.distance(box, ball, { exact: true }).hi, 0.5);
    assert.deepEqual([impinge.within(box, ball, 0.5), impinge.within(box, ball, 0.499)], [true, false]);
    ball.setRadius(1);
    // They touch.
    assert.equal(impinge.intersects(ball, box), true);
    assert.equal(impinge.pairs(box, ball).length % 2, 0);
    const { lo, hi } = impinge.closestPoint(ball, [4, 0, 0]);
    assert.ok(lo <= 1 && 1 <= hi && hi - lo < 1e-12, `${lo} ${hi}`);
    assert.deepEqual([...impinge.locate(ball, [2, 0, 0, 4, 0, 0])], [1, 0]);
    const capsule = Body.capsule(1, 4, shifted(3));
    assert.deepEqual(impinge.distance(capsule, box, { exact: true }).hi, 1);
    assert.deepEqual([...impinge.intersectsAt(ball, model, [...shifted(0), ...shifted(-1)])], [1, 0]);
    assert.equal(impinge.sweep(box, Body.sphere(1, shifted(5)), shifted(1)).kind, "contact");

    const floor = Body.halfSpace([0, 0, 1], -1);
    assert.equal(impinge.intersects(box, floor), true);
    const above = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 4];
    const [high, at] = [new Body(model, above), [...shifted(0), ...above]];
    assert.equal(impinge.firstContact(high, floor), undefined);
    assert.deepEqual(impinge.distance(high, floor, { exact: true }).hi, 4);
    assert.equal(impinge.within(high, floor, 4), true);
    assert.deepEqual([...impinge.intersectsAt(floor, model, at)], [1, 0]);
    assert.deepEqual([...impinge.withinAt(floor, model, at, 4)], [1, 1]);
    assert.ok(impinge.distanceAt(floor, model, at).hi[1] >= 4);
    assert.deepEqual([...impinge.pairsAt(floor, model, at).starts], [0, 10, 10]);
    assert.deepEqual([...impinge.firstContactAt(floor, model, at)].slice(2), [-1, -1]);
    const fall = impinge.sweep(floor, high, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -4]);
    assert.ok(fall.kind === "contact" && fall.freeUntil <= 0.5 && 0.5 <= fall.meetsAt);

    for (const use of [() => floor.model, () => floor.pose, () => floor.radius, () => floor.setRadius(1)]) {
      assert.throws(use, { name: "TypeError", message: /half-space, which has no mesh/ });
    }
    assert.throws(() => floor.setPose(above), /half-space/);
    for (const query of ["intersects", "firstContact", "pairs", "distance", "relation", "overlaps", "penetration"]) {
      assert.throws(() => impinge[query](floor, box), /half-space/, query);
    }
    for (const query of ["relation", "overlaps", "penetration"]) {
      assert.throws(() => impinge[query](box, ball), { name: "TypeError", message: /has a radius/ }, query);
    }
    assert.throws(() => impinge.relationAt(ball, model, at), /has a radius/);
    assert.throws(() => impinge.rayFirst(ball, [0, 0, 4], [0, 0, -1]), /has a radius/);
    assert.throws(() => impinge.sweep(box, floor, at), /half-space/);
    assert.throws(() => impinge.locate(floor, [0, 0, 0]), /half-space/);
    assert.throws(() => impinge.contactPoint(box, 0, floor, 0), /half-space/);
    assert.throws(() => Body.halfSpace([0, 0, 0], 1), /normal/);
    assert.throws(() => Body.halfSpace([0, 1], 1), /normal must be 3 numbers/);
    assert.throws(() => Body.halfSpace([0, 0, 1], NaN), /NaN|finite/);
    for (const radius of [-1, NaN, Infinity]) {
      assert.throws(() => ball.setRadius(radius), /radius/);
      assert.throws(() => Body.sphere(radius), /radius/);
    }
    assert.equal(ball.radius, 1);
    assert.throws(() => Body.capsule(1, -1), /height/);
  });

  test(`${name}: curves`, async () => {
    const model = new Model(Mesh.box(2, 2, 2));
    const at = [[1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1], shifted(2), shifted(9)];
    const [a, [b, on, far]] = [new Body(model), at.map((pose) => new Body(model, pose))];
    const { lines, points, patches, length, area } = await impinge.curves(a, b);
    assert.deepEqual([lines.length, points.length, patches, area], [1, 0, 0, [0, 0]]);
    assert.deepEqual(lines[0].slice(0, 3), lines[0].slice(-3));
    assert.ok(length[0] <= 6 && 6 <= length[1] && length[1] - length[0] < 1e-9, `${length}`);
    const touching = await impinge.curves(a, on);
    assert.ok(touching.patches === 1 && touching.area[0] <= 4 && 4 <= touching.area[1]);
    assert.deepEqual((await impinge.curves(a, far)).lines, []);
    const doubled = new Body(model, [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0], true);
    assert.deepEqual((await impinge.curves(doubled, a)).length, [0, 0]);
    await assert.rejects(impinge.curves(a, Body.sphere(1)), { name: "TypeError", message: /has a radius/ });
    await assert.rejects(impinge.curves(Body.halfSpace([0, 0, 1], 0), a), /half-space/);
    await assert.rejects(impinge.curves(a), TypeError);
    // It leaves the bodies as they were.
    assert.equal(impinge.intersects(a, b), true);
  });

  test(`${name}: regions`, () => {
    const box = new Body(new Model(Mesh.box(2, 2, 2)));
    const low = [0, 0, 1, -0.5];
    assert.equal(impinge.trianglesIn(box, low).length, 10);
    assert.equal(impinge.trianglesIn(box, low, true).length, 2);
    assert.equal(impinge.trianglesIn(box, []).length, 12);
    assert.throws(() => impinge.trianglesIn(box, [1, 2, 3]), /planes must have 4 numbers each/);
    assert.throws(() => impinge.trianglesIn(box, [...low, 0, 0, 0, 1]), /plane 1: .*normal/);
    assert.throws(() => impinge.trianglesIn(Body.sphere(1), low), /has a radius/);
  });

  test(`${name}: freed objects are refused, and nothing else breaks`, () => {
    const model = new Model(new Mesh(...tetrahedron));
    const [kept, freed] = [new Body(model), new Body(model)];
    model.free();
    // Bodies hold their model.
    assert.equal(impinge.intersects(kept, freed), true);
    freed.free();
    assert.throws(() => impinge.intersects(kept, freed), /null pointer/);
    assert.throws(() => freed.pose, /null pointer/);
    assert.throws(() => new Body(model), /null pointer/);
    assert.throws(() => impinge.intersects(kept, {}), /expected instance of Body/);
    assert.equal(impinge.intersects(kept, kept), true);
  });

  test(`${name}: scenes`, () => {
    const model = new Model(new Mesh(...tetrahedron));
    const scene = new Scene();
    const [a, b] = [scene.add(model), scene.add(model, shifted(3))];
    scene.update();
    assert.deepEqual(scene.contacts(), []);
    scene.setPose(b, shifted(0.25));
    scene.update("triangles");
    const [contact] = scene.contacts();
    const wanted = impinge.pairs(new Body(model), new Body(model, shifted(0.25)));
    assert.deepEqual([contact.bodies, contact.began, contact.pairs], [[a, b], true, wanted]);
    scene.remove(a);
    assert.throws(() => scene.setPose(a, shifted(0)), /no body 0/);
    // The new body takes the slot of the old one: its number is the greater, and pairs turn with it.
    const c = scene.add(model);
    scene.update("triangles");
    assert.deepEqual(scene.ended(), [[a, b]]);
    assert.deepEqual(scene.contacts()[0].bodies, [b, c]);
    assert.deepEqual(scene.contacts()[0].pairs, impinge.pairs(new Body(model, shifted(0.25)), new Body(model)));
    scene.setAllowed(b, c, true);
    scene.update();
    assert.deepEqual([scene.contacts(), scene.ended()], [[], [[b, c]]]);
    assert.throws(() => scene.update("all"), /detail must be/);

    const floor = scene.addHalfSpace([0, 0, 1], -1);
    scene.update();
    assert.deepEqual(scene.contacts(), []);
    scene.setRadius(c, 1);
    scene.update();
    assert.deepEqual(scene.contacts()[0].bodies, [c, floor]);
    assert.throws(() => scene.setRadius(c, -1), /radius/);
    assert.throws(() => scene.setRadius(floor, 1), /half-space/);
    assert.throws(() => scene.setRadius(99, 1), /no body 99/);
    assert.throws(() => scene.addHalfSpace([0, 0, 0], 1), /normal/);
  });
}

test("the package works in a worker", async () => {
  const text = `import { parentPort } from "node:worker_threads";
    import { Body, Mesh, Model, intersects } from "impinge-compat";
    const body = new Body(new Model(Mesh.box(1, 1, 1)));
    parentPort.postMessage(intersects(body, body));`;
  fs.writeFileSync(new URL("./worker.mjs", import.meta.url), text);
  const worker = new Worker(new URL("./worker.mjs", import.meta.url));
  const answer = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  assert.equal(answer, true);
});
