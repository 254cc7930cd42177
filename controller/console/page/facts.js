// The form that says what happened in one stroke.

import { $, coin, counted, element, radios, stepper } from "/dom.js";

export const PIECES = ["white", "black", "queen", "striker"];
const MOST = { white: 9, black: 9, queen: 1, striker: 1 };
const OFF = ["white", "black", "queen"];
const FAULTS = {
  "late": "Too late",
  "thumb": "With the thumb",
  "back-shot": "Back shot",
  "hand-over-arrow": "Hand over the arrow",
  "rival-first": "Opponent's coin hit first",
  "before-play": "Before “Play”",
};
const CHECKS = ["improper", "between_strokes", "out_of_turn", "striker_off"];
const NOTHING = { faults: [], seat: null };

const piece = (name) => {
  const label = element("span", { className: "piece" }, coin(name), name);
  return label;
};

export function fillFacts(place) {
  const form = $("facts-form").content.cloneNode(true);
  form
    .querySelector(".steppers")
    .append(...PIECES.map((name) => stepper(name, piece(name), 0, MOST[name])));
  form
    .querySelector(".off")
    .append(...OFF.map((name) => stepper(`off_${name}`, piece(name), 0, MOST[name])));
  form.querySelector(".faults").append(
    ...Object.entries(FAULTS).map(([fault, words]) =>
      element(
        "label",
        { className: "check" },
        element("input", { type: "checkbox", name: "fault", value: fault }),
        words,
      ),
    ),
  );
  place.append(form);
}

export function readFacts(place) {
  const pieces = [...PIECES, ...OFF.map((name) => `off_${name}`)];
  return {
    ...Object.fromEntries(pieces.map((name) => [name, counted(place, name)])),
    ...Object.fromEntries(
      CHECKS.map((name) => [name, place.querySelector(`[name=${name}]`).checked]),
    ),
    seat: place.querySelector(".struck input:checked")?.value ?? null,
    faults: [...place.querySelectorAll("[name=fault]:checked")].map((box) => box.value),
  };
}

export function setFacts(place, players, given) {
  const facts = given ?? NOTHING;
  for (const count of place.querySelectorAll("output")) count.value = facts[count.name] ?? 0;
  for (const name of CHECKS) place.querySelector(`[name=${name}]`).checked = !!facts[name];
  for (const box of place.querySelectorAll("[name=fault]")) {
    box.checked = facts.faults.includes(box.value);
  }
  const seats = players.filter((player) => player.seat).map((p) => [p.seat, p.name]);
  const struck = radios("seat", seats, facts.seat, "Struck by");
  struck.classList.add("struck");
  place.querySelector(".struck").replaceWith(struck);
}
