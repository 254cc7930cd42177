// The umpire's page: draws the state it is sent, sends rulings, knows no law.

import { setClock, tick } from "/clock.js";
import { $, button, coin, element, radios, redraw } from "/dom.js";
import { PIECES, fillFacts, readFacts, setFacts } from "/facts.js";
import { drawOffers, openRule, readRule } from "/laws.js";

const PHASES = {
  "racking": "Setting up the board",
  "break": "Ready for the break",
  "playing": "In play",
  "stroke-running": "Stroke running",
  "asking-umpire": "Waiting for your ruling",
  "board-over": "Board over",
  "game-over": "Game over",
  "match-over": "Match over",
  "not-watching": "Not watching",
};
const STALE_MS = 5000;

let shown = null;
let csrf = "";
let heardAt = 0;

// --- Drawing -------------------------------------------------------------

function draw(state) {
  const match = state.state;
  $("table").textContent = state.table;
  $("rules").textContent = `${state.rule_set} · game ${match.game} · board ${match.board}`;
  $("players").replaceChildren(...match.players.map((_, n) => drawPlayer(match, n)));
  $("phase").textContent = PHASES[match.phase] ?? match.phase;
  const last = match.phase === "asking-umpire" ? "" : match.last?.text;
  $("reason").textContent = match.reason || last || "";
  $("situation").classList.toggle("bad", match.phase === "not-watching");
  setClock(state, send, openDialog);
  $("problems").hidden = state.problems.length === 0;
  $("problems").replaceChildren(
    ...state.problems.map((problem) => element("li", { textContent: problem })),
  );
  drawQuestion(state.question);
  drawPrompts(state.prompts);
  drawOffers(state, (offer) => {
    $("more").close();
    openRule(shown, offer);
    preview($("rule"));
  });
  redraw($("log"), state.log, () => state.log.map(drawLine));
}

function drawPlayer(match, number) {
  const player = match.players[number];
  const onTurn = match.on_turn === number;
  const badges = player.purse ? pursed(player.purse) : [
    badge(`${player.coins_left} left`),
    badge(`${player.games_won} ${player.games_won === 1 ? "game" : "games"}`),
  ];
  if (onTurn) badges.unshift(badge("on turn", "loud"));
  if (player.dues.owed) badges.push(badge(`owes ${player.dues.owed}`, "loud"));
  if (match.queen === `covered-by-${player.colour}`) badges.push(badge("queen", "queen"));
  if (onTurn && match.queen === "awaiting-cover") {
    badges.push(badge("must cover the queen", "queen"));
  }
  return element(
    "article",
    { className: `player${onTurn ? " turn" : ""}` },
    element("h2", {}, ...(player.colour ? [coin(player.colour)] : []), player.name),
    element("div", { className: "score", textContent: player.score }),
    element("div", { className: "badges" }, ...badges),
  );
}

// What a player who plays for himself has of this board.
function pursed({ white, black, queen, points, points_lost }) {
  const made = [badge(`${white} white`), badge(`${black} black`), badge(`${points} this board`)];
  if (points_lost) made.push(badge(`${-points_lost} striker`, "loud"));
  if (queen) made.push(badge("queen", "queen"));
  return made;
}

const badge = (text, kind = "") =>
  element("span", { className: `badge ${kind}`, textContent: text });

const law = (...words) =>
  element("span", { className: "law", textContent: words.filter(Boolean).join(" · ") });

function drawQuestion(question) {
  const panel = $("question");
  panel.hidden = !question;
  if (!question) return;
  $("question-text").textContent = question.text;
  if (panel.dataset.number !== String(question.number)) {
    panel.dataset.number = question.number;
    $("other").open = question.readings.length === 0;
    setFacts($("other"), shown.state.players, question.readings[0]);
  }
  redraw($("readings"), question, () =>
    question.readings.flatMap((reading, index) => drawReading(question, reading, index)),
  );
}

