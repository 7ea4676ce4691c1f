// Tests of the adapter for three.js in Node.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { intersects, intersectsAt, pairs } from "impinge-compat";
import { ObjectScene, bodyOf, meshOf, modelOf, posesOf } from "impinge-compat/three";

test("geometries become meshes", () => {
  const geometry = new THREE.BoxGeometry(1, 2, 3);
  const mesh = meshOf(geometry);
  assert.equal(mesh.triangleCount, 12);
  assert.deepEqual([...mesh.points], Array.from(geometry.attributes.position.array));
  assert.equal(meshOf(geometry.toNonIndexed()).triangleCount, 12);
  const buffer = new THREE.InterleavedBuffer(new Float32Array([0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9]), 4);
  const interleaved = new THREE.BufferGeometry();
  interleaved.setAttribute("position", new THREE.InterleavedBufferAttribute(buffer, 3, 0));
  assert.deepEqual([...meshOf(interleaved).points], [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  assert.throws(() => meshOf(new THREE.BufferGeometry()), /no positions/);
});

test("a model is made again only after a change", () => {
  const geometry = new THREE.BoxGeometry(1, 1, 1);
  const model = modelOf(geometry);
  assert.equal(modelOf(geometry), model);
  geometry.attributes.position.setX(0, 5);
  geometry.attributes.position.needsUpdate = true;
  assert.notEqual(modelOf(geometry), model);
  assert.equal(modelOf(geometry).mesh.points[0], 5);
});

test("objects are where their parents put them", () => {
  const [parent, geometry] = [new THREE.Group(), new THREE.BoxGeometry(1, 1, 1)];
  const [a, b] = [new THREE.Mesh(geometry), new THREE.Mesh(geometry)];
  parent.position.set(10, 0, 0);
  parent.scale.set(2, 2, 2);
  parent.add(b);
  a.position.set(8, 0, 0);
  assert.equal(intersects(bodyOf(a), bodyOf(b)), false);
  a.position.set(8.5, 0, 0);
  assert.equal(intersects(bodyOf(a), bodyOf(b)), true, "their faces touch");
});

test("scenes of objects, and instances", () => {
  const [root, geometry] = [new THREE.Scene(), new THREE.SphereGeometry(1)];
  const objects = [0, 1.5, 6].map((x) => {
    const object = new THREE.Mesh(geometry);
    object.position.x = x;
    root.add(object);
    return object;
  });
  const scene = new ObjectScene(root);
  const [contact, ...others] = scene.update("triangles");
  assert.equal(others.length, 0);
  assert.deepEqual(contact.objects, objects.slice(0, 2));
  assert.deepEqual(contact.pairs, pairs(bodyOf(objects[0]), bodyOf(objects[1])));
  objects[2].position.x = 3;
  assert.deepEqual(scene.update().map(({ began }) => began), [false, true]);
  scene.free();
  const instanced = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial(), 3);
  [0, 1.5, 6].forEach((x, k) => instanced.setMatrixAt(k, new THREE.Matrix4().makeTranslation(x, 0, 0)));
  instanced.position.x = 1;
  const meet = intersectsAt(bodyOf(objects[0]), modelOf(geometry), posesOf(instanced), true);
  assert.deepEqual([...meet], [1, 0, 0]);
});
