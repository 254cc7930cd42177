// The forms for everything else the laws know. The server says what is offered, with
// its article and why it does not fit just now; here it becomes buttons and fields.

import { $, button, coin, counted, element, picked, radios, redraw, stepper } from "/dom.js";

const CHOICES = { break: "Break", side: "Choose the side", black: "Play black" };
const SEATS = [["", "As they sit"], ["south", "South"], ["east", "East"], ["north", "North"], ["west", "West"]];
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const names = (shown) => shown.state.players.map((player, index) => [String(index), player.name]);
const number = (name, label, most) =>
  element("label", {}, label, element("input", {
    type: "number", name, min: 0, max: most, value: 0, required: true,
  }));

const FIELDS = {
  "player": (shown) => [radios("player", names(shown), undefined, "Who")],
  "debtor": (shown) => [radios("player", names(shown), undefined, "Owed by")],
  "winner": (shown) => [radios("player", names(shown), undefined, "Won by")],
  "winner-or-shared": (shown) => [
    radios("player", [...names(shown), ...(shown.choices.shared ? [["", "Shared"]] : [])], undefined, "Won by"),
  ],
  "choice": (shown) => [
    radios("choice", shown.choices.toss.map((choice) => [choice, CHOICES[choice]]), shown.choices.toss[0], "Chose"),
  ],
  "seat": () => [radios("seat", SEATS, "", "Whoever may choose the seat sits")],
  "coins": () => [stepper("coins", "coins", 1, 9)],
  "law": (shown) => [
    radios("law", shown.choices.lapsing.map((one) => [one.law, capital(one.words)]), undefined, "Which error"),
  ],
  "colour": () => [radios("colour", [["white", "White"], ["black", "Black"]], undefined, "Whoever is on turn plays")],
  "piece": () => [
    radios("piece", ["white", "black", "queen"].map((p) => [p, capital(p)]), undefined, "What fell"),
  ],
  "points": (shown) => [
    radios("points", Array.from({ length: shown.choices.claim + 1 }, (_, n) => [String(n), String(n)]), "0", "Points"),
  ],
  "board-points": () => [
    element("div", { className: "pair" }, number("coin_points", "Points for coins", 99), number("queen_points", "For the queen", 99)),
  ],
  "position": position,
};

function position(shown) {
  const { players, queen, turn } = shown.state;
  const of = (colour) => players.find((player) => player.colour === colour);
  const index = (colour) => String(players.findIndex((player) => player.colour === colour));
  const held = queen.startsWith("covered") ? `covered ${index(queen.slice(11))}` : "table";
  const queens = [
    ["table", "On the table"],
    ...["covered", "awaiting"].flatMap((state) =>
      players.map((p, i) => [`${state} ${i}`, `${state === "covered" ? "Covered by" : "To be covered by"} ${p.name}`]),
    ),
  ];
  return [
    element(
      "fieldset",
      {},
      element("legend", { textContent: "On the table" }),
      ...["white", "black"].map((c) =>
        stepper(c, element("span", { className: "piece" }, coin(c), c), 0, 9, of(c)?.coins_left ?? 9),
      ),
    ),
    radios("queen", queens, queen === "awaiting-cover" ? `awaiting ${index(turn)}` : held, "Queen"),
    radios("on_turn", names(shown), index(turn), "On turn"),
    element(
      "fieldset",
      {},
      element("legend", { textContent: "Coins owed" }),
      ...players.map((p, i) => stepper(`owed${i}`, p.name, 0, 9, p.dues.owed)),
    ),
  ];
}

export function drawOffers(shown, open) {
  redraw($("offers"), shown.offers, () => {
    const groups = [...new Set(shown.offers.map((offer) => offer.group))];
    return groups.map((group) =>
      element(
        "section",
        {},
        element("h3", { textContent: group }),
        ...shown.offers.filter((offer) => offer.group === group).map((offer) => row(offer, open)),
      ),
    );
  });
}

function row(offer, open) {
  return element(
    "button",
    {
      type: "button",
      className: `offer${offer.why_not ? " unfit" : ""}`,
      data: { entry: offer.entry },
      onclick: () => open(offer),
    },
    element("span", { textContent: offer.title }),
    element("span", { className: "law", textContent: offer.article }),
    ...(offer.why_not ? [element("span", { className: "why", textContent: `Not now: ${offer.why_not}` })] : []),
  );
}

export function openRule(shown, offer) {
  const dialog = $("rule");
  dialog.dataset.entry = offer.entry;
  dialog.dataset.fields = offer.fields.join(" ");
  $("rule-title").textContent = offer.title;
  $("rule-words").textContent = [offer.words && capital(offer.words), offer.article].filter(Boolean).join(" · ");
  $("rule-fields").replaceChildren(...offer.fields.flatMap((field) => FIELDS[field](shown)));
  dialog.querySelector("[name=reason]").value = "";
  dialog.showModal();
}

const index = (value) => (value === undefined || value === "" ? null : Number(value));

const READ = {
  "player": (place) => ({ player: index(picked(place, "player")) }),
  "debtor": (place) => ({ player: index(picked(place, "player")) }),
  "winner": (place) => ({ player: index(picked(place, "player")) }),
  "winner-or-shared": (place) => ({ player: index(picked(place, "player")) }),
  "choice": (place) => ({ choice: picked(place, "choice") }),
  "seat": (place) => ({ seat: picked(place, "seat") || null }),
  "coins": (place) => ({ coins: counted(place, "coins") }),
  "law": (place) => ({ law: picked(place, "law") }),
  "colour": (place) => ({ colour: picked(place, "colour") }),
  "piece": (place) => ({ piece: picked(place, "piece") }),
  "points": (place) => ({ points: index(picked(place, "points")) }),
  "board-points": (place) => ({
    coin_points: Number(place.querySelector("[name=coin_points]").value),
    queen_points: Number(place.querySelector("[name=queen_points]").value),
  }),
  "position": (place) => {
    const [queen, by] = picked(place, "queen").split(" ");
    return {
      white: counted(place, "white"),
      black: counted(place, "black"),
      queen,
      queen_by: index(by),
      on_turn: index(picked(place, "on_turn")),
      owed: [counted(place, "owed0"), counted(place, "owed1")],
    };
  },
};

// Fields without a first choice, and the group of buttons each is.
const CHOSEN = {
  "player": "player", "debtor": "player", "winner": "player", "winner-or-shared": "player",
  "law": "law", "colour": "colour", "piece": "piece",
};

// Null while something the ruling needs has not been chosen yet.
export function readRule(dialog) {
  const fields = dialog.dataset.fields.split(" ").filter(Boolean);
  const asked = fields.filter((field) => CHOSEN[field]);
  if (asked.some((field) => picked(dialog, CHOSEN[field]) === undefined)) return null;
  const read = fields.map((field) => READ[field](dialog));
  return {
    ruling: "rule",
    rule: Object.assign({ entry: dialog.dataset.entry }, ...read),
    reason: dialog.querySelector("[name=reason]").value,
  };
}
