// Vectors are arrays of three f64 numbers.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);
const unitOf = (a) => scale(a, 1 / (length(a) || 1));

// The centre of a part's mesh relative to a point, in f64: nothing is narrowed far from the clash.
function offsetFrom(part, origin) {
  const [x, y, z, t] = part.pose;
  const centre = data.meshes[part.mesh].centre;
  return add([dot(x, centre), dot(y, centre), dot(z, centre)], subtract(t, origin));
}

// Half of the sides of a box around a part at its pose.
function halfSides(part) {
  const half = data.meshes[part.mesh].half;
  return [0, 1, 2].map((k) => part.pose[k].reduce((sum, r, j) => sum + Math.abs(r) * half[j], 0));
}
