// The umpire's page: draws the state it is sent, sends rulings, knows no law.

const PIECES = ["white", "black", "queen", "striker"];
const MOST = { white: 9, black: 9, queen: 1, striker: 1 };
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

const $ = (id) => document.getElementById(id);
let shown = null;
let csrf = "";
let heardAt = 0;

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  const { data, ...properties } = options;
  Object.assign(made, properties);
  Object.assign(made.dataset, data ?? {});
  made.append(...children);
  return made;
}

const coin = (piece) =>
  element("span", { className: `coin ${piece}`, role: "img", ariaLabel: piece });

// --- Drawing -------------------------------------------------------------

function draw(state) {
  const match = state.state;
  $("table").textContent = state.table;
  $("rules").textContent = `${state.rule_set} · game ${match.game} · board ${match.board}`;
  $("players").replaceChildren(...match.players.map((player) => drawPlayer(player, match)));
  $("phase").textContent = PHASES[match.phase] ?? match.phase;
  const last = match.phase === "asking-umpire" ? "" : match.last?.text;
  $("reason").textContent = match.reason || last || "";
  $("situation").classList.toggle("bad", match.phase === "not-watching");
  drawQuestion(state.question);
  drawLog(state.log);
}

function drawPlayer(player, match) {
  const onTurn = player.colour !== null && player.colour === match.turn;
  const badges = [
    badge(`${player.coins_left} left`),
    badge(`${player.games_won} ${player.games_won === 1 ? "game" : "games"}`),
  ];
  if (onTurn) badges.unshift(badge("on turn", "loud"));
  if (player.dues.owed) badges.push(badge(`owes ${player.dues.owed}`, "loud"));
  if (match.queen === `covered-by-${player.colour}`) badges.push(badge("queen", "queen"));
  if (player.colour && match.must_cover === player.colour) {
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

const badge = (text, kind = "") =>
  element("span", { className: `badge ${kind}`, textContent: text });

function drawQuestion(question) {
  const panel = $("question");
  panel.hidden = !question;
  if (!question) return;
  $("question-text").textContent = question.text;
  if (panel.dataset.number === String(question.number)) return;
  panel.dataset.number = question.number;
  $("other").open = question.readings.length === 0;
  reset($("other"));
  $("readings").replaceChildren(
    ...question.readings.map((reading, index) =>
      element(
        "button",
        {
          type: "button",
          className: "reading",
          onclick: () =>
            send({ ruling: "pick", question: question.number, reading: index }),
        },
        ...PIECES.flatMap((piece) => Array.from({ length: reading[piece] }, () => coin(piece))),
        element("span", { textContent: reading.text }),
        element("span", {
          className: "chance",
          textContent: `${Math.round(reading.probability * 100)} %`,
        }),
      ),
    ),
  );
}

function drawLog(log) {
  $("log").replaceChildren(
    ...log.map((line) =>
      element(
        "li",
        {},
        element("time", { textContent: line.time }),
        element(
          "div",
          { className: line.stands ? "" : "gone" },
          line.text,
          element("span", {
            className: "law",
            textContent: [line.article, line.law].filter(Boolean).join(" · "),
          }),
        ),
        ...(line.stroke && line.stands
          ? [
              element("button", {
                type: "button",
                textContent: "Correct",
                onclick: () => openCorrection(line),
              }),
            ]
          : []),
      ),
    ),
  );
}

// --- Facts form ----------------------------------------------------------

function fillFacts(place) {
  const form = $("facts-form").content.cloneNode(true);
  form.querySelector(".steppers").append(...PIECES.map(stepper));
  place.append(form);
}

function stepper(piece) {
  const count = element("output", { name: piece, value: "0" });
  const step = (by) => () => {
    count.value = Math.min(MOST[piece], Math.max(0, Number(count.value) + by));
  };
  return element(
    "div",
    { className: "stepper" },
    element("span", { className: "name" }, coin(piece), piece),
    element("button", { type: "button", textContent: "−", ariaLabel: `one ${piece} less`, onclick: step(-1) }),
    count,
    element("button", { type: "button", textContent: "+", ariaLabel: `one ${piece} more`, onclick: step(1) }),
  );
}

function readFacts(place) {
  const counts = PIECES.map((piece) => [
    piece,
    Number(place.querySelector(`output[name="${piece}"]`).value),
  ]);
  const checked = (name) => place.querySelector(`[name=${name}]`).checked;
  return {
    ...Object.fromEntries(counts),
    seat: place.querySelector(".struck input:checked")?.value ?? null,
    improper: checked("improper"),
    between_strokes: checked("between_strokes"),
  };
}

// Each form names its own group of radio buttons, or they would be one group.
let groups = 0;

function seats(players, chosen) {
  const group = `seat-${(groups += 1)}`;
  return players.filter((player) => player.seat).map((player) =>
    element("label", { className: "check" }, element("input", {
      type: "radio", name: group, value: player.seat, checked: player.colour === chosen,
    }), player.name),
  );
}

function reset(place) {
  const players = shown?.state.players ?? [];
  for (const struck of place.querySelectorAll(".struck")) {
    struck.replaceChildren(struck.querySelector("legend"), ...seats(players, null));
  }
  for (const count of place.querySelectorAll("output")) count.value = "0";
  for (const field of place.querySelectorAll("input")) {
    if (field.type === "checkbox") field.checked = false;
    else if (field.type !== "radio") field.value = "";
  }
}

// --- Rulings -------------------------------------------------------------

const RULINGS = {
  "take-back": (form) => ({ ruling: "take-back", entry: null, reason: form.reason.value }),
  "insert": (form, dialog) => ({
    ruling: "insert",
    after: null,
    facts: readFacts(dialog),
    reason: form.reason.value,
  }),
  "correct": (form, dialog) => ({
    ruling: "correct",
    entry: Number(dialog.dataset.entry),
    facts: readFacts(dialog),
    reason: form.reason.value,
  }),
  "score": (form) => ({
    ruling: "set-score",
    points: [Number(form.points0.value), Number(form.points1.value)],
    reason: form.reason.value,
  }),
  "foul": (form, dialog) => ({
    ruling: "foul",
    seat: dialog.querySelector("#foul-seats input:checked")?.value ?? null,
    technical: form.technical.checked,
    reason: form.reason.value,
  }),
  "board": () => ({ ruling: "next-board" }),
};

function openCorrection(line) {
  const dialog = $("correct");
  reset(dialog);
  dialog.dataset.entry = line.entry;
  $("correct-text").textContent = line.text;
  dialog.showModal();
}

function openDialog(name) {
  const dialog = $(name);
  reset(dialog);
  const players = shown?.state.players ?? [];
  if (name === "score") {
    $("score-fields").replaceChildren(
      ...players.map((player, index) =>
        element("label", {}, player.name, element("input", {
          type: "number", name: `points${index}`, min: 0, max: 99, value: player.score, required: true,
        })),
      ),
    );
  }
  if (name === "foul") {
    $("foul-seats").replaceChildren(...seats(players, shown.state.turn));
  }
  dialog.showModal();
}

async function send(ruling) {
  for (const button of document.querySelectorAll("main button")) button.disabled = true;
  try {
    const answer = await fetch("/api/rulings", {
      method: "POST",
      headers: { "content-type": "application/json", "x-carrom-csrf": csrf },
      body: JSON.stringify({ ...ruling, expected_rev: shown.rev }),
    });
    const body = await answer.json();
    say(body.accepted ? "Recorded." : body.reason, !body.accepted);
  } catch {
    say("The controller did not answer. Nothing was recorded.", true);
  } finally {
    for (const button of document.querySelectorAll("main button")) button.disabled = false;
  }
}

function say(text, bad) {
  $("answer").textContent = text;
  $("answer").classList.toggle("bad", bad);
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

for (const place of document.querySelectorAll(".facts")) fillFacts(place);
for (const button of document.querySelectorAll("[data-open]")) {
  button.onclick = () => openDialog(button.dataset.open);
}
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "send") {
      send(RULINGS[dialog.id](dialog.querySelector("form").elements, dialog));
    }
    dialog.returnValue = "";
  });
}
$("state-it").onclick = () =>
  send({ ruling: "state", question: shown.question.number, facts: readFacts($("other")) });
setInterval(freshen, 1000);
listen();
