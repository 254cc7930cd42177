// Draws the scoreboard from what the display service sends. No laws in here: every word
// and number is in the view already.

import { follow } from "./feed.mjs";
import { setFitted } from "./fit.mjs";
import { coinRow, disc, fill, html, pursed, signed } from "./pieces.mjs";
import { TablePicture } from "./table.mjs";

const at = (id) => document.getElementById(id);
const picture = new TablePicture(at("picture"));
const hall = document.querySelector("main");
let players = [];
seat(2);
at("royal").querySelector(".sign").append(disc("queen"));

follow({ view, track: (pieces) => picture.move(pieces), age });

function view(fields) {
  const { state, link } = fields;
  at("table-name").textContent = fields.table;
  picture.table(fields.drawing);
  trust(link);
  if (!state) return;
  document.body.dataset.phase = state.phase;
  seat(state.players.length);
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

// Two sit on either side of the table; three or four beside it, in the order of play.
function seat(number) {
  if (players.length === number) return;
  players.forEach((panel) => panel.remove());
  players = Array.from({ length: number }, (_, n) => {
    const panel = html("section", "player");
    panel.id = `player-${n}`;
    panel.setAttribute("aria-label", `Player ${n + 1}`);
    panel.append(at("player").content.cloneNode(true));
    return panel;
  });
  hall.classList.toggle("many", number > 2);
  hall.style.setProperty("--players", number);
  if (number === 2) hall.prepend(players[0]);
  hall.append(...players.slice(number === 2 ? 1 : 0));
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
  const turns = player.colour ? player.colour === state.turn : state.on_turn === n;
  const covers = turns && state.queen === "awaiting-cover";
  panel.dataset.colour = player.colour ?? "";
  panel.classList.toggle("on-turn", turns);
  panel.classList.toggle("must-cover", covers);
  panel.classList.toggle("winner", state.winner === n);
  part(".turn span").textContent = covers ? "Must cover"
    : state.phase === "break" ? "To break" : "To play";
  fill(part(".disc"), player.colour, () => (player.colour ? [disc(player.colour)] : []));
  part(".from").textContent = [player.affiliation, player.seat && `sits ${player.seat}`]
    .filter(Boolean).join(" · ");
  setFitted(part("h2"), player.name, () =>
    part(".names").clientHeight - part(".from").offsetHeight);
  setScore(part(".score"), player.score);
  fill(part(".pips"), [state.games_to_win, player.games_won], () =>
    Array.from({ length: state.games_to_win }, (_, won) =>
      html("i", won < player.games_won ? "won" : "")));
  part(".pips").setAttribute("aria-label", `${player.games_won}`);
  if (player.purse) {
    purse(part, player.purse);
    return;
  }
  fill(part(".coins .row"), [player.colour, player.coins_left], () =>
    (player.colour ? coinRow(player.colour, player.coins_left) : []));
  part(".coins b").textContent = player.coins_left;
  const holdsQueen = state.queen === `covered-by-${player.colour}`;
  part(".dues").classList.toggle("owing", player.dues.owed > 0);
  fill(part(".dues"), [player.dues, holdsQueen], () => dues(player.dues, holdsQueen));
}

function purse(part, { white, black, queen, points, points_lost }) {
  const held = { white, black, queen };
  fill(part(".coins .row"), held, () => pursed(held));
  const shown = [html("span", "", `${signed(points)} this board`)];
  if (points_lost) shown.push(html("span", "count", `${signed(-points_lost)} striker`));
  part(".dues").classList.toggle("owing", points_lost > 0);
  fill(part(".dues"), [points, points_lost], () => shown);
}

function dues({ owed, payable }, holdsQueen) {
  const shown = owed === 0 ? [html("span", "", "No dues")] : [
    html("span", "count", `Owes ${owed}`),
    html("span", "", payable === 0 ? "not yet" : `${payable} now`),
  ];
  if (holdsQueen) {
    const crowned = html("span", "crowned");
    crowned.append(disc("queen", "has covered the queen"));
    shown.push(crowned);
  }
  return shown;
}

function setScore(place, score) {
  const output = place.querySelector("output");
  const before = output.textContent;
  if (before === signed(score)) return;
  output.textContent = signed(score);
  place.classList.remove("fresh");
  if (before === "") return;
  requestAnimationFrame(() => place.classList.add("fresh"));
}

function captionLine({ tone, title, detail }, fallen) {
  at("caption").dataset.tone = tone;
  at("caption-detail").textContent = detail;
  setFitted(at("caption-title"), title, () => at("caption").clientHeight - 12);
  fill(at("fallen"), fallen, () => fallen.map(({ piece, pocket }) =>
    disc(piece ?? "unknown", `${piece ?? "a piece"} down, ${pocket ?? "pocket unknown"}`)));
}

function boards(state) {
  const played = state.history.filter((row) => row.game === state.game);
  const names = state.players.map((player) => initials(player.name));
  fill(at("boards"), [played, state.board, names], () => {
    const cells = played.map((row) => boardCell(row, names[row.winner] ?? "level"));
    if (!played.some((row) => row.board === state.board)) {
      const now = html("li", "now");
      now.append(html("span", "", `B${state.board}`), html("b", "", "now"));
      cells.push(now);
    }
    return cells.slice(-9);
  });
}

function boardCell(row, winner) {
  const cell = html("li");
  const points = row.coin_points + row.queen_points + row.additional_points;
  const result = html("b", "", `+${points}`);
  // The breaker plays white: the colour is the winner's on that board. Each for
  // himself nobody has one, and `points` says what the board brought everyone.
  if (row.points.length === 0) {
    result.prepend(disc(row.winner === row.breaker ? "white" : "black"));
  }
  if (row.queen_points > 0) result.append(disc("queen"));
  cell.append(html("span", "", `B${row.board} ${winner}`), result);
  return cell;
}

function initials(name) {
  return (name.match(/(?<!\p{L}\p{M}*)\p{L}/gu) ?? []).join("").slice(0, 4);
}

let trusted = null;
let trustShown = "";

function trust(link) {
  trusted = link;
  showTrust(link);
}

function showTrust(link) {
  if (trustShown === JSON.stringify(link)) return;
  trustShown = JSON.stringify(link);
  at("pill").dataset.tone = link.tone;
  at("pill").title = link.sentence;
  at("link-word").textContent = link.word;
  document.body.classList.toggle("grey", link.grey);
  at("veil").hidden = link.tone !== "alarm";
  at("veil-word").textContent = link.word;
  at("veil-sentence").textContent = link.sentence;
}

const GONE = {
  tone: "alarm", word: "No service", grey: true,
  sentence: "This page has lost its server and tries to reach it again.",
};

function age(seconds, gone, clock) {
  if (at("clock").textContent !== clock) at("clock").textContent = clock;
  const text = seconds === null ? ""
    : seconds < 90 ? `${Math.floor(seconds)} s ago` : `${Math.floor(seconds / 60)} min ago`;
  if (at("age").textContent !== text) at("age").textContent = text;
  if (gone) showTrust(GONE);
  else if (trusted) showTrust(trusted);
}
