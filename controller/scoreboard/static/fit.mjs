// Text that shrinks until it fits its box: long names are the rule in this sport.

const SMALLEST = 0.34;

// Set `--fit` on `text` so that it fits into its own width and `room()` pixels of height.
export function fit(text, room) {
  text.classList.remove("break-anywhere");
  for (let size = 1; size >= SMALLEST; size -= 0.03) {
    text.style.setProperty("--fit", size.toFixed(2));
    if (text.scrollHeight <= room() + 1 && text.scrollWidth <= text.clientWidth + 1) return;
  }
  text.classList.add("break-anywhere");
}

// Give an element a text, fitted now and whenever the window changes its size.
const fitted = new Map();
export function setFitted(element, text, room) {
  if (element.textContent === text && fitted.has(element)) return;
  element.textContent = text;
  fitted.set(element, room);
  fit(element, room);
}
new ResizeObserver(() => fitted.forEach((room, element) => fit(element, room)))
  .observe(document.documentElement);
