// Small makers of elements, shared by the page's modules.

export const $ = (id) => document.getElementById(id);

export function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  const { data, ...properties } = options;
  Object.assign(made, properties);
  Object.assign(made.dataset, data ?? {});
  made.append(...children);
  return made;
}

export const coin = (piece) =>
  element("span", { className: `coin ${piece}`, role: "img", ariaLabel: piece });

export const button = (textContent, onclick, more = {}) =>
  element("button", { type: "button", textContent, onclick, ...more });

// Redraws a place only when what it shows has changed, so that focus stays.
export function redraw(place, shown, children) {
  const text = JSON.stringify(shown);
  if (place.dataset.shown === text) return;
  place.dataset.shown = text;
  place.replaceChildren(...children());
}

// Each form names its own group of radio buttons, or they would be one group.
let groups = 0;

export function radios(name, choices, chosen, legend = "") {
  const group = `${name}-${(groups += 1)}`;
  return element(
    "fieldset",
    { data: { field: name } },
    element("legend", { textContent: legend }),
    ...choices.map(([value, label]) =>
      element(
        "label",
        { className: "check" },
        element("input", { type: "radio", name: group, value, checked: value === chosen }),
        label,
      ),
    ),
  );
}

export const picked = (place, name) =>
  place.querySelector(`[data-field="${name}"] input:checked`)?.value;

export function stepper(name, label, least, most, value = least) {
  const count = element("output", { name, value: String(value), data: { least } });
  const step = (by) => () => {
    count.value = Math.min(most, Math.max(least, Number(count.value) + by));
    count.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const text = typeof label === "string" ? label : name;
  return element(
    "div",
    { className: "stepper" },
    element("span", { className: "name" }, label),
    button("−", step(-1), { ariaLabel: `one ${text} less` }),
    count,
    button("+", step(1), { ariaLabel: `one ${text} more` }),
  );
}

export const counted = (place, name) =>
  Number(place.querySelector(`output[name="${name}"]`).value);
