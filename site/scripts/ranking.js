// What the search of the site and the field of the page of mistakes share: which words a text has, and their ranking.
import MiniSearch from "minisearch";

const MOST_WORDS = 80; // of a query: a pasted traceback has thousands

const COMMON = new Set(`a about an and are as at be been but by can do does for from had has have how i if in into is it its
  me my of on or so than that the their them then there these they this to was we were what when where which why will with
  write you your`.split(/\s+/));

/**
 * Return the words of a text; numbers and shapes, which differ from message to message, are none.
 * @param {string} text
 */
export const words = (text) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => /^_*\p{L}/u.test(word));

/**
 * Return a word as it is compared, and with it the parts of a name such as save_for_backward. A plural counts as its
 * singular, and a word that every text has as none.
 * @param {string} word
 */
function forms(word) {
  const whole = word.toLowerCase(), parts = whole.split("_").filter((part) => part.length > 1);
  return [...new Set([whole, ...parts])].filter((form) => !COMMON.has(form)).map((form) => form.replace(/(?<=[^s\W]{2})s$/, ""));
}

/**
 * Return the message at the end of a pasted traceback, or the text itself.
 * @param {string} text
 */
function message(text) {
  const errors = [...text.matchAll(/\b[\w.]*(?:Error|Exception|Warning): /g)];
  return /Traceback|File "/.test(text) && errors.length ? text.slice(errors.at(-1)?.index) : text;
}

/**
 * A result: its document, its score, the words of the query that it has, and the words of the document that they are.
 * @typedef {{ id: number, score: number, has: Set<string>, terms: string[] }} Ranked
 */

/** Ranks documents by the words that they share with a query, rare words first (BM25). */
export class Ranking {
  /** @param {Record<string, number>} weights of the fields */
  constructor(weights) {
    /** @type {Set<string>} */
    this.known = new Set();
    this.weights = weights;
    this.index = new MiniSearch({
      fields: Object.keys(weights),
      tokenize: words,
      processTerm: (word) => {
        const all = forms(word);
        for (const form of all) this.known.add(form);
        return all;
      },
    });
  }

  /**
   * Read the documents, whose `id` is a number, in pieces that do not hold up the page.
   * @param {{ id: number }[]} documents
   */
  async read(documents) {
    await this.index.addAllAsync(documents, { chunkSize: 10 });
  }

  /**
   * Return the documents that share a word with the query, best first, and the words of the query.
   * @param {string} query
   * @param {(id: number) => number} [importance] a factor for each document
   * @returns {{ asked: string[], ranked: Ranked[] }}
   */
  rank(query, importance = () => 1) {
    const meant = words(message(query)).filter((word) => forms(word).length);
    const asked = [...new Map(meant.reverse().map((word) => [word.toLowerCase(), word])).values()]
      .reverse().slice(0, MOST_WORDS);
    const found = this.index.search(asked.join(" "), {
      processTerm: forms,
      boost: this.weights,
      boostDocument: (id) => importance(id),
      // a word that no document has may be unfinished or misspelt
      prefix: (term) => !this.known.has(term),
      fuzzy: (term) => !this.known.has(term) && term.length > 3 && 0.25,
    });
    const ranked = found.map(({ id, score, queryTerms, terms }) => {
      const matched = new Set(queryTerms);
      return { id, score, terms, has: new Set(asked.filter((word) => matched.has(forms(word)[0]))) };
    });
    return { asked, ranked };
  }
}