function drawReading(question, reading, index) {
  const pick = (improper) => () =>
    send({ ruling: "pick", question: question.number, reading: index, improper });
  const made = [
    element(
      "button",
      { type: "button", className: "reading answer", onclick: pick(false) },
      ...PIECES.flatMap((piece) => Array.from({ length: reading[piece] }, () => coin(piece))),
      element(
        "span",
        {},
        reading.text,
        element("span", { className: "follows", textContent: reading.follows }),
      ),
      element("span", {
        className: "chance",
        textContent: `${Math.round(reading.probability * 100)} %`,
      }),
    ),
  ];
  const listed = question.readings.some((other) => other.improper);
  if (reading.improper_follows !== null && !listed) {
    made.push(
      element(
        "button",
        { type: "button", className: "reading other", onclick: pick(true) },
        element(
          "span",
          {},
          "… by an improper stroke",
          element("span", { className: "follows", textContent: reading.improper_follows }),
        ),
      ),
    );
  }
  return made;
}

function drawPrompts(prompts) {
  $("prompts").hidden = prompts.length === 0;
  redraw($("prompts"), prompts, () =>
    prompts.map((prompt) =>
      element(
        "article",
        { className: "prompt" },
        element("h2", { textContent: prompt.text }),
        law(prompt.article),
        element(
          "div",
          { className: "answers" },
          ...prompt.answers.map((answer) => button(answer.label, () => send(answer.request), { className: "answer" })),
        ),
      ),
    ),
  );
}

function drawLine(line) {
  const standing = line.stroke && line.stands;
  const proper = line.facts?.improper ? "proper" : "improper";
  return element(
    "li",
    { className: line.kind },
    element("time", { textContent: line.time }),
    element(
      "div",
      { className: line.stands ? "" : "gone" },
      line.text,
      law(line.article, line.law),
      ...(standing && line.otherwise
        ? [element("span", { className: "follows", textContent: `If ${proper}: ${line.otherwise}` })]
        : []),
    ),
    ...(standing
      ? [
          element(
            "div",
            { className: "line-buttons" },
            button(proper === "proper" ? "Proper?" : "Improper?", () => openBranches(line)),
            button("Correct", () => openCorrection(line)),
          ),
        ]
      : []),
  );
}

// --- Rulings -------------------------------------------------------------

const reason = (dialog) => dialog.querySelector("[name=reason]").value;

const RULINGS = {
  "take-back": (form, dialog) => ({ ruling: "take-back", entry: null, reason: reason(dialog) }),
  "insert": (form, dialog) => ({
    ruling: "insert",
    after: null,
    facts: readFacts(dialog),
    reason: reason(dialog),
  }),
  "correct": (form, dialog) => ({
    ruling: "correct",
    entry: Number(dialog.dataset.entry),
    facts: readFacts(dialog),
    reason: reason(dialog),
  }),
  "score": (form, dialog) => ({
    ruling: "set-score",
    points: [...dialog.querySelectorAll("[name=points]")].map((field) => Number(field.value)),
    reason: reason(dialog),
  }),
  "foul": (form, dialog) => ({
    ruling: "foul",
    seat: dialog.querySelector("#foul-seats input:checked")?.value ?? null,
    technical: form.technical.checked,
    reason: reason(dialog),
  }),
  "board": () => ({ ruling: "next-board" }),
  "set-clock": (form) => ({
    ruling: "clock",
    action: "start",
    elapsed_s: 60 * Number(form.minutes.value) + Number(form.seconds.value),
  }),
  "rule": (form, dialog) => readRule(dialog),
};

function openCorrection(line) {
  const dialog = $("correct");
  setFacts(dialog, shown.state.players, line.facts);
  dialog.querySelector("[name=reason]").value = "";
  dialog.dataset.entry = line.entry;
  $("correct-text").textContent = line.text;
  dialog.showModal();
  preview(dialog);
}

async function openBranches(line) {
  const dialog = $("branches");
  dialog.querySelector("[name=reason]").value = "";
  $("branches-text").textContent = line.text;
  const choose = (improper) => () => {
    send({ ruling: "properness", entry: line.entry, improper, reason: reason(dialog) });
    dialog.close();
  };
  const kept = element("p", { className: "kept", textContent: `Recorded: ${line.facts.improper ? "improper" : "proper"}.` });
  const improper = !line.facts.improper;
  const change = element(
    "button",
    { type: "button", className: "reading", onclick: choose(improper) },
    element(
      "span",
      {},
      improper ? "It was improper" : "It was proper",
      element("span", { className: "follows", textContent: line.otherwise ?? "" }),
      element("span", { className: "preview" }),
    ),
  );
  $("branches-choices").replaceChildren(kept, change);
  dialog.showModal();
  const told = await asked({ ruling: "properness", entry: line.entry, improper });
  showPreview(change.querySelector(".preview"), told);
}

