// The calibration page: live picture, corners, fits, pockets, and the saved profile.

import { cornersPx, crossed, drawMagnifier, onMoved, setCorners } from "/calibration-corners.js";
import { isCapturing, setUpLens, tellKept } from "/calibration-lens.js";
import { drawFit, tellFit } from "/calibration-result.js";
import { $, button, element, redraw } from "/dom.js";

const LOOK_MS = 250;
const STATE_MS = 1000;
const PATIENCE_MS = 2000;
const CROSSED = "The corners cross: put each onto its own corner of the surface, then refine.";
const SIDES = ["bottom", "right", "top", "left"];
const MEASURES = ["side_mm", "height_mm", "coin_height_mm", "striker_height_mm"];
const POCKETS = ["north-west", "north-east", "south-west", "south-east"];

let state = null;
let fit = null;
let moved = false;
let working = false;
let seenAt = 0;
let fault = "";

// --- Talking to the controller ---------------------------------------------

async function post(what, body) {
  const answer = await fetch(`/api/calibration/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-carrom-csrf": state?.csrf ?? "" },
    body: JSON.stringify(body),
  });
  const told = answer.headers.get("content-type") ?? "";
  if (told.includes("json")) return answer.json();
  return { ok: false, reason: "the controller failed at this: its log says why" };
}

function say(text, bad = false) {
  $("answer").textContent = text;
  $("answer").classList.toggle("bad", bad);
}

// One piece of work at a time; whatever goes wrong is one line.
async function work(words, what, body, then) {
  if (working) return;
  working = true;
  freshen();
  say(words);
  try {
    const answer = await post(what, body);
    if (answer.ok) then(answer);
    else say(answer.reason.charAt(0).toUpperCase() + answer.reason.slice(1), true);
  } catch {
    say("The controller did not answer: is it running?", true);
  } finally {
    working = false;
    freshen();
  }
}

// --- The picture -----------------------------------------------------------

async function look() {
  const began = Date.now();
  try {
    const answer = await fetch("/api/calibration/picture");
    if (answer.ok) await show(await answer.blob());
    else fault = (await answer.json()).reason;
  } catch {
    fault = "the controller did not answer: is it running?";
  }
  freshen();
  setTimeout(look, Math.max(50, LOOK_MS - (Date.now() - began)));
}

function show(jpeg) {
  const picture = $("picture");
  const former = picture.src;
  return new Promise((done) => {
    picture.onload = picture.onerror = () => {
      URL.revokeObjectURL(former);
      seenAt = Date.now();
      fault = "";
      drawMagnifier();
      done();
    };
    picture.src = URL.createObjectURL(jpeg);
  });
}

function freshen() {
  const fresh = Date.now() - seenAt < PATIENCE_MS;
  const watching = state?.watching;
  $("pill").className = `pill ${fresh ? (watching ? "good" : "") : "bad"}`;
  $("pill").textContent = fresh ? (watching ? "watching" : "camera only") : "no picture";
  $("blank").hidden = fresh;
  $("stage").classList.toggle("stale", !fresh);
  if (!fresh && fault) $("blank").textContent = fault.charAt(0).toUpperCase() + fault.slice(1);
  for (const name of ["find", "refine", "save", "turn"]) $(name).disabled = working || !state;
  for (const side of document.getElementsByName("south")) side.disabled = working;
  $("refine").hidden = !cornersPx();
  $("refine").classList.toggle("primary", moved);
  $("find").classList.toggle("primary", !moved && !fit);
}

// --- Fitting ---------------------------------------------------------------

const number = (id) => ($(id).value.trim() === "" ? null : Number($(id).value));
const south = () => document.querySelector("[name=south]:checked").value;

// What is wrong with a length that was typed in, in one line; empty: nothing.
function mistyped() {
  const field = MEASURES.map($).find((one) => !one.checkValidity());
  if (!field) return "";
  const name = field.labels[0].textContent.replace(/, mm\s*$/, "").trim();
  return `${name}: ${field.min} to ${field.max} mm, or leave it as it was.`;
}

const asked = (corners) => ({
  corners_px: corners,
  south: south(),
  ...Object.fromEntries(MEASURES.map((id) => [id, number(id)])),
  lens_folder: $("lens_folder").value.trim() || null,
  paper: $("paper").value,
});

const fitted = (words, corners, then) =>
  mistyped() ? say(mistyped(), true) : work(words, "fit", asked(corners), then);

const find = () =>
  fitted("Looking for the table …", null, ({ fit: found }) => {
    take(found);
    say(`Found${found.found === null ? "" : `, ${Math.round(100 * found.found)} % sure`}.`);
  });

function refine() {
  if (crossed()) return say(CROSSED, true);
  fitted("Fitting the table …", cornersPx(), ({ fit: found }) => {
    take(found);
    say("Fitted from the corners.");
  });
}

function take(found) {
  fit = found;
  moved = false;
  setCorners(found.handles, found.size_px);
  drawFit(fit, state.pockets.proved);
  tellFit(fit);
}

function place() {
  const [width, height] = state?.size_px ?? [1280, 720];
  const half = 0.38 * height;
  const [cx, cy] = [width / 2, height / 2];
  const at = [[cx - half, cy - half], [cx + half, cy - half], [cx + half, cy + half], [cx - half, cy + half]];
  setCorners(at, [width, height]);
  touched();
  say("Drag each corner onto a corner of the playing surface, then refine.");
  $("handles").firstChild.focus();
}

// Once a corner is dragged, the former fit is not what would be saved.
function touched() {
  moved = true;
  if (fit) {
    drawFit(null);
    tellFit(null);
    fit = null;
  }
  if (crossed()) say(CROSSED, true);
  else say("Put all four corners onto the surface's corners, then refine.");
  freshen();
}

function turn() {
  const next = SIDES[(SIDES.indexOf(south()) + 1) % 4];
  document.querySelector(`[name=south][value=${next}]`).checked = true;
  turned();
}

const turned = () => {
  if (fit) refine();
};

const save = () => {
  if (moved || !fit) return say("Refine from the corners first.", true);
  return work(
    "Saving …",
    "save",
    { number: fit.number, by: $("by").value.trim() },
    ({ reason }) => {
      say(reason);
      poll();
    },
  );
};

// --- State -----------------------------------------------------------------

async function poll() {
  try {
    const answer = await fetch("/api/calibration");
    const body = await answer.json();
    if (answer.ok) draw(body);
    else say(body.reason, true);
  } catch {
    fault = "the controller did not answer: is it running?";
  }
  freshen();
}

function draw(next) {
  const first = state === null;
  state = next;
  $("table").textContent = next.table;
  $("rules").textContent = `${next.camera} · ${next.size_px.join(" × ")}`;
  drawProfile(next.profile);
  tellKept(next.lens);
  drawPockets(next.pockets);
  drawCertificate(next.certificate, next.profile);
  if (!first) return;
  for (const id of MEASURES) if (next[id]) $(id).value = next[id];
  const side = next.fit?.south ?? next.profile.south;
  if (side) document.querySelector(`[name=south][value=${side}]`).checked = true;
  if (next.fit) take(next.fit);
}

const day = (utc) => new Date(utc).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

function drawProfile(profile) {
  let text = `No profile yet; it will be ${profile.path}.`;
  if (profile.fault) text = profile.fault;
  if (profile.exists) {
    text = `In use: ${profile.path}, made ${day(profile.made_utc)}${profile.by ? ` by ${profile.by}` : ""}, ${profile.trusted}.`;
  }
  $("profile").textContent = text;
  $("profile").classList.toggle("bad", Boolean(profile.fault));
}

function drawPockets(pockets) {
  const count = Object.keys(pockets.proved).length;
  $("pockets-told").textContent = pockets.present ? `${count} of 4 proved` : "no pocket node";
  $("pocket-note").textContent = pockets.note.charAt(0).toUpperCase() + pockets.note.slice(1);
  redraw($("pockets"), pockets, () =>
    POCKETS.map((name) => {
      const expected = pockets.expected === name;
      const proved = pockets.proved[name];
      const words = expected ? "drop a coin now" : proved ? `✓ channel ${proved}` : "not proved";
      const made = button("", () => expect(expected ? null : name), { disabled: !pockets.present });
      made.className = expected ? "expected" : proved ? "proved" : "";
      made.append(element("span", { textContent: name }), element("span", { className: "follows", textContent: words }));
      return made;
    }),
  );
  if (fit && !isCapturing()) drawFit(fit, pockets.proved);
}

function drawCertificate(certificate, profile) {
  const { exists, summary, by, made_utc: made } = certificate;
  $("certificate-told").textContent = exists ? summary.split(",").slice(0, 2).join(",") : "none";
  const lacking = profile.exists ? "None for this calibration yet." : "Save a profile first.";
  $("certificate-says").textContent =
    certificate.fault || (exists ? `Made ${day(made)}${by ? ` by ${by}` : ""}: ${summary}.` : lacking);
  $("certificate-says").classList.toggle("bad", Boolean(certificate.fault));
  $("certify").disabled = working || !profile.exists;
  $("certify").textContent = exists ? "Certify again" : "Certify the table";
  $("print").hidden = !exists;
}

const certify = () =>
  work("Certifying …", "certificate", { by: $("by").value.trim() }, ({ reason }) => {
    say(reason);
    poll();
  });

// Its own page, so that paper gets nothing else.
function print() {
  const sheet = window.open("/api/calibration/certificate");
  if (!sheet) return say("The browser keeps the certificate from opening: allow this page to.", true);
  sheet.addEventListener("load", () => sheet.print());
}

async function expect(pocket) {
  const answer = await post("pocket", { pocket });
  if (!answer.ok) say(answer.reason, true);
  poll();
}

// The panel took the overlay: give it back to the fit.
function uncover() {
  if (fit) drawFit(fit, state.pockets.proved);
  poll();
}

setUpLens(post, say, uncover);
onMoved(touched);
$("find").onclick = find;
$("place").onclick = place;
$("refine").onclick = refine;
$("turn").onclick = turn;
$("save").onclick = save;
$("certify").onclick = certify;
$("print").onclick = print;
for (const side of document.getElementsByName("south")) side.onchange = turned;
poll();
setInterval(poll, STATE_MS);
look();
