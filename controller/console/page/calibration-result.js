// A fit as people read it: drawn over the picture, and in millimetres beside it.

import { $, element } from "/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const GOOD_MM = 0.2;
const FAIR_MM = 0.5;
const SIZES = {
  side_mm: "side (as given)",
  base_line_inset_mm: "frame to lower base line",
  base_line_gap_mm: "lower to upper base line",
  base_line_length_mm: "base line, end to end",
  centre_circle_radius_mm: "centre circle, radius",
  outer_circle_radius_mm: "outer circle, radius",
  pocket_radius_mm: "pocket, radius",
  pocket_inset_mm: "pocket's centre to frame",
};
const SEATS = ["north", "east", "south", "west"];
const SIDES = ["top", "right", "bottom", "left"];

const shape = (name, attributes, text = "") => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

const mm = (value, digits = 2) => (value === null ? "not seen" : value.toFixed(digits));
const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

export function drawFit(fit, proved) {
  const overlay = $("overlay");
  $("legend").hidden = !fit;
  overlay.replaceChildren();
  if (!fit) return;
  const [width, height] = fit.size_px;
  const unit = width / 640;
  overlay.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  for (const line of fit.lines) {
    const points = line.px.map((at) => at.join(",")).join(" ");
    const closed = line.kind.includes("circle");
    overlay.append(
      shape(closed ? "polygon" : "polyline", { points, class: `fit ${line.kind.replace(" ", "-")}` }),
    );
  }
  for (const station of fit.stations) overlay.append(drawStation(station, unit));
  drawWords(overlay, fit, proved, unit);
}

function drawStation([x, y, rest, used], unit) {
  const r = 1.1 * unit;
  if (!used || rest > FAIR_MM) {
    const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x - r} ${y + r}l${2 * r} ${-2 * r}`;
    return shape("path", { d, class: "station lost" });
  }
  if (rest > GOOD_MM) {
    return shape("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, class: "station fair" });
  }
  return shape("circle", { cx: x, cy: y, r, class: "station good" });
}

// Seats outside the sides, pockets at their places with the channel that was proved.
function drawWords(overlay, fit, proved, unit) {
  const [cx, cy] = [0, 1].map((n) => fit.handles.reduce((sum, at) => sum + at[n], 0) / 4);
  const turned = SIDES.indexOf(fit.south) - 2;
  const size = 13 * unit;
  for (let side = 0; side < 4; side += 1) {
    const [a, b] = [fit.handles[side], fit.handles[(side + 1) % 4]];
    const seat = SEATS[(side - turned + 4) % 4];
    const [mx, my] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const at = { x: cx + 0.86 * (mx - cx), y: cy + 0.86 * (my - cy) };
    const loud = seat === "south" ? " south" : "";
    overlay.append(shape("text", { ...at, "font-size": size, class: `seat${loud}` }, seat.toUpperCase()));
  }
  for (const [name, [x, y]] of Object.entries(fit.pockets)) {
    const at = { x: x + 0.11 * (cx - x), y: y + 0.11 * (cy - y) };
    const short = name.split("-").map((word) => word[0].toUpperCase()).join("");
    const text = proved[name] ? `${short} ✓${proved[name]}` : short;
    overlay.append(shape("text", { ...at, "font-size": size, class: "pocket-name" }, text));
  }
}

export function tellFit(fit) {
  $("verdict").hidden = $("figures").hidden = !fit;
  if (!fit) return;
  const kinds = { "placement calls": "good", "positions": "fair", "nothing": "lost" };
  $("verdict").className = kinds[fit.verdict];
  const mark = { good: "✓ ", fair: "◐ ", lost: "✕ " }[kinds[fit.verdict]];
  $("trusted").textContent = mark + fit.trusted.charAt(0).toUpperCase() + fit.trusted.slice(1);
  const plain = fit.verdict === "placement calls";
  $("why").textContent = plain ? "" : `${fit.reason.charAt(0).toUpperCase()}${fit.reason.slice(1)}.`;
  const a = fit.accuracy;
  $("mean").textContent = `${mm(a.mean_mm)} mm`;
  $("spread").textContent =
    `expected on average, ${mm(a.p95_mm)} mm in 95 of 100. By four corners alone it would be ` +
    `${mm(a.four_corners_mean_mm)} mm, without the pieces' height ${mm(a.no_height_mean_mm)} mm.`;
  $("remedies").replaceChildren(...remedies(fit).map((text) => element("li", { textContent: text })));
  $("keep").hidden = fit.verdict === "nothing";
  $("lens-from").textContent = fit.lens.from === "charuco" ? "by ChArUco board" : "from the table's marks";
  $("lens-told").textContent = lensWords(fit);
  $("figures-body").replaceChildren(...figures(fit));
}

