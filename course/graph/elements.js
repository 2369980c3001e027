// Finds and makes elements of the page.

// Both are for elements that are certainly there: T is their type where the caller names one, and nothing checks it.
/** @template {Element} [T=HTMLElement] @param {ParentNode} within @param {string} selector */
const find = (within, selector) => /** @type {T} */ (within.querySelector(selector));
/** @template {Element} [T=HTMLElement] @param {ParentNode} within @param {string} selector */
const findAll = (within, selector) => /** @type {T[]} */ ([...within.querySelectorAll(selector)]);

/** @template {Element} T @param {T} element @param {{ [name: string]: string | number }} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
/** @type {(element: Element, classes: { [name: string]: boolean }) => void} */
function setClasses(element, classes) {
  for (const [name, on] of Object.entries(classes)) element.classList.toggle(name, on);
}
/** @template {keyof SVGElementTagNameMap} T @param {T} tag @param {{ [name: string]: string | number }} attributes */
const svgElement = (tag, attributes = {}) =>
  setAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} text */
const written = (tag, text, className = "") =>
  Object.assign(document.createElement(tag), { textContent: text, className });
/** @type {(className: string, label: string, tag?: "div" | "span" | "pre") => HTMLElement} */
const labelledGroup = (className, label, tag = "div") =>
  setAttributes(written(tag, "", className), { role: "group", "aria-label": label });

// A name in words has a line over it; over letters one by one the line would be ragged.
/** @type {(text: string) => (string | Node)[]} */
const overlined = (text) => text.split(/((?:[^]\u0305)+)/).map((part) =>
  (part.includes("\u0305") ? written("span", part.replaceAll("\u0305", ""), "over") : part));

// A text that changes has room from the start for all that it will say: its texts lie in the same cell of a grid,
// unseen, so that the browser measures them, whatever the font and the width.
/** @type {(now: HTMLElement, rooms: HTMLElement[]) => void} */
function reserve(now, rooms) {
  for (const room of findAll(/** @type {Element} */ (now.parentElement), ":scope > .room")) room.remove();
  for (const room of rooms) room.className = `room ${room.className}`;
  now.before(...rooms); // first, for the first one gives the grid its baseline
}
/** @type {(texts: string[]) => HTMLElement[]} */
const inLines = (texts) => [written("span", [...new Set(texts)].join("\n"))];

// A cell whose text changes; what it says stands in the element that is returned.
/** @type {(cell: Element) => HTMLElement} */
function asRoomy(cell) {
  const holder = written("span", "", "roomy"), now = written("span", cell.textContent, "now");
  holder.append(now);
  cell.replaceChildren(holder);
  return now;
}

// A sum grows: what was there stands, what arrives is added when it has arrived.
/** @template {Element} T @param {T} text @param {{ before: string, product: string }} step @returns {T} */
function grow(text, { before, product }) {
  text.textContent = before;
  text.append(written("span", ` + ${factor(product)}`, "arriving"));
  return text;
}
