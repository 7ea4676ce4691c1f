// The view of one finding: its parts in two colours, neighbours as ghosts, a section, and a camera.
const COLORS = [
  [0.16, 0.47, 0.92, 1],
  [0.96, 0.55, 0.1, 1],
];
const COLOR_NAMES = ["blue", "orange"];
const MOST_GHOSTS = 400;
const MOST_GHOST_TRIANGLES = 600000;

// The segments of lines, two points each.
function segments(lines) {
  const points = [];
  for (const line of lines) {
    for (let i = 3; i < line.length; i += 3) points.push(...line.slice(i - 3, i + 3));
  }
  return new Float32Array(points);
}

function createView() {
  const [canvas, marker, message, picked, legend] = ["canvas", "marker", "message", "picked", "legend"].map(byId);
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  let renderer = null;
  let failure = "This browser has no WebGL2: the list works, the 3D view does not.";
  try {
    renderer = createRenderer(canvas);
  } catch (error) {
    failure = `The 3D view does not work: ${error.message}`;
  }
  const state = {
    finding: null,
    items: [],
    ghosts: [],
    lines: [],
    patches: [],
    // Width and height of a picture for print; null on the screen.
    print: null,
    camera: null,
    home: null,
    radius: 1,
    reach: 1,
    turn: 0,
  };
  const say = (text) => {
    message.hidden = !text;
    message.textContent = text;
  };
  const aspect = () => canvas.width / canvas.height || 1;
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    renderer = null;
    say("The graphics driver stopped the 3D view. Reload the page to get it back.");
  });

  // A part as the renderer draws it, relative to the origin; null if the file does not have its mesh. In a
  // finding a part may have moved.
  async function itemOf(index, origin, color, { striped = false, front = false, finding = null } = {}) {
    const part = finding ? partIn(finding, index) : partOf(index);
    const mesh = part.triangles ? await loadMesh(part.mesh) : null;
    if (!mesh || !renderer) return null;
    const turn = new Float32Array(part.pose.slice(0, 3).flat());
    const offset = new Float32Array(offsetFrom(part, origin));
    return { mesh: renderer.upload(part.mesh, mesh), turn, offset, color, striped, front, number: index + 1 };
  }

  // Which part has which colour, in words.
  function explain(finding) {
    const stripes = finding.kind === "duplicate" ? ", striped" : "";
    const line = (index, i) =>
      element(
        "div",
        {},
        element("span", { class: `swatch ${"ab"[i]}` }),
        finding.parts.length > 1 ? `${"AB"[i]}, ${COLOR_NAMES[i]}${i ? stripes : ""}: ` : "",
        element("bdi", {}, partOf(index).name),
        finding.moved?.part === index ? `, at pose ${finding.moved.place}` : "",
      );
    legend.replaceChildren(...finding.parts.map(line));
    legend.hidden = false;
  }

  // The distance of the farthest corner of a part's box from the origin.
  function reachOf(part, origin) {
    const [offset, half] = [offsetFrom(part, origin), halfSides(part)];
    return length([0, 1, 2].map((k) => Math.abs(offset[k]) + half[k]));
  }

  function plane() {
    const mode = byId("section").value;
    if (mode === "off" || !state.camera) return NO_PLANE;
    const { back } = placed(state.camera, aspect(), state.reach);
    let normal = back;
    if (mode === "contact" && state.finding?.normal) {
      normal = unitOf(state.finding.normal);
      // What lies towards the viewer is cut away.
      if (dot(normal, back) < 0) normal = scale(normal, -1);
    }
    return [...normal, byId("depth").value ** 3 * state.radius];
  }

  let isAsked = false;
  function draw() {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      drawNow();
    });
  }
  function drawNow() {
    if (!renderer || !state.camera) return;
    resize();
    const camera = placed(state.camera, aspect(), state.reach);
    const background = isDark.matches && !state.print ? [0.1, 0.12, 0.15] : [0.93, 0.94, 0.96];
    const ghosts = byId("ghosts").checked ? state.ghosts : [];
    renderer.draw(state.items, ghosts, camera, plane(), background);
    // A section leaves the contact whole: it shows where the cut parts meet.
    renderer.drawPatches(state.patches, camera);
    if (state.lines.length) renderer.drawLines(state.lines, camera, NO_PLANE);
    if (state.print && state.finding?.point) renderer.drawLines(ring(camera), camera, NO_PLANE);
    const [x, y] = projected(camera, [0, 0, 0]);
    marker.hidden = !state.finding?.point;
    marker.style.left = `${100 * x}%`;
    marker.style.top = `${100 * y}%`;
  }

  // The marker of a picture for print, where the page cannot lie on top.
  function ring({ right, up }) {
    const radius = (13 * 2 * state.camera.distance * Math.tan(FIELD / 2)) / Math.min(...state.print);
    const at = (i) => {
      const angle = (i * 2 * Math.PI) / 48;
      return add(scale(right, radius * Math.cos(angle)), scale(up, radius * Math.sin(angle)));
    };
    return segments([Array.from({ length: 49 }, (_, i) => at(i)).flat()]);
  }

  // Shows a finding. A later call takes over from one that still waits for meshes.
  async function show(finding) {
    const turn = ++state.turn;
    canvas.dataset.state = "loading";
    picked.hidden = true;
    legend.hidden = true;
    const done = () => {
      canvas.dataset.state = "ready";
    };
    if (!data.has_meshes) {
      say("This report has no meshes: it was put together from tasks.");
      return done();
    }
    if (!renderer) {
      say(failure);
      return done();
    }
    const [first] = finding.parts;
    const origin = finding.point ?? offsetFrom(partIn(finding, first), [0, 0, 0]);
    const isSame = finding.kind === "duplicate";
    const items = await Promise.all(
      finding.parts.map((part, i) =>
        itemOf(part, origin, COLORS[i], { striped: isSame && i === 1, front: i === 1, finding }),
      ),
    );
    if (turn !== state.turn) return;
    const shown = items.filter(Boolean);
    const reaches = finding.parts.map((index) => reachOf(partIn(finding, index), origin));
    const radius = Math.min(...reaches) || 1;
    const reach = Math.max(...reaches, radius);
    resize();
    const best = shown.length === items.length && finding.look
      ? storedCamera(finding.look, radius)
      : shown.length
      ? await bestCamera(renderer, shown, radius, aspect(), reach)
      : { camera: { target: [0, 0, 0], yaw: 0.8, pitch: 0.5, distance: 4 * radius }, isCut: false };
    if (turn !== state.turn) return;
    const missing = finding.parts.filter((_, i) => !items[i]).map((part) => partOf(part).name);
    say(missing.length ? `Not in this file, as --max-size left its mesh out: ${missing.join(", ")}` : "");
    explain(finding);
    state.finding = finding;
    state.items = shown;
    state.ghosts = [];
    const { curves = [], patches = [] } = finding.contact ?? {};
    state.lines = segments([...curves, ...patches.flat()]);
    // The patch of equal parts is all of their surface.
    state.patches = isSame ? [] : patches;
    state.radius = radius;
    state.reach = reach;
    state.home = best;
    byId("section").value = best.isCut ? "view" : "off";
    byId("depth").value = 0;
    byId("depth").disabled = !best.isCut;
    await fly(best.camera, turn);
    if (turn !== state.turn) return;
    await addGhosts(finding, origin, turn);
    if (turn === state.turn) {
      drawNow();
      done();
    }
  }
  function resize() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const [width, height] =
      state.print ??
      [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * ratio)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  }

  // Moves the camera to a place, from where it was turned to last.
  function fly(to, turn) {
    const from = state.camera ? { ...state.camera, target: to.target, distance: 2.5 * to.distance } : to;
    if (isStill.matches || document.hidden || state.print || from === to) {
      state.camera = { ...to };
      return Promise.resolve(drawNow());
    }
    const start = performance.now();
    // The short way round.
    const yaw = from.yaw + ((((to.yaw - from.yaw) % (2 * Math.PI)) + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    return new Promise((finish) => {
      const step = (now) => {
        if (turn !== state.turn) return finish();
        const share = Math.min(1, Math.max(0, now - start) / 300);
        const s = share * share * (3 - 2 * share);
        const mix = (a, b) => a + (b - a) * s;
        state.camera = {
          target: to.target,
          yaw: mix(from.yaw, yaw),
          pitch: mix(from.pitch, to.pitch),
          distance: mix(from.distance, to.distance),
        };
        drawNow();
        if (share < 1) requestAnimationFrame(step);
        else finish();
      };
      requestAnimationFrame(step);
    });
  }

  // Parts whose boxes reach into the picture, the nearest first.
  async function addGhosts(finding, origin, turn) {
    const reach = 2 * state.camera.distance * Math.sin(FIELD / 2);
    const near = [];
    data.parts.forEach((part, index) => {
      if (!meshTexts.has(part.mesh) || finding.parts.includes(index)) return;
      const [offset, half] = [offsetFrom(part, origin), halfSides(part)];
      const gap = length([0, 1, 2].map((k) => Math.max(0, Math.abs(offset[k]) - half[k])));
      if (gap < reach) near.push([gap, index]);
    });
    near.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let triangles = 0;
    const chosen = near
      .slice(0, MOST_GHOSTS)
      .filter(([, index]) => (triangles += partOf(index).triangles) < MOST_GHOST_TRIANGLES);
    const gray = isDark.matches ? [0.75, 0.78, 0.82, 0.16] : [0.35, 0.38, 0.42, 0.16];
    const ghosts = await Promise.all(chosen.map(([, index]) => itemOf(index, origin, gray)));
    if (turn !== state.turn) return;
    state.ghosts = ghosts.filter(Boolean);
    const left = near.length - state.ghosts.length;
    canvas.dataset.ghosts = state.ghosts.length;
    byId("ghosts").parentElement.title =
      left > 0 ? `${state.ghosts.length} of ${near.length} parts nearby are drawn` : "";
  }

  function reset() {
    if (!state.home) return;
    state.camera = { ...state.home.camera };
    byId("section").value = state.home.isCut ? "view" : "off";
    byId("depth").value = 0;
    byId("depth").disabled = !state.home.isCut;
    draw();
  }
  function turnBy(x, y) {
    if (!state.camera) return;
    state.camera.yaw -= x;
    state.camera.pitch = Math.min(1.57, Math.max(-1.57, state.camera.pitch + y));
    draw();
  }
  function zoom(factor) {
    if (!state.camera) return;
    state.camera.distance = Math.min(
      100 * state.reach,
      Math.max(1e-6 * state.radius, state.camera.distance * factor),
    );
    draw();
  }
  function pan(x, y) {
    if (!state.camera) return;
    const { right, up } = placed(state.camera, aspect(), state.reach);
    const size =
      (2 * state.camera.distance * Math.tan(FIELD / 2)) / Math.min(canvas.clientWidth, canvas.clientHeight);
    state.camera.target = add(state.camera.target, add(scale(right, -x * size), scale(up, y * size)));
    draw();
  }
  // Shows the name of the part at a place of the canvas.
  async function pick(x, y) {
    if (!renderer || !state.camera) return;
    const turn = state.turn;
    const ghosts = byId("ghosts").checked ? state.ghosts : [];
    const camera = placed(state.camera, aspect(), state.reach);
    // The parts of the finding come before ghosts that veil them.
    const { width, height } = canvas;
    const pixel = (height - 1 - Math.floor(y * height)) * width + Math.floor(x * width);
    const at = async (items) => (await renderer.numbers(items, camera, plane(), width, height))[pixel];
    const number = (await at(state.items)) || (await at(ghosts));
    if (turn !== state.turn) return;
    picked.hidden = !number;
    if (!number) return;
    const part = partOf(number - 1);
    const more = [part.class, part.guid, data.files[part.file]].filter(Boolean).join(" · ");
    picked.replaceChildren(element("bdi", {}, part.name), " · ", element("bdi", {}, more));
  }

  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [x, y] = [event.clientX - before[0], event.clientY - before[1]];
    const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved += Math.abs(x) + Math.abs(y);
    if (others.length) {
      const apart = ([a, b]) => Math.hypot(a - others[0][1][0], b - others[0][1][1]) || 1;
      zoom(apart(before) / apart([event.clientX, event.clientY]));
      pan(x / 2, y / 2);
    } else if (event.shiftKey || event.buttons & 6) pan(x, y);
    else turnBy(x * 0.008, y * 0.008);
  });
  const release = (event) => {
    if (event.type === "pointerup" && pointers.size === 1 && moved < 4) {
      const box = canvas.getBoundingClientRect();
      pick((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }
    pointers.delete(event.pointerId);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(event.deltaY * 0.0015));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const step = turns[event.key];
    if (step && event.shiftKey) pan(step[0] * 200, step[1] * 200);
    else if (step) turnBy(...step);
    else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId("section").addEventListener("change", () => {
    byId("depth").disabled = byId("section").value === "off";
    draw();
  });
  byId("depth").addEventListener("input", draw);
  byId("ghosts").addEventListener("change", draw);
  byId("fit").addEventListener("click", reset);
  isDark.addEventListener("change", draw);
  new ResizeObserver(draw).observe(canvas);
  const hasContact = (finding) => Boolean(finding.normal);
  return {
    show(finding) {
      const contact = byId("section").querySelector("[value=contact]");
      contact.disabled = !hasContact(finding);
      return show(finding);
    },
    // The picture of a finding for print, as a data URL; null if there is none. Afterwards the view has to
    // show a finding again.
    async picture(finding) {
      state.print = [960, 640];
      await show(finding);
      const is = renderer && state.finding === finding && state.items.length > 0;
      const picture = is ? canvas.toDataURL("image/png") : null;
      state.print = null;
      return picture;
    },
    // Shows nothing, and why.
    clear(text) {
      state.turn++;
      state.finding = null;
      [state.items, state.ghosts, state.lines, state.patches] = [[], [], [], []];
      canvas.dataset.ghosts = 0;
      for (const one of [marker, picked, legend]) one.hidden = true;
      drawNow();
      say(text);
      canvas.dataset.state = "ready";
    },
  };
}
