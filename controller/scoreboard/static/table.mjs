// The small live picture of the table: wood, printed lines, pieces at rest or moving.

import { face, svg } from "./pieces.mjs";

const MOVING_MS = 700; // after the last track the picture falls back to what lies at rest

export class TablePicture {
  #canvas;
  #pieces = svg("g", { class: "pieces" });
  #moving = new Map(); // track id -> its group
  #trackedAt = -Infinity;
  #rest = [];
  #resting = null; // what is drawn at rest now, as a key
  #radii = { coin: 16, striker: 20.65 };
  #drawn = "";

  constructor(canvas) {
    this.#canvas = canvas;
  }

  // Draw the table itself; `drawing` is the feed's, in millimetres, y to the north.
  table(drawing) {
    const key = JSON.stringify(drawing);
    if (!drawing || key === this.#drawn) return;
    this.#drawn = key;
    this.#radii = { coin: drawing.coin_radius_mm, striker: drawing.striker_radius_mm };
    const half = drawing.side_mm / 2;
    const out = half + drawing.frame_width_mm;
    this.#canvas.setAttribute("viewBox", `${-out} ${-out} ${2 * out} ${2 * out}`);
    this.#canvas.replaceChildren(
      wood(),
      square(out, "frame", 34),
      square(half + 5, "lip", 6),
      square(half, "surface", 2),
      ...drawing.rings.map(ring),
      ...drawing.lines.map(line),
      ...drawing.pockets.map(pocket),
      this.#pieces,
    );
    this.#resting = null;
    this.#redrawRest();
  }

  // The pieces at rest, unless pieces were just seen moving.
  rest(pieces) {
    this.#rest = pieces;
    if (performance.now() - this.#trackedAt > MOVING_MS) this.#redrawRest();
  }

  // Pieces in motion: [[id, piece, x, y], ...].
  move(tracks) {
    if (this.#moving.size === 0) this.#pieces.replaceChildren();
    this.#resting = null;
    this.#trackedAt = performance.now();
    const seen = new Set();
    for (const [id, piece, x, y] of tracks) {
      seen.add(id);
      if (!this.#moving.has(id)) this.#moving.set(id, this.#add(piece));
      place(this.#moving.get(id), x, y);
    }
    for (const [id, group] of this.#moving) {
      if (!seen.has(id)) {
        group.remove();
        this.#moving.delete(id);
      }
    }
    setTimeout(() => this.rest(this.#rest), MOVING_MS + 50);
  }

  #redrawRest() {
    const key = JSON.stringify(this.#rest);
    if (key === this.#resting) return;
    this.#resting = key;
    this.#moving.clear();
    this.#pieces.replaceChildren();
    for (const { piece, x_mm, y_mm } of this.#rest) place(this.#add(piece), x_mm, y_mm);
  }

  #add(piece) {
    const radius = piece === "striker" ? this.#radii.striker : this.#radii.coin;
    const inner = face(piece);
    inner.setAttribute("transform", `scale(${radius / 48})`);
    const shadow = svg("circle", { cx: 1.5, cy: 2.5, r: radius + 1, class: "shadow" });
    const group = svg("g", { class: "lying" }, shadow, inner);
    this.#pieces.append(group);
    return group;
  }
}

function place(group, x, y) {
  group.style.transform = `translate(${x}px, ${-y}px)`;
}

function wood() {
  const shade = svg("radialGradient", { id: "wood", cx: "50%", cy: "42%", r: "75%" },
    svg("stop", { offset: 0, "stop-color": "#f0d3a1" }),
    svg("stop", { offset: 0.6, "stop-color": "#e2bb81" }),
    svg("stop", { offset: 1, "stop-color": "#c3935a" }));
  const frame = svg("linearGradient", { id: "frame", x1: 0, y1: 0, x2: 1, y2: 1 },
    svg("stop", { offset: 0, "stop-color": "#6b4126" }),
    svg("stop", { offset: 0.5, "stop-color": "#432716" }),
    svg("stop", { offset: 1, "stop-color": "#2c190e" }));
  return svg("defs", {}, shade, frame);
}

function square(half, className, rounded) {
  return svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: rounded, class: className });
}

function ring({ centre_mm: [x, y], radius_mm, red_mm }) {
  const group = svg("g", { transform: `translate(${x} ${-y})` });
  if (red_mm > 0) group.append(svg("circle", { r: red_mm, class: "red" }));
  group.append(svg("circle", { r: radius_mm, class: "ink" }));
  return group;
}

function line({ from_mm: [x1, y1], to_mm: [x2, y2], width_mm }) {
  return svg("line", { x1, y1: -y1, x2, y2: -y2, class: "ink", "stroke-width": width_mm });
}

function pocket({ centre_mm: [x, y], radius_mm }) {
  return svg("circle", { cx: x, cy: -y, r: radius_mm, class: "pocket" });
}
