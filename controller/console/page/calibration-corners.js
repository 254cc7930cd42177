// Four corners on the picture: dragged by mouse or finger, moved by keys, magnified.

import { $, element } from "/dom.js";

const NAMES = ["top left", "top right", "bottom right", "bottom left"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MAGNIFIED = 8;
const CALM_MS = 1500;

let corners = null;
let size = [1280, 720];
let chosen = 0;
let told = () => {};
let calm = 0;

export const cornersPx = () => corners;

// Whether they fold over or cross: a table goes round to the right at each of them.
export function crossed() {
  return corners.some(([x, y], number) => {
    const [ax, ay] = corners[(number + 1) % 4];
    const [bx, by] = corners[(number + 2) % 4];
    return (ax - x) * (by - ay) - (ay - y) * (bx - ax) <= 0;
  });
}

export function onMoved(listener) {
  told = listener;
}

// Corners in pixels of the picture, TL TR BR BL; null takes them away.
export function setCorners(places, sizePx) {
  size = sizePx;
  corners = places && places.map(([x, y]) => [x, y]);
  putAwayMagnifier();
  $("handles").hidden = $("nudge").hidden = $("keys").hidden = !corners;
  if (!corners) return;
  if ($("handles").children.length === 0) $("handles").append(...NAMES.map(makeHandle));
  draw();
}

export function drawMagnifier() {
  if ($("magnifier").hidden || !corners) return;
  const [x, y] = corners[chosen];
  const picture = $("picture");
  if (!picture.naturalWidth) return;
  const canvas = $("magnifier");
  const pen = canvas.getContext("2d");
  const span = canvas.width / MAGNIFIED;
  const scale = picture.naturalWidth / size[0];
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = "#12151a";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(
    picture,
    (x + 0.5 - span / 2) * scale, (y + 0.5 - span / 2) * scale, span * scale, span * scale,
    0, 0, canvas.width, canvas.height,
  );
  const middle = canvas.width / 2;
  for (const [colour, width] of [["#000", 4], ["#ffe14d", 1.5]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(middle, 0);
    pen.lineTo(middle, canvas.height);
    pen.moveTo(0, middle);
    pen.lineTo(canvas.width, middle);
    pen.stroke();
  }
}

function makeHandle(name, number) {
  const handle = element("button", { type: "button", className: "handle", data: { corner: String(number) } });
  handle.addEventListener("pointerdown", (event) => grab(event, handle, number));
  handle.addEventListener("focus", () => choose(number));
  handle.addEventListener("blur", putAwayMagnifier);
  handle.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    if (!way || event.altKey || event.metaKey) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : event.ctrlKey ? 0.1 : 1;
    move(number, way[0] * step, way[1] * step);
  });
  return handle;
}

// The corner moves as far as the pointer does, so that a finger need not cover it.
function grab(event, handle, number) {
  event.preventDefault();
  handle.focus();
  handle.setPointerCapture(event.pointerId);
  const from = [event.clientX, event.clientY];
  const [x, y] = corners[number];
  const scale = size[0] / $("stage").clientWidth;
  const drag = (moved) => {
    const by = [moved.clientX - from[0], moved.clientY - from[1]];
    put(number, x + by[0] * scale, y + by[1] * scale);
  };
  const drop = () => {
    handle.removeEventListener("pointermove", drag);
    handle.removeEventListener("pointerup", drop);
    handle.removeEventListener("pointercancel", drop);
  };
  handle.addEventListener("pointermove", drag);
  handle.addEventListener("pointerup", drop);
  handle.addEventListener("pointercancel", drop);
}

function choose(number) {
  chosen = number;
  draw();
  magnify();
}

function move(number, dx, dy) {
  put(number, corners[number][0] + dx, corners[number][1] + dy);
}

function put(number, x, y) {
  const within = (value, most) => Math.round(10 * Math.min(most - 1, Math.max(0, value))) / 10;
  corners[number] = [within(x, size[0]), within(y, size[1])];
  chosen = number;
  draw();
  magnify();
  told();
}

// Shown at the other side, between the corners, and gone when none is in use.
function magnify() {
  const canvas = $("magnifier");
  const [x] = corners[chosen];
  canvas.hidden = false;
  canvas.classList.toggle("right", x < size[0] / 2);
  drawMagnifier();
  clearTimeout(calm);
  calm = setTimeout(() => {
    canvas.hidden = !document.activeElement?.classList.contains("handle");
  }, CALM_MS);
}

function putAwayMagnifier() {
  clearTimeout(calm);
  $("magnifier").hidden = true;
}

function draw() {
  for (const [number, handle] of [...$("handles").children].entries()) {
    const [x, y] = corners[number];
    handle.style.left = `${(100 * (x + 0.5)) / size[0]}%`;
    handle.style.top = `${(100 * (y + 0.5)) / size[1]}%`;
    handle.ariaLabel = `Corner ${NAMES[number]}: ${x}, ${y} px`;
    handle.classList.toggle("chosen", number === chosen);
  }
  const [x, y] = corners[chosen];
  $("nudged").textContent = `${NAMES[chosen]}: ${x.toFixed(1)}, ${y.toFixed(1)}`;
}

for (const button of document.querySelectorAll("[data-step]")) {
  const [dx, dy] = button.dataset.step.split(",").map(Number);
  button.onclick = () => move(chosen, dx, dy);
}
