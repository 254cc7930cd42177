// The pieces as drawings. Each kind has a shape of its own besides its colour: white a
// ring, black a cross, the queen a crown, the striker a wreath of dots.

const SVG = "http://www.w3.org/2000/svg";

// An SVG element with these attributes and children.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// An HTML element with a class and text; text is never markup, names come from outside.
export function html(name, className = "", text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

const rim = (kind) => svg("circle", { r: 46, class: `body ${kind}` });
const FACES = {
  white: () => [
    svg("circle", { r: 31, class: "groove" }),
    svg("circle", { r: 13, class: "groove" }),
  ],
  black: () => [svg("path", { d: "M-19-19 19 19M19-19-19 19", class: "cross" })],
  queen: () => [
    svg("path", { d: "M-25 18-30-13-13 1 0-24 13 1 30-13 25 18Z", class: "crown" }),
  ],
  striker: () => [0, 60, 120, 180, 240, 300].map((turn) =>
    svg("circle", { cx: 24, r: 7.5, class: "petal", transform: `rotate(${turn})` })),
  unknown: () => [svg("text", { y: 20, class: "what" }, "?")],
};

// The drawing of a piece, 100 units wide, centred on the origin, as a group.
export function face(kind) {
  return svg("g", { class: `face ${kind}` }, rim(kind), ...FACES[kind]());
}

// A piece as a picture of its own, to stand in a line of text.
export function disc(kind, label = kind) {
  return svg("svg", { viewBox: "-50 -50 100 100", class: "piece", role: "img", "aria-label": label },
    face(kind));
}

// The empty place of a coin that has been pocketed.
export function hole() {
  return svg("svg", { viewBox: "-50 -50 100 100", class: "piece", "aria-hidden": "true" },
    svg("circle", { r: 40, class: "hole" }));
}

// Nine places: the coins that are still to be pocketed, then the empty ones.
export function coinRow(colour, left, total = 9) {
  return Array.from({ length: total }, (_, n) => (n < left ? disc(colour) : hole()));
}

// Fill an element only when what it shows has changed: a Pi should not draw 18 coins
// anew because a clock moved on.
const filled = new WeakMap();
export function fill(element, key, render) {
  const text = JSON.stringify(key);
  if (filled.get(element) === text) return;
  filled.set(element, text);
  element.replaceChildren(...render());
}

// What a player who collects for himself has of this board: a piece and how many.
export function pursed({ white, black, queen }) {
  const held = [["white", white], ["black", black]].flatMap(([piece, count]) => {
    const group = html("span", count ? "held" : "held none");
    group.append(disc(piece), html("b", "", count));
    return [group];
  });
  return queen ? [...held, disc("queen", "has covered the queen")] : held;
}

// A number of points with a minus sign that is as wide as the figures.
export function signed(points) {
  return String(points).replace("-", "\u2212");
}
