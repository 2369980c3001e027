// Runs a cell after those that it needs, and shows what comes of it.
import { element } from './element.js';
import { CANNOT_LOAD, typed } from './kept.js';
import { run } from './machine.js';
import { shown } from './outcome.js';

/**
 * The program of a lesson: see tools/reader_site/in_page.py.
 * @typedef {{
 *   imports: string, files: { [path: string]: string },
 *   cells: { id: string, source?: string, name?: string, answer?: string }[]
 * }} Program
 */

/** @type {Promise<Program> | undefined} */
let program;

/** @param {URL} base @param {string} lesson @returns {Promise<Program>} */
async function fetchProgram(base, lesson) {
  try {
    return await (await fetch(new URL(`${lesson}.json?${VERSION}`, base))).json();
  } catch {
    program = undefined;
    throw new Error(CANNOT_LOAD);
  }
}

/**
 * Lists what runs before a cell: of the reader's cells those that are right, else their answers.
 * @param {Program['cells']} cells @param {string} lesson @param {string} id
 * @returns {import('./machine.js').Request['before']}
 */
function before(cells, lesson, id) {
  const earlier = cells.slice(0, cells.findIndex((cell) => cell.id === id));
  return earlier.flatMap(({ id: other, source, name, answer }) => {
    if (source !== undefined) return [{ tries: [source] }];
    const own = typed(lesson, other);
    return answer ? [{ name, tries: [...(own?.right ? [own.text] : []), answer] }] : [];
  });
}

/**
 * Runs a cell and shows in `result` how that goes; tells whether the check found the text right.
 * @param {URL} base @param {string} lesson @param {string} id @param {string} text @param {HTMLElement} result
 */
export async function runCell(base, lesson, id, text, result) {
  const printed = element('pre', ''), progress = document.createElement('progress');
  const state = element('p', 'aside', 'Running …');
  progress.setAttribute('aria-label', 'Loading Python');
  const show = (/** @type {HTMLElement[]} */ parts) => {
    result.replaceChildren(...(printed.textContent ? [printed] : []), ...parts);
  };
  show([state]);
  try {
    const { imports, files, cells } = await (program ??= fetchProgram(base, lesson));
    const request = { imports, before: before(cells, lesson, id), cell: text };
    const outcome = await run(base, request, files, {
      loading: (share) => {
        state.textContent = share < 1 ? 'Loading Python …' : 'Starting Python …';
        if (share < 1) progress.value = share;
        else progress.removeAttribute('value'); // it moves meanwhile
        if (!progress.isConnected) result.append(progress);
      },
      printed: (more) => {
        printed.textContent += more;
        show([]);
      }
    });
    for (const note of document.querySelectorAll('.now-you .first-run')) note.remove();
    show(shown(outcome));
    return outcome.right === true;
  } catch (error) {
    show([element('p', 'sentence', /** @type {Error} */ (error).message)]);
    return false;
  }
}
