// What the display service sends: views, moving pieces, and the pulse of the data's age.
//
// The browser reconnects an event stream by itself, but gives up for ever when the
// server answers with an error; then a new one is made. A stream that says nothing for
// SILENT_MS is as good as gone, whatever the browser believes.

const SILENT_MS = 5000;
const RETRY_MS = 1500;

// Calls `view(fields)`, `track(pieces)` and, four times a second,
// `age(seconds, gone, clock)`.
export function follow({ view, track, age }) {
  let heardAt = performance.now();
  let pulse = { age_s: null };
  let version = null;

  const hear = (use) => (event) => {
    heardAt = performance.now();
    use(JSON.parse(event.data));
  };

  function connect() {
    const stream = new EventSource("/events");
    stream.addEventListener("view", hear((fields) => {
      version ??= fields.version;
      if (fields.version !== version) location.reload();
      view(fields);
    }));
    stream.addEventListener("track", hear(track));
    stream.addEventListener("pulse", hear((said) => { pulse = said; }));
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
    });
  }

  connect();
  setInterval(() => {
    const silent = performance.now() - heardAt;
    const seconds = pulse.age_s === null ? null : pulse.age_s + silent / 1000;
    age(seconds, silent > SILENT_MS, pulse.clock ?? "");
  }, 250);
}
