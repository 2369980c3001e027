// Lets readers write and run cells of a lesson on its page. The editor is loaded at the first click into a cell,
// Python at the first run.
import { makeCell } from './cell.js';

const script = /** @type {HTMLScriptElement} */ (document.currentScript);

document.addEventListener('DOMContentLoaded', () => {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll('.now-you[data-in-page]');
  for (const place of places) makeCell(place, new URL('.', script.src));
});
