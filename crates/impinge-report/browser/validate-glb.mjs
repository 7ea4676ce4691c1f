// Khronos' validator on the GLB of reports: `node validate-glb.mjs OUT FILE...`. Any error or warning fails.
// OUT is the folder that has the package gltf-validator.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [out, ...files] = process.argv.slice(2).map((place) => path.resolve(place));
const validator = createRequire(path.join(out, "package.json"))("gltf-validator");
assert(files.length > 0, "no file to validate");
for (const file of files) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    maxIssues: 0,
  });
  const grave = issues.messages.filter(({ severity }) => severity < 2);
  assert.deepEqual(grave, [], file);
  console.log(`${path.basename(file)}: ${info.totalTriangleCount} triangles, no error, no warning`);
}
