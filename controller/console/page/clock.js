// The clocks: counted here between two states, by the server's own second.

import { $, button, redraw } from "/dom.js";

let shown = null;
let ahead = 0;

export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds - 1e-6));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function setClock(state, send, open) {
  shown = state.state;
  ahead = state.now_s - performance.now() / 1000;
  const { game_clock: clock, phase } = shown;
  const work = (action) => () => send({ ruling: "clock", action });
  redraw($("clock-buttons"), [phase, clock?.started, clock?.paused, clock?.running, clock?.limit_s], () => {
    const made = [];
    if (["racking", "break"].includes(phase)) made.push(button("“Play”", work("play")));
    if (clock?.limit_s && !clock.started) made.push(button("Start clock", work("start"), { className: "primary" }));
    const stands = clock && (clock.paused || (clock.started && !clock.running));
    made.push(stands ? button("Go on", work("resume"), { className: "primary" }) : button("Stop time (appeal)", work("pause")));
    if (clock?.limit_s || clock?.started) made.push(button("Set clock", () => open("set-clock")));
    return made;
  });
  tick();
}

export function tick() {
  if (!shown) return;
  const now = performance.now() / 1000 + ahead;
  const { game_clock: clock, wait } = shown;
  $("game-clock").hidden = !clock;
  if (clock) {
    const gone = clock.elapsed_s + (clock.running ? now - clock.since_s : 0);
    const left = clock.limit_s === null ? null : clock.limit_s - gone;
    $("game-time").value = minutes(left ?? gone);
    $("game-clock").classList.toggle("bad", left !== null && left <= 0);
    $("game-clock").classList.toggle("soon", !!clock.warning_s && gone >= clock.warning_s && left > 0);
    $("game-note").textContent = note(clock, left);
  }
  $("wait").hidden = !wait;
  if (wait) {
    const left = wait.until_s - now;
    const what = wait.what === "stroke" ? "Stroke" : "Placing";
    $("wait").textContent = left > 0 ? `${what}: ${Math.ceil(left)} s` : `${what}: ${Math.floor(-left)} s late`;
    $("wait").classList.toggle("bad", left <= 0);
  }
}

function note(clock, left) {
  if (clock.paused) return "time stopped";
  if (!clock.started) return "not started";
  if (!clock.running) return "stands: the computer was restarted";
  if (left === null) return "played";
  return left > 0 ? "left" : "time is over";
}
