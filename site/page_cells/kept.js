// What the reader has typed, in the storage of the browser.

export const CANNOT_LOAD =
  'A part of this page could not be loaded. It comes from the web server of this site, which a page that is opened as a file does not reach: check the connection and try again, or continue in Binder.';

/**
 * `stub` is the cell as the lesson had it when the reader typed; `right` tells whether the check took the text.
 * @typedef {{ stub: string, text: string, right: boolean }} Typed
 */

/** @param {string} lesson @param {string} cell */
const key = (lesson, cell) => `now-you/${lesson}/${cell}`;

/** @param {string} lesson @param {string} cell @returns {Typed | null} */
export function typed(lesson, cell) {
  try {
    return JSON.parse(localStorage.getItem(key(lesson, cell)) ?? 'null');
  } catch {
    return null; // a browser may refuse its storage
  }
}

/** Keeps a text; one that is the stub is forgotten. @param {string} lesson @param {string} cell @param {Typed} now */
export function keep(lesson, cell, now) {
  try {
    if (now.text === now.stub) localStorage.removeItem(key(lesson, cell));
    else localStorage.setItem(key(lesson, cell), JSON.stringify(now));
  } catch {
    // then the text lives as long as the page
  }
}
