// Draws the scoreboard from what the display service sends. No laws in here: every word
// and number is in the view already.

import { follow } from "./feed.mjs";
import { setFitted } from "./fit.mjs";
import { coinRow, disc, html } from "./pieces.mjs";
import { TablePicture } from "./table.mjs";

const at = (id) => document.getElementById(id);
const picture = new TablePicture(at("picture"));
const players = [at("player-0"), at("player-1")];
for (const player of players) player.append(at("player").content.cloneNode(true));
at("royal").querySelector(".sign").append(disc("queen"));

follow({ view, track: (pieces) => picture.move(pieces), age });

function view(fields) {
  const { state, link } = fields;
  at("table-name").textContent = fields.table;
  picture.table(fields.drawing);
  trust(link);
  if (!state) return;
  document.body.dataset.phase = state.phase;
  heading(state);
  players.forEach((panel, n) => playerPanel(panel, state, n));
  picture.rest(state.pieces);
  at("royal").dataset.state = state.queen;
  at("queen-line").textContent = fields.queen;
  captionLine(fields.caption, state.fallen);
  boards(state);
  at("last-text").textContent = state.last?.text ?? "";
  at("last-article").textContent = state.last?.article ?? "";
}

function heading(state) {
  at("game").textContent = `Game ${state.game}`;
  at("board").textContent = state.boards_per_game
    ? `Board ${state.board} of ${state.boards_per_game}` : `Board ${state.board}`;
  at("target").textContent = state.game_points ? `to ${state.game_points} points` : "";
}

function playerPanel(panel, state, n) {
  const player = state.players[n];
  const part = (selector) => panel.querySelector(selector);
  const turns = player.colour !== null && player.colour === state.turn;
  panel.dataset.colour = player.colour ?? "";
  panel.classList.toggle("on-turn", turns);
  panel.classList.toggle("must-cover", turns && state.must_cover === player.colour);
  panel.classList.toggle("winner", state.winner === n);
  part(".turn span").textContent = state.must_cover === player.colour ? "Must cover"
    : state.phase === "break" ? "To break" : "To play";
  part(".disc").replaceChildren(...(player.colour ? [disc(player.colour)] : []));
  part(".from").textContent = [player.affiliation, player.seat && `sits ${player.seat}`]
    .filter(Boolean).join(" · ");
  setFitted(part("h2"), player.name, () =>
    part(".names").clientHeight - part(".from").offsetHeight);
  setScore(part(".score"), player.score);
  part(".pips").replaceChildren(...Array.from({ length: state.games_to_win }, (_, won) =>
    html("i", won < player.games_won ? "won" : "")));
  part(".pips").setAttribute("aria-label", `${player.games_won}`);
  part(".coins .row").replaceChildren(...(player.colour ? coinRow(player.colour, player.coins_left) : []));
  part(".coins b").textContent = player.coins_left;
  dues(part(".dues"), player, state.queen === `covered-by-${player.colour}`);
}

function dues(line, { dues: { owed, payable } }, holdsQueen) {
  line.classList.toggle("owing", owed > 0);
  line.replaceChildren();
  if (owed > 0) {
    line.append(html("span", "count", `Owes ${owed}`));
    line.append(html("span", "", payable === 0 ? "not yet" : `${payable} now`));
  } else {
    line.append(html("span", "", "No dues"));
  }
  if (holdsQueen) {
    const crowned = html("span", "crowned");
    crowned.append(disc("queen", "has covered the queen"));
    line.append(crowned);
  }
}

function setScore(place, score) {
  const output = place.querySelector("output");
  const before = output.textContent;
  if (before === String(score)) return;
  output.textContent = score;
  place.classList.remove("fresh");
  if (before === "") return;
  void place.offsetWidth; // restarts the animation
  place.classList.add("fresh");
}

function captionLine({ tone, title, detail }, fallen) {
  at("caption").dataset.tone = tone;
  at("caption-detail").textContent = detail;
  setFitted(at("caption-title"), title, () => at("caption").clientHeight - 12);
  at("fallen").replaceChildren(...fallen.map(({ piece, pocket }) =>
    disc(piece ?? "unknown", `${piece ?? "a piece"} down, ${pocket ?? "pocket unknown"}`)));
}

function boards(state) {
  const played = state.history.filter((row) => row.game === state.game);
  const cells = played.map((row) => {
    const cell = html("li");
    const points = row.coin_points + row.queen_points + row.additional_points;
    const result = html("b", "", `+${points}`);
    // The breaker plays white: the colour is the winner's on that board.
    result.prepend(disc(row.winner === row.breaker ? "white" : "black"));
    if (row.queen_points > 0) result.append(disc("queen"));
    cell.append(html("span", "", `B${row.board} ${initials(state.players[row.winner].name)}`), result);
    return cell;
  });
  if (!played.some((row) => row.board === state.board)) {
    const now = html("li", "now");
    now.append(html("span", "", `B${state.board}`), html("b", "", "now"));
    cells.push(now);
  }
  at("boards").replaceChildren(...cells.slice(-9));
}

function initials(name) {
  return (name.match(/(?<!\p{L}\p{M}*)\p{L}/gu) ?? []).join("").slice(0, 4);
}

let trusted = null;

function trust(link) {
  trusted = link;
  showTrust(link);
}

function showTrust({ tone, word, sentence, grey }) {
  at("pill").dataset.tone = tone;
  at("link-word").textContent = word;
  document.body.classList.toggle("grey", grey);
  at("veil").hidden = tone !== "alarm";
  at("veil-word").textContent = word;
  at("veil-sentence").textContent = sentence;
}

const GONE = {
  tone: "alarm", word: "No service", grey: true,
  sentence: "This page has lost its server and tries to reach it again.",
};

function age(seconds, gone) {
  at("age").textContent = seconds === null ? "" : seconds < 90 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`;
  if (gone) showTrust(GONE);
  else if (trusted) showTrust(trusted);
}
