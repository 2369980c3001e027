// The page of the search: ranks the sections of all pages by the words that are asked for, and quotes their text.
import { Ranking, words } from "./ranking.js";

/** @typedef {{ address: string, kind: string, page: string, title: string, opening?: string, text?: string, code?: string, message?: string }} Section */
/** @type {Section[]} */
const sections = Reflect.get(globalThis, "searchIndex");
const MOST = 30, FEWEST = 5; // results
const OF_A_PAGE = 3;
const EXCERPT = 240; // characters
const IMPORTANCE = /** @type {Record<string, number>} */ ({
  Mistake: 0.8, Gallery: 0.7, Glossary: 0.7, Exercises: 0.6, "First page": 0.3, Reference: 0.3,
}); // of a kind of page
const OPENING = 1.2; // importance of a page's first section, which says what it is about
const IN_A_ROW = 2; // importance of a section that has the query word for word
const READ = 100; // sections to look for it in

const ranking = new Ranking({ message: 5, title: 4, opening: 3, page: 1, text: 1, code: 0.4 });
const field = /** @type {HTMLInputElement} */ (document.querySelector(".search-page input"));
const status = /** @type {HTMLElement} */ (document.querySelector(".search-status"));
const list = /** @type {HTMLElement} */ (document.querySelector(".search-results"));

/** @type {(id: number) => number} */
const importance = (id) => {
  const { kind, address } = sections[id];
  return (IMPORTANCE[kind] ?? 1) * (address.includes("#") ? 1 : OPENING);
};

/**
 * Return an element with a class and what it contains.
 * @param {string} tag
 * @param {string} name
 * @param {(string | Node)[]} content
 */
function element(tag, name, ...content) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...content);
  return made;
}

/**
 * Quote the part with most of the terms, which are marked, of the first text that has one.
 * @param {string[]} texts
 * @param {string[]} terms
 */
function excerpt(texts, terms) {
  const term = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})`, "giu");
  const text = texts.find((each) => each.search(term) >= 0) ?? texts.find(Boolean) ?? "";
  const found = [...text.matchAll(term)];
  /** @param {RegExpExecArray} first */
  const richness = (first) => new Set(found.filter(({ index }) => index >= first.index && index < first.index + EXCERPT)
    .map(([word]) => word.toLowerCase())).size;
  let best = found[0];
  for (const each of found) if (richness(each) > richness(best)) best = each;
  const start = best && best.index > EXCERPT / 3 ? text.lastIndexOf(" ", best.index - EXCERPT / 4) + 1 : 0;
  const end = start + EXCERPT < text.length ? text.lastIndexOf(" ", start + EXCERPT) : text.length;
  /** @type {(string | Node)[]} */
  const parts = [start ? "… " : ""];
  let done = start;
  for (const { 0: word, index } of found) {
    if (index < done || index + word.length > end) continue;
    parts.push(text.slice(done, index), element("mark", "", word));
    done = index + word.length;
  }
  parts.push(text.slice(done, end), end < text.length ? " …" : "");
  return element("p", "context", ...parts);
}

/**
 * Return a section as an item of the list.
 * @param {Section} section
 * @param {string[]} terms
 */
function item({ address, kind, page, title, opening = "", text = "", code = "", message = "" }, terms) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", "", title));
  link.href = address;
  const place = element("span", "place", page === title ? kind : page);
  return element("li", "", link, place, excerpt([message, opening, text, code], terms));
}

/** @type {(text: string) => string} */
const plain = (text) => words(text).join(" ").toLowerCase();

/** Return the sections that share words with the query, those first that have its words in a row. */
function search() {
  const { asked, ranked } = ranking.rank(field.value, importance), phrase = plain(field.value);
  if (asked.length > 1) {
    for (const result of ranked.slice(0, READ)) {
      const { title, opening = "", text = "" } = sections[result.id];
      if (plain(`${title} ${opening} ${text}`).includes(phrase)) result.score *= IN_A_ROW;
    }
    ranked.sort((one, other) => other.score - one.score);
  }
  return { asked, ranked };
}

function show() {
  const { asked, ranked } = search();
  const complete = ranked.filter(({ has }) => has.size === asked.length);
  /** @type {Map<string, number>} */
  const shown = new Map();
  const results = (complete.length < FEWEST ? ranked : complete).filter(({ id }) => {
    const many = (shown.get(sections[id].page) ?? 0) + 1;
    shown.set(sections[id].page, many);
    return many <= OF_A_PAGE;
  }).slice(0, complete.length < FEWEST ? 2 * FEWEST : MOST);
  list.replaceChildren(...results.map(({ id, terms }) => item(sections[id], terms)));
  status.textContent = asked.length ? verdict(asked, ranked, complete.length) : "";
}

/**
 * Say how well the results fit, in one or two sentences.
 * @param {string[]} asked
 * @param {{ has: Set<string> }[]} ranked
 * @param {number} complete
 */
function verdict(asked, ranked, complete) {
  if (complete) return `${complete} ${complete === 1 ? "section has" : "sections have"} all of these words. The best come first.`;
  const nowhere = asked.filter((word) => !ranked.some(({ has }) => has.has(word)));
  const missing = nowhere.length ? `Nothing on this site has ${nowhere.join(", ")}.` : "No section has all of these words.";
  return ranked.length ? `${missing} The nearest come first.` : missing;
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.focus();
status.textContent = field.value ? "Searching …" : "";
ranking.read(sections.map((section, id) => ({ id, ...section }))).then(() => {
  show();
  field.addEventListener("input", show);
});
