// Draws meshes with WebGL2: flat shading, a section plane, and numbers of parts for picking.
const VERTEX = `#version 300 es
uniform mat3 turn; uniform vec3 offset; uniform mat4 projection;
in vec3 point; out vec3 at;
void main() { at = turn * point + offset; gl_Position = projection * vec4(at, 1.0); }`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color; uniform vec4 plane; uniform vec3 eye; uniform bool striped;
in vec3 at; out vec4 shade;
void main() {
  if (dot(at, plane.xyz) > plane.w) discard;
  if (striped && mod(floor((gl_FragCoord.x + gl_FragCoord.y) / 7.0), 2.0) > 0.5) discard;
  vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
  float light = 0.45 + 0.55 * abs(dot(normal, normalize(eye - at)));
  shade = vec4(color.rgb * light, 1.0) * color.a;
}`;
const FRAGMENT_NUMBER = `#version 300 es
precision highp float;
uniform vec4 color; uniform vec4 plane; uniform bool striped;
in vec3 at; out vec4 shade;
void main() {
  if (dot(at, plane.xyz) > plane.w) discard;
  if (striped && mod(floor((gl_FragCoord.x + gl_FragCoord.y) / 7.0), 2.0) > 0.5) discard;
  shade = color;
}`;
const NO_PLANE = [0, 0, 0, 1];

// An object that draws on a canvas; null without WebGL2.
function createRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, stencil: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const link = (fragment) => {
    const program = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "point");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const names = ["turn", "offset", "projection", "color", "plane", "eye", "striped"];
    return {
      program,
      at: Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)])),
    };
  };
  const shaded = link(FRAGMENT);
  const numbered = link(FRAGMENT_NUMBER);
  const uploaded = new Map();

  function upload(number, mesh) {
    if (uploaded.has(number)) return uploaded.get(number);
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, mesh.points, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.corners, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    const made = { array, count: mesh.corners.length };
    uploaded.set(number, made);
    return made;
  }

  function drawItems(kind, items, camera, plane) {
    gl.useProgram(kind.program);
    gl.uniformMatrix4fv(kind.at.projection, false, camera.matrix);
    gl.uniform4fv(kind.at.plane, plane);
    gl.uniform3fv(kind.at.eye, camera.eye);
    for (const item of items) {
      gl.uniformMatrix3fv(kind.at.turn, true, item.turn);
      gl.uniform3fv(kind.at.offset, item.offset);
      gl.uniform4fv(kind.at.color, kind === shaded ? item.color : numberColor(item.number));
      gl.uniform1i(kind.at.striped, item.striped ? 1 : 0);
      // Of two surfaces in one plane the second part's is in front, so that they do not flicker.
      if (item.front) {
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(-1, -1);
      }
      gl.bindVertexArray(item.mesh.array);
      gl.drawElements(gl.TRIANGLES, item.mesh.count, gl.UNSIGNED_INT, 0);
      gl.disable(gl.POLYGON_OFFSET_FILL);
    }
  }
  const numberColor = (n) => [(n & 255) / 255, ((n >> 8) & 255) / 255, ((n >> 16) & 255) / 255, 1];

  // Draws parts, then the nearest surface of the ghosts, which is translucent.
  function draw(items, ghosts, camera, plane, background) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    drawItems(shaded, items, camera, plane);
    if (!ghosts.length) return;
    gl.colorMask(false, false, false, false);
    drawItems(shaded, ghosts, camera, plane);
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    drawItems(shaded, ghosts, camera, plane);
    gl.disable(gl.BLEND);
  }

  let target = null;
  // The numbers of the parts at each pixel of a picture of that size, 0 where there is none. The page goes on
  // until they are drawn, as millions of triangles take a second without a graphics card.
  async function numbers(items, camera, plane, width, height) {
    if (!target || target.width !== width || target.height !== height) {
      if (target) target.release();
      const frame = gl.createFramebuffer();
      const buffers = [gl.createRenderbuffer(), gl.createRenderbuffer()];
      gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
      for (const [buffer, format, place] of [
        [buffers[0], gl.RGBA8, gl.COLOR_ATTACHMENT0],
        [buffers[1], gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
      ]) {
        gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
        gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
      }
      const release = () => {
        gl.deleteFramebuffer(frame);
        buffers.forEach((b) => gl.deleteRenderbuffer(b));
      };
      target = { frame, width, height, release };
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    drawItems(numbered, items, camera, plane);
    const bytes = new Uint8Array(4 * width * height);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, bytes.length, gl.STREAM_READ);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    do await new Promise((wake) => setTimeout(wake));
    while (drawn && gl.clientWaitSync(drawn, 0, 0) === gl.TIMEOUT_EXPIRED);
    gl.deleteSync(drawn);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, bytes);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.deleteBuffer(buffer);
    const found = new Uint32Array(width * height);
    for (let i = 0; i < found.length; i++)
      found[i] = bytes[4 * i] | (bytes[4 * i + 1] << 8) | (bytes[4 * i + 2] << 16);
    return found;
  }
  // Sets up the program that draws points as they are; returns what frees them.
  function drawPlain(points, camera, plane) {
    const [buffer, array] = [gl.createBuffer(), gl.createVertexArray()];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.useProgram(numbered.program);
    gl.uniformMatrix4fv(numbered.at.projection, false, camera.matrix);
    gl.uniform4fv(numbered.at.plane, plane);
    gl.uniformMatrix3fv(numbered.at.turn, false, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    gl.uniform3fv(numbered.at.offset, [0, 0, 0]);
    gl.uniform1i(numbered.at.striped, 0);
    gl.disable(gl.DEPTH_TEST);
    return () => {
      gl.deleteVertexArray(array);
      gl.deleteBuffer(buffer);
    };
  }

  // Fills flat patches on top of the parts, each given by the lines around it and its holes. A patch is where
  // fans around its lines overlap an odd number of times.
  function drawPatches(patches, camera) {
    if (!patches.length) return;
    const [points, ends] = [[], []];
    for (const lines of patches.filter((lines) => lines.length)) {
      const first = lines[0].slice(0, 3);
      for (const line of lines)
        for (let i = 3; i < line.length; i += 3) points.push(...first, ...line.slice(i - 3, i + 3));
      ends.push(points.length / 3);
    }
    const free = drawPlain(new Float32Array(points), camera, NO_PLANE);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform4fv(numbered.at.color, [0.42, 0.06, 0.1, 0.5]);
    gl.clear(gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.STENCIL_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    ends.forEach((end, i) => {
      const start = i ? ends[i - 1] : 0;
      gl.colorMask(false, false, false, false);
      gl.stencilFunc(gl.ALWAYS, 0, 1);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INVERT);
      gl.drawArrays(gl.TRIANGLES, start, end - start);
      gl.colorMask(true, true, true, true);
      gl.stencilFunc(gl.NOTEQUAL, 0, 1);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.ZERO);
      gl.drawArrays(gl.TRIANGLES, start, end - start);
    });
    gl.disable(gl.BLEND);
    gl.disable(gl.STENCIL_TEST);
    free();
  }

  // Draws segments on top of everything: white with a dark border, which is the same lines moved by a pixel.
  function drawLines(points, camera, plane) {
    const free = drawPlain(points, camera, plane);
    for (const [x, y] of [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0]]) {
      gl.viewport(x, y, canvas.width, canvas.height);
      gl.uniform4fv(numbered.at.color, x || y ? [0, 0, 0, 1] : [1, 1, 1, 1]);
      gl.drawArrays(gl.LINES, 0, points.length / 3);
    }
    free();
  }
  return { upload, draw, drawPatches, drawLines, numbers };
}