function remedies(fit) {
  const told = [...fit.light.remedies];
  if (fit.pieces) {
    const pieces = fit.pieces === 1 ? "A piece lies" : `${fit.pieces} pieces lie`;
    told.unshift(
      `${pieces} on the table. In a match that is no harm: the earlier picture of the empty table is kept. ` +
        "Before one, clear it and find it again.",
    );
  }
  return told.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
}

function lensWords({ lens, charuco }) {
  const views = charuco ? `${charuco.views.length} pictures, residual ${charuco.rms_px.toFixed(2)} px; ` : "";
  return `${views}Focal length ${lens.focal_px.toFixed(0)} px, bend k1 ${lens.k1.toFixed(3)}, k2 ${lens.k2.toFixed(3)}.`;
}

function figures(fit) {
  const [x, y, z] = fit.camera_mm;
  const light = fit.light;
  const flicker = light.flicker === null
    ? "not told at this frame rate"
    : `${percent(light.flicker, 1)} (${light.flicker_mains_hz} Hz mains)`;
  return [
    rows("Camera", [
      ["above the surface, as fitted", `${z.toFixed(0)} mm`],
      ["beside the centre", `${x.toFixed(0)}, ${y.toFixed(0)} mm`],
      ["table found", fit.found === null ? "pointed at" : `${percent(fit.found)} sure`],
      ["residual of the marks", `${mm(fit.residual_mm)} mm`],
    ]),
    rows("This table's sizes, mm", Object.entries(SIZES).map(([key, name]) => [name, mm(fit.table[key], 1)])),
    rows("Light", [
      ["wood", `${light.wood_grey.toFixed(0)} of 255`],
      ["white without detail", percent(light.clipped_share, 1)],
      ["flicker", flicker],
      ["edges", light.blur_px === null ? "not seen" : `${light.blur_px.toFixed(1)} px soft`],
    ]),
    evenness(light.evenness),
    marks(fit.marks),
  ];
}

const rows = (caption, pairs) =>
  element(
    "table",
    {},
    element("caption", { textContent: caption }),
    ...pairs.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row", textContent: name }), element("td", { textContent: value })),
    ),
  );

function evenness(cells) {
  const made = element("table", { className: "evenness" }, element("caption", { textContent: "Evenness, % of the brightest part" }));
  for (const row of cells) {
    made.append(
      element("tr", {}, ...row.map((share) => {
        const cell = element("td", { textContent: Math.round(100 * share) });
        cell.style.background = `hsl(42 30% ${Math.round(12 + 50 * share)}%)`;
        cell.style.color = share > 0.6 ? "#111" : "#f3efe6";
        return cell;
      })),
    );
  }
  return made;
}

function marks(list) {
  const head = ["mark", "seen", "off", "rest"].map((name) => element("th", { scope: "col", textContent: name }));
  return element(
    "table",
    { className: "marks" },
    element("caption", { textContent: "Marks: stations seen, printed off, residual (mm)" }),
    element("tr", {}, ...head),
    ...list.map((mark) =>
      element(
        "tr",
        { className: mark.rest_mm > FAIR_MM || mark.seen < mark.stations / 2 ? "lost" : "" },
        element("th", { scope: "row", textContent: mark.name }),
        element("td", { textContent: `${mark.seen}/${mark.stations}` }),
        element("td", { textContent: mm(mark.off_mm) }),
        element("td", { textContent: mm(mark.rest_mm) }),
      ),
    ),
  );
}
