// The table of mistakes: a field ranks its entries by the words of a pasted message. Without scripts all is shown.
import { Ranking, words } from "./ranking.js";

const NEAREST = 5; // entries to show where none has all the words
const CLEAR = 1.3; // how much better than the second the first must be to be unfolded

/** @type {(selector: string, within?: ParentNode) => HTMLElement[]} */
const findAll = (selector, within = document) => [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];
const [article] = findAll(".bd-article"), [nearest] = findAll(".nearest");
const [field, told] = /** @type {[HTMLInputElement, HTMLOutputElement]} */ (findAll(".filter input, .filter output"));
/** @type {(selector: string, within: ParentNode) => string} */
const textOf = (selector, within) => findAll(selector, within).map((each) => each.textContent).join(" ");

const NAME = /[a-z][A-Z]/; // of a class of the example
/** @type {(message: string) => string} */
const kindOf = (message) => words(message).filter((word) => !NAME.test(word)).join(" ");

const entries = findAll("section:has(> details > summary > h3)", article).map((section) => {
  const place = document.createComment(section.id);
  section.before(place); // where the entry stands while nothing is asked
  const message = textOf(".pytorch pre", section);
  return { section, place, message, kind: kindOf(message), fold: /** @type {HTMLDetailsElement} */ (section.querySelector(":scope > details")) };
});
const ranking = new Ranking({ message: 3, name: 2, text: 0.5 });
/** @type {Promise<void> | undefined} */
let read;
const reading = () => read ??= ranking.read(entries.map(({ section, message }, id) => ({
  id, name: section.id, message, text: textOf("p, .autograder pre", section),
})));

/** @type {HTMLDetailsElement | undefined} */
let unfolded; // the entry that the field has unfolded, and not the reader

/**
 * Return the entries that share words with the query, best first; those with one message in the order of the page.
 * @param {string} query
 */
function rank(query) {
  const { asked, ranked } = ranking.rank(query);
  /** @type {Map<string | number, number>} */
  const places = new Map();
  /** @type {(id: number) => string | number} */
  const group = (id) => entries[id].kind || id;
  ranked.forEach(({ id }, place) => { if (!places.has(group(id))) places.set(group(id), place); });
  /** @type {(id: number) => number} */
  const place = (id) => places.get(group(id)) ?? 0;
  return { asked, ranked: ranked.sort((one, other) => place(one.id) - place(other.id) || one.id - other.id) };
}

/**
 * Say how well the first of the entries fits, in one or two sentences.
 * @param {string[]} asked
 * @param {{ id: number, has: Set<string> }[]} ranked
 * @param {number} complete
 */
function verdict(asked, ranked, complete) {
  const [entry, have] = complete === 1 ? ["1 entry", "has"] : [`${complete} entries`, "have"];
  if (complete) return `${entry} of ${entries.length} ${have} all of these words.`;
  if (!ranked.length) return `No entry has any of these words. Here are all ${entries.length}.`;
  const nowhere = asked.filter((word) => !ranked.some(({ has }) => has.has(word)));
  const rest = asked.length - nowhere.length, most = Math.max(...ranked.map(({ has }) => has.size));
  return most === rest
    ? `No entry has ${nowhere.join(", ")}. The nearest have all other words.`
    : `No entry has all of these words. The nearest has ${most} of ${asked.length}.`;
}

async function filter() {
  await reading();
  const { asked, ranked } = rank(field.value);
  const complete = ranked.filter(({ has }) => has.size === asked.length);
  const fitting = complete.length ? complete : ranked.slice(0, NEAREST), shown = fitting.map(({ id }) => entries[id]);
  if (unfolded) unfolded.open = false;
  for (const { section, place } of entries) if (nearest.contains(section)) place.after(section);
  nearest.append(...shown.map(({ section }) => section));
  article.classList.toggle("asked", shown.length > 0);
  const clear = fitting.length && fitting[0].score > CLEAR * (fitting[1]?.score ?? 0);
  unfolded = clear && !shown[0].fold.open ? shown[0].fold : undefined;
  if (unfolded) unfolded.open = true;
  told.textContent = asked.length ? verdict(asked, ranked, complete.length) : "";
}

/** Unfold the entry that the address leads to. */
function open() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (article.classList.contains("asked") && !nearest.contains(target)) {
    field.value = "";
    void filter().then(open);
    return;
  }
  const fold = target.closest("section")?.querySelector(":scope > details");
  if (fold instanceof HTMLDetailsElement) fold.open = true;
  target.scrollIntoView();
}

field.addEventListener("focus", reading);
field.addEventListener("input", filter);
addEventListener("hashchange", open);
if (field.value) void filter(); // kept by the browser from before
open();
