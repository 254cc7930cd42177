// The lower third: the same view as the scoreboard, in one strip over a stream.

import { follow } from "./feed.mjs";
import { setFitted } from "./fit.mjs";
import { coinRow, disc, fill, html, pursed, signed } from "./pieces.mjs";

const at = (id) => document.getElementById(id);
const LOUD = ["queen", "ask", "win", "alarm"]; // captions that deserve a flag of their own
let players = [];
seat(2);

follow({ view, track: () => {}, age });

let last = null;

function view(fields) {
  last = fields;
  const { state, link, caption } = fields;
  document.body.classList.toggle("grey", link.grey);
  at("strip").hidden = !state;
  flag(link.tone === "alarm" ? { tone: "alarm", title: link.word, detail: link.sentence } : caption);
  if (!state) return;
  seat(state.players.length);
  at("board").textContent = state.boards_per_game
    ? `Board ${state.board} / ${state.boards_per_game}` : `Board ${state.board}`;
  players.forEach((panel, n) => playerStrip(panel, state, n));
}

// Two face each other over the middle; three or four stand in a row behind it.
function seat(number) {
  if (players.length === number) return;
  players.forEach((panel) => panel.remove());
  players = Array.from({ length: number }, (_, n) => {
    const panel = html("div", "player");
    panel.id = `player-${n}`;
    panel.append(at("player").content.cloneNode(true));
    return panel;
  });
  const strip = at("strip");
  strip.classList.toggle("many", number > 2);
  if (number === 2) strip.prepend(players[0]);
  strip.append(...players.slice(number === 2 ? 1 : 0));
}

function playerStrip(panel, state, n) {
  const player = state.players[n];
  const turns = player.colour ? player.colour === state.turn : state.on_turn === n;
  panel.dataset.colour = player.colour ?? "";
  panel.classList.toggle("on-turn", turns);
  const colour = player.colour;
  fill(panel.querySelector(".disc"), colour, () => (colour ? [disc(colour)] : []));
  const name = panel.querySelector("h2");
  setFitted(name, player.name, () => 0.52 * panel.clientHeight);
  const { purse } = player;
  fill(panel.querySelector(".coins"), [colour, player.coins_left, purse], () =>
    (purse ? pursed(purse) : colour ? coinRow(colour, player.coins_left) : []));
  panel.querySelector(".score").textContent = signed(player.score);
  if (n < 2) at(`games-${n}`).textContent = player.games_won;
  panel.querySelector(".marks").replaceChildren(...marks(state, player, turns));
}

function marks(state, player, turns) {
  const shown = [];
  if (state.queen === `covered-by-${player.colour}`) shown.push(disc("queen"));
  if (player.dues.owed > 0) shown.push(html("span", "tag owes", `Owes ${player.dues.owed}`));
  if (turns) shown.push(html("span", "arrow"));
  return shown;
}

function flag(said) {
  at("flag").hidden = !said || !LOUD.includes(said.tone);
  if (!said) return;
  at("flag").dataset.tone = said.tone;
  at("flag-title").textContent = said.title;
  at("flag-detail").textContent = said.detail;
}

let lost = false;

function age(_, gone) {
  if (gone === lost) return;
  lost = gone;
  if (gone) {
    document.body.classList.add("grey");
    flag({ tone: "alarm", title: "No service", detail: "" });
  } else if (last) {
    view(last);
  }
}
