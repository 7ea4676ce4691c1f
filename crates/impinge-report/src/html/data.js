// What the page was written with: findings as JSON, meshes as lines of base64 text.
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const unit = data.unit ?? "";

// By number of a mesh: its text, and its promise once it is unpacked.
const meshTexts = new Map();
for (const line of byId("meshes").textContent.split("\n")) {
  const blank = line.indexOf(" ");
  if (blank > 0) meshTexts.set(Number(line.slice(0, blank)), line.slice(blank + 1));
}
byId("meshes").textContent = "";
const meshes = new Map();

// The points and triangles of a mesh; null if the file does not have it.
function loadMesh(number) {
  if (!meshes.has(number)) {
    const text = meshTexts.get(number);
    meshes.set(number, text === undefined ? Promise.resolve(null) : unpack(text));
  }
  return meshes.get(number);
}

async function unpack(text) {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const [points, triangles] = new Uint32Array(bytes.buffer, 0, 2);
  // Numbers lie byte by byte, all first bytes before all second ones.
  const gather = (start, count) => {
    const all = new Uint8Array(4 * count);
    for (let k = 0; k < 4; k++) for (let i = 0; i < count; i++) all[4 * i + k] = bytes[start + k * count + i];
    return all.buffer;
  };
  const corners = new Uint32Array(gather(8 + 12 * points, 3 * triangles));
  for (let i = 1; i < corners.length; i++) corners[i] += corners[i - 1];
  return { points: new Float32Array(gather(8, 3 * points)), corners };
}

const number = (n) => n.toLocaleString("en");
const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
const partOf = (index) => data.parts[index];
// A part of a finding, where it is then: a gap along a motion has moved one.
const partIn = ({ moved }, index) =>
  moved?.part === index ? { ...partOf(index), pose: moved.pose } : partOf(index);
// A finding that is gone has the names of its parts, and the name of a test that may be gone, too.
const namesOf = (finding) => finding.names ?? finding.parts.map((part) => partOf(part).name);
const testOf = (finding) => finding.testName ?? data.tests[finding.test].name;
const severityOf = (finding) => data.tests[finding.test]?.severity ?? "";
data.findings.forEach((finding, index) => {
  finding.index = index;
});
// Findings of the baseline that this check does not have. They are in no group, and have no view.
const gone = data.gone.map(({ id, fate, test, names, word, volume }) => ({
  key: id,
  isGone: true,
  status: fate,
  testName: test,
  test: data.tests.findIndex((one) => one.name === test),
  names,
  word,
  parts: [],
  sizes: [],
  texts: [volume],
}));
// Every finding is in one group.
const groups = data.groups.map((group) => ({
  ...group,
  findings: group.findings.map((i) => data.findings[i]),
}));
for (const group of groups) for (const finding of group.findings) finding.group = group;
groups.forEach((group, index) => {
  group.index = index;
});

// An element with text, attributes and children. Text is text, whatever characters it has.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The names of a finding's parts, or the labels of its group. Of two, each has its letter and its colour.
function namesElement(labels, attributes = {}) {
  const names = element("div", { class: "names", ...attributes });
  labels.forEach((label, i) => {
    if (i) names.append(" × ");
    if (labels.length > 1) names.append(element("span", { class: `letter ${"ab"[i]}` }, "AB"[i]));
    names.append(
      element("bdi", { class: "ab"[i] + (label.length > 24 ? " long" : ""), title: label }, label),
    );
  });
  return names;
}
