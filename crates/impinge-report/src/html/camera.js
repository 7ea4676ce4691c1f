// A camera looks at a target, which is relative to the clash. Angles are in radians; z is up.
const FIELD = 0.6;

// The camera's matrix (column-major) and its place, for a picture with this ratio of width to height.
function placed({ target, yaw, pitch, distance }, aspect, reach) {
  const back = [Math.cos(pitch) * Math.cos(yaw), Math.cos(pitch) * Math.sin(yaw), Math.sin(pitch)];
  const right = [-Math.sin(yaw), Math.cos(yaw), 0];
  const up = cross(back, right);
  const eye = add(target, scale(back, distance));
  const f = 1 / Math.tan(FIELD / 2);
  const [near, far] = [distance * 0.02, distance + Math.max(reach, 4 * distance)];
  const [depth, shift] = [(near + far) / (near - far), (2 * near * far) / (near - far)];
  const rows = [
    scale(right, f / Math.max(1, aspect)),
    scale(up, f * Math.min(1, aspect)),
    scale(back, depth),
    scale(back, -1),
  ];
  rows[0][3] = -dot(rows[0], eye);
  rows[1][3] = -dot(rows[1], eye);
  rows[2][3] = -dot(rows[2], eye) + shift;
  rows[3][3] = -dot(rows[3], eye);
  const matrix = new Float32Array(16);
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) matrix[4 * j + i] = rows[i][j];
  return { matrix, rows, eye, back, right, up };
}

// Where a point is in the picture, from 0 to 1 from the top left corner.
function projected({ rows }, point) {
  const [x, y, , w] = rows.map((row) => dot(row, point) + row[3]);
  return [0.5 + x / w / 2, 0.5 - y / w / 2];
}

const DIRECTIONS = [
  [0.8, 0.5],
  [2.4, 0.5],
  [-0.8, 0.5],
  [-2.4, 0.5],
  [0, 0.1],
  [1.57, 0.1],
  [3.14, 0.1],
  [-1.57, 0.1],
  [0.8, 1.3],
  [0.8, -0.5],
  [2.4, -0.5],
  [-0.8, -0.5],
  [-2.4, -0.5],
  [0.8, -1.3],
];
const SIZE = 48;
// The time in ms after which the search for a camera ends. In a hidden page timers are slow.
const PATIENCE = 2000;
const distanceOf = (zoom, radius) => (zoom * radius * 1.15) / Math.sin(FIELD / 2);

// A camera that the file holds: the number of its direction, how near it is, whether a section opens the parts.
function storedCamera([direction, zoom, isCut], radius) {
  const [yaw, pitch] = DIRECTIONS[direction];
  return { camera: { target: [0, 0, 0], yaw, pitch, distance: distanceOf(zoom, radius) }, isCut: isCut === 1 };
}

// The camera from which both parts are best visible: the widest picture in which each covers a fortieth, else
// the one in which the smaller share is largest. Where none shows both, as of a part inside another, a section
// through the clash does. `radius` is that of a sphere around the smaller part. Where drawing is slow, the
// search ends early.
async function bestCamera(renderer, items, radius, aspect, reach) {
  let [best, spent] = [null, 0];
  for (const isCut of [false, true]) {
    for (const zoom of [2.2, 1.5, 1, 0.55, 0.3, 0.12, 0.04]) {
      for (const [yaw, pitch] of DIRECTIONS) {
        const camera = {
          target: [0, 0, 0],
          yaw,
          pitch,
          distance: distanceOf(zoom, radius),
        };
        const at = placed(camera, aspect, reach);
        const plane = isCut ? [...at.back, 0] : NO_PLANE;
        const begin = performance.now();
        const found = await renderer.numbers(items, at, plane, SIZE, SIZE);
        if (!document.hidden) spent += performance.now() - begin;
        const shares = items.map(
          ({ number }) => found.reduce((n, f) => n + (f === number), 0) / found.length,
        );
        const score = Math.min(...shares);
        if (!best || score > best.score) best = { camera, isCut, score };
        if (spent > PATIENCE) return { ...best, isCut: isCut || best.score < 0.02 };
      }
      if (best.score >= 0.025) return best;
    }
    if (best.score >= 0.02) return best;
  }
  return best;
}
