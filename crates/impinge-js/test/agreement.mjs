// Compares the results of a module with those of the same machine without WebAssembly, bit by bit: the file of
// `cargo run -p impinge-testkit --example agreement`. Runs in Node and in pages.

const snake = (name) => name.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();

// Equal to the last bit: arrays of any type by their numbers; null is undefined.
export function same(found, wanted) {
  if (wanted === null || wanted === undefined) return found === undefined;
  if (typeof wanted !== "object") return Object.is(found, wanted);
  if (Array.isArray(wanted)) {
    const flat = ArrayBuffer.isView(found) ? wanted.flat(Infinity) : wanted;
    return found?.length === flat.length && flat.every((one, k) => same(found[k], one));
  }
  return Object.keys(wanted).every((key) => same(found?.[key], wanted[key]));
}

export function compare(impinge, cases) {
  const { Body, Mesh, Model } = impinge;
  const wrong = [];
  let compared = 0;
  const expect = (what, found, wanted) => {
    compared += 1;
    if (!same(found, wanted)) wrong.push(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  };
  const models = cases.meshes.map((one, k) => {
    const mesh = new Mesh(new Float64Array(one.points.flat()), new Uint32Array(one.triangles.flat()));
    const model = new Model(mesh);
    const [body, at] = [new Body(model), new Float64Array(one.at.flat())];
    expect(`mesh ${k} points`, mesh.points, one.points);
    expect(`mesh ${k} closed`, model.isClosed, one.isClosed);
    expect(`mesh ${k} volume`, model.volume, one.volume);
    expect(`mesh ${k} self`, impinge.selfPairs(model), one.selfPairs);
    expect(`mesh ${k} self`, impinge.selfIntersects(model), one.selfPairs.length > 0);
    expect(`mesh ${k} hull`, Mesh.hull(mesh.points).triangles, one.hull);
    expect(`mesh ${k} locate`, impinge.locate(body, at), one.locate);
    const nearest = impinge.closestPoints(body, at);
    one.nearest.forEach(([lo, hi, triangle, point], i) => {
      const single = impinge.closestPoint(body, at.subarray(3 * i, 3 * i + 3));
      expect(`mesh ${k} nearest ${i}`, single, { lo, hi, triangle, point });
      const found = [nearest.lo[i], nearest.hi[i], nearest.triangles[i], [...nearest.points.subarray(3 * i, 3 * i + 3)]];
      expect(`mesh ${k} nearest ${i}`, found, [lo, hi, triangle, point]);
    });
    const [origins, directions] = ["origin", "direction"].map((part) => one.rays.map((ray) => ray[part]).flat());
    const firsts = impinge.rayFirstEach(body, origins, directions);
    one.rays.forEach(({ origin, direction, hits, first }, i) => {
      const found = impinge.rayAll(body, origin, direction);
      const wanted = hits.map(([triangle, enter, leave, crossing]) => ({ triangle, enter, leave, crossing }));
      expect(`mesh ${k} ray ${i}`, found, wanted);
      expect(`mesh ${k} ray ${i} first`, impinge.rayFirst(body, origin, direction)?.triangle, first);
      expect(`mesh ${k} ray ${i} meets`, impinge.rayMeets(body, origin, direction), first !== null);
      expect(`mesh ${k} ray ${i} of many`, firsts.triangles[i], first ?? -1);
    });
    return model;
  });
  cases.pairs.forEach((one, k) => {
    const [a, b] = one.meshes.map((mesh, i) => new Body(models[mesh], one.poses[i]));
    const [model, poses] = [models[one.meshes[1]], Float64Array.from([...one.poses[1], ...one.poses[1]])];
    const expectThat = (what, found, wanted) => expect(`pair ${k} ${what}`, found, wanted);
    expectThat("intersects", impinge.intersects(a, b), one.intersects);
    expectThat("intersectsAt", impinge.intersectsAt(a, model, poses), [+one.intersects, +one.intersects]);
    expectThat("pairs", impinge.pairs(a, b), one.pairs);
    const lists = impinge.pairsAt(a, model, poses);
    expectThat("pairsAt", lists.pairs, [...one.pairs, ...one.pairs]);
    expectThat("pairsAt starts", lists.starts, [0, one.pairs.length, 2 * one.pairs.length]);
    // Any pair that meets is right.
    const first = impinge.firstContact(a, b);
    const isOne = (pair) => one.pairs.some(([i, j]) => i === pair[0] && j === pair[1]);
    expectThat("firstContact", first === undefined ? !one.intersects : isOne(first), true);
    const at = impinge.firstContactAt(a, model, poses);
    expectThat("firstContactAt", one.intersects ? isOne(at) : at[0] === -1, true);
    expectThat("distance", impinge.distance(a, b), one.distance);
    expectThat("exact distance", impinge.distance(a, b, { exact: true }), one.exact);
    const distances = impinge.distanceAt(a, model, poses);
    expectThat("distanceAt", [distances.lo[1], distances.hi[1]], one.distance && [one.distance.lo, one.distance.hi]);
    expectThat("within", impinge.within(a, b, 0.125), one.within);
    expectThat("withinAt", impinge.withinAt(a, model, poses, 0.125), [+one.within, +one.within]);
    expectThat("overlaps", impinge.overlaps(a, b), one.overlaps);
    const kind = snake(one.relation.kind);
    expectThat("relation", impinge.relation(a, b), { ...one.relation, kind });
    expectThat("relationAt", impinge.relationAt(a, model, poses), [kind, kind]);
    expectThat("penetration", impinge.penetration(a, b), one.penetration);
    expectThat("sweep", impinge.sweep(a, b, one.to), one.sweep);
    a.free();
    b.free();
  });
  cases.near.forEach((one, k) => {
    const bodies = one.points.map((points, i) => new Body(new Model(new Mesh(points.flat())), one.poses[i], true));
    expect(`near ${k}`, impinge.intersects(...bodies), one.intersects);
    expect(`near ${k} distance`, impinge.distance(...bodies, { exact: true }), one.distance);
    bodies.forEach((body) => body.free());
  });
  return { compared, wrong };
}