function openDialog(name) {
  const dialog = $(name);
  const players = shown?.state.players ?? [];
  for (const field of dialog.querySelectorAll("input[name=reason]")) field.value = "";
  if (name === "insert") setFacts(dialog, players, null);
  if (name === "score") {
    $("score-fields").replaceChildren(
      ...players.map((player) =>
        element("label", {}, player.name, element("input", {
          type: "number", name: "points", min: -999, max: 999, value: player.score, required: true,
        })),
      ),
    );
  }
  if (name === "foul") {
    const onTurn = players[shown.state.on_turn];
    const seats = players.filter((player) => player.seat).map((player) => [player.seat, player.name]);
    $("foul-seats").replaceChildren(radios("seat", seats, onTurn?.seat, "By"));
    dialog.querySelector("[name=technical]").checked = false;
  }
  dialog.showModal();
  preview(dialog);
}

async function post(path, ruling) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-carrom-csrf": csrf },
    body: JSON.stringify({ ...ruling, expected_rev: shown.rev }),
  });
  return answer.json();
}

async function send(ruling) {
  for (const each of document.querySelectorAll("main button")) each.disabled = true;
  try {
    const body = await post("/api/rulings", ruling);
    say(body.accepted ? "Recorded." : body.reason, !body.accepted);
  } catch {
    say("The controller did not answer. Nothing was recorded.", true);
  } finally {
    for (const each of document.querySelectorAll("main button")) each.disabled = false;
  }
}

function say(text, bad) {
  $("answer").textContent = text;
  $("answer").classList.toggle("bad", bad);
}

// What a dialog's ruling would lead to, told before it is given.
const asked = (ruling) => post("/api/preview", ruling).catch(() => null);
let asking = 0;

async function preview(dialog) {
  const place = dialog.querySelector(".preview");
  const form = RULINGS[dialog.id];
  if (!place || !form) return;
  const ruling = form(dialog.querySelector("form").elements, dialog);
  const mine = (asking += 1);
  const told = ruling && (await asked(ruling));
  if (mine === asking) showPreview(place, told);
}

function showPreview(place, told) {
  place.replaceChildren();
  place.classList.toggle("bad", !!told && !told.possible);
  if (!told) return;
  const text = told.text.charAt(0).toUpperCase() + told.text.slice(1);
  place.append(told.possible ? text : `Refused: ${told.text}`);
  for (const warning of told.warnings) {
    place.append(element("span", { className: "warning", textContent: `Warning: ${warning}` }));
  }
}

// --- Connection ----------------------------------------------------------

function listen() {
  const stream = new EventSource("/api/events");
  stream.addEventListener("state", (event) => {
    shown = JSON.parse(event.data);
    csrf = shown.csrf;
    heardAt = Date.now();
    draw(shown);
    freshen();
  });
  stream.addEventListener("beat", () => {
    heardAt = Date.now();
    freshen();
  });
  stream.onerror = freshen;
}

function freshen() {
  const stale = Date.now() - heardAt > STALE_MS;
  const watching = shown?.watching;
  const pill = $("pill");
  pill.className = `pill ${stale || !watching ? "bad" : "good"}`;
  pill.textContent = stale ? "controller lost" : watching ? "watching" : "not watching";
}

function pressed(event) {
  const typing = event.target.matches("input, textarea, select");
  if (!shown || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "m") openDialog("more");
}

for (const place of document.querySelectorAll(".facts")) fillFacts(place);
for (const opener of document.querySelectorAll("[data-open]")) {
  opener.onclick = () => openDialog(opener.dataset.open);
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("input", () => preview(dialog));
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "send") {
      const ruling = RULINGS[dialog.id](dialog.querySelector("form").elements, dialog);
      if (ruling) send(ruling);
      else say("Say who or what it is about.", true);
    }
    dialog.returnValue = "";
  });
}
$("state-it").onclick = () =>
  send({ ruling: "state", question: shown.question.number, facts: readFacts($("other")) });
document.addEventListener("keydown", pressed);
setInterval(() => {
  freshen();
  tick();
}, 250);
listen();
