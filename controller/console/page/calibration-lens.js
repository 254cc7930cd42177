// The lens panel: a guided capture of the ChArUco board, with what is still wanted.

import { $, button, element, redraw } from "/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const PAUSE_MS = 150;
const TONE_HZ = 880;
const TONE_S = 0.12;
const WORST_PX = 0.6;

let post;
let say;
let left;
let capturing = false;
let shown = null;
let tones = null;

// `toServer` posts and gives the answer; `done` is called when the panel is left.
export function setUpLens(toServer, tell, done) {
  [post, say, left] = [toServer, tell, done];
  $("measure").onclick = begin;
  $("leave").onclick = leave;
  $("take").onclick = () => act({ act: "take" });
  $("back").onclick = () => act({ act: "back" });
  $("clear").onclick = () => act({ act: "clear" });
  $("keep-lens").onclick = keep;
  $("forget").onclick = forget;
}

export const isCapturing = () => capturing;

export function tellKept(lens) {
  let text = "No lens is kept: it is fitted from the table's marks.";
  if (lens.fault) text = lens.fault;
  if (lens.exists) {
    const made = new Date(lens.made_utc).toLocaleDateString("en-GB", { dateStyle: "medium" });
    text = `In use: measured on ${made}, ${lens.views} views, residual ${lens.rms_px.toFixed(2)} px.`;
  }
  $("lens-kept").textContent = text;
  $("forget").hidden = !lens.exists && !lens.fault;
  $("measure").textContent = lens.exists ? "Measure the lens again" : "Measure the lens";
}

// --- Looking ---------------------------------------------------------------

function begin() {
  capturing = true;
  shown = null;
  // A tone for the one under the camera, who does not see the screen.
  tones ??= new AudioContext();
  document.body.classList.add("capturing");
  $("capture").hidden = $("told").hidden = false;
  $("take").focus();
  $("steps").scrollTop = 0;
  window.scrollTo(0, 0);
  say("");
  watch();
}

function leave() {
  capturing = false;
  document.body.classList.remove("capturing");
  $("capture").hidden = $("told").hidden = true;
  $("overlay").replaceChildren();
  left();
  $("measure").focus();
}

async function watch() {
  while (capturing) {
    await act({ act: "look" });
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

async function act(wanted) {
  try {
    const answer = await post("lens", { ...wanted, auto: $("auto").checked, paper: $("paper").value });
    if (!capturing) return;
    if (answer.ok) draw(answer.capture);
    else complain(answer.reason);
  } catch {
    complain("the controller did not answer: is it running?");
  }
}

async function keep() {
  $("keep-lens").disabled = true;
  const answer = await post("lens/keep", {});
  if (answer.ok) leave();
  say(answer.reason.charAt(0).toUpperCase() + answer.reason.slice(1), !answer.ok);
}

async function forget() {
  const answer = await post("lens/forget", {});
  say(answer.reason.charAt(0).toUpperCase() + answer.reason.slice(1), !answer.ok);
  left();
}

const complain = (reason) => {
  $("lens-words").textContent = reason.charAt(0).toUpperCase() + reason.slice(1);
  $("told").className = "lost";
};

// --- Drawing ---------------------------------------------------------------

function draw(capture) {
  const more = shown !== null && capture.views.length > shown.views.length;
  shown = capture;
  if (more) tone();
  $("lens-next").textContent = capture.next;
  $("lens-words").textContent = capture.words;
  $("told").className = { taken: "good", ready: "good", unfit: "lost", nothing: "lost" }[capture.seen] ?? "fair";
  const count = capture.views.length;
  $("views-count").textContent = `${count} of ${capture.wanted_views} views`;
  $("views-progress").max = capture.wanted_views;
  $("views-progress").value = Math.min(count, capture.wanted_views);
  $("take").disabled = !["ready", "known", "taken"].includes(capture.seen);
  $("back").disabled = $("clear").disabled = count === 0;
  $("keep-lens").disabled = !capture.usable;
  $("keep-lens").classList.toggle("primary", capture.usable && capture.complete);
  drawSides(capture);
  drawLens(capture);
  redraw($("views"), capture.views, () => capture.views.map(viewLine));
  drawMap(capture);
}

function drawSides({ sides, wanted_a_side: wanted }) {
  redraw($("tipped"), [sides, wanted], () =>
    Object.entries(sides).map(([side, count]) =>
      element("li", {
        className: count >= wanted ? "good" : "lacking",
        textContent: `${side} edge ${Math.min(count, wanted)} of ${wanted}`,
      }),
    ),
  );
}

function drawLens({ lens, lacking }) {
  $("lens-now").textContent = lens
    ? `Focal length ${lens.focal_px.toFixed(1)} ± ${lens.doubt_px.toFixed(1)} px, residual ${lens.rms_px.toFixed(2)} px.`
    : "The lens comes out from the sixth view on.";
  redraw($("lens-lacking"), lacking, () => lacking.map((textContent) => element("li", { textContent })));
}

function viewLine(view) {
  const rms = view.rms_px === null ? "–" : `${view.rms_px.toFixed(2)} px`;
  const line = element("li", { className: view.fault ? "lost" : "" });
  const bar = element("meter", { min: 0, max: WORST_PX, high: WORST_PX / 2, value: view.rms_px ?? 0, title: "residual" });
  line.append(
    element("span", { textContent: `${view.name}: ${view.corners} corners` }),
    bar,
    element("span", { className: "rms", textContent: rms }),
    button("✕", () => act({ act: "back", name: view.name }), { ariaLabel: `Take back ${view.name}` }),
  );
  if (view.fault) line.append(element("p", { textContent: view.fault }));
  return line;
}

const shape = (name, attributes, text = "") => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

// The map lies over the live picture: cells still wanted, views taken, corners seen.
function drawMap(capture) {
  const overlay = $("overlay");
  overlay.replaceChildren();
  if (!capture.size_px) return;
  const [width, height] = capture.size_px;
  const unit = width / 640;
  overlay.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  for (const view of capture.views) {
    const points = view.outline.map((at) => at.join(",")).join(" ");
    overlay.append(shape("polygon", { points, class: view.fault ? "taken lost" : "taken" }));
  }
  for (const [row, counts] of capture.cells.entries()) {
    for (const [column, count] of counts.entries()) drawCell(overlay, capture, column, row, count);
  }
  for (const [x, y] of capture.corners) {
    overlay.append(shape("circle", { cx: x, cy: y, r: 2.2 * unit, class: `corner ${capture.seen}` }));
  }
}

function drawCell(overlay, { size_px: size, cells, wanted_in_cell: wanted }, column, row, count) {
  const [width, height] = [size[0] / cells[0].length, size[1] / cells.length];
  const [x, y] = [column * width, row * height];
  const enough = count >= wanted;
  overlay.append(shape("rect", { x, y, width, height, class: `cell ${enough ? "enough" : "lacking"}` }));
  const text = enough ? "✓" : `${count}/${wanted}`;
  overlay.append(
    shape("text", { x: x + width / 2, y: y + height / 2, "font-size": size[0] / 40, class: "cell-count" }, text),
  );
}

function tone() {
  const sound = tones.createOscillator();
  const volume = tones.createGain();
  sound.frequency.value = TONE_HZ;
  volume.gain.value = 0.2;
  sound.connect(volume).connect(tones.destination);
  sound.start();
  sound.stop(tones.currentTime + TONE_S);
}
