// Python for a page, in a worker that starts at the first run.
import { CANNOT_LOAD } from './kept.js';

/**
 * One run: see runner.py.
 * @typedef {{ imports: string, before: { name?: string, tries: string[] }[], cell: string }} Request
 * @typedef {{
 *   from_answers: string[], html?: string, text?: string, right?: boolean | null,
 *   error?: { sentence: string, lines: string[] }
 * }} Outcome
 * @typedef {{ of: number, loaded: number } | { printed: string } | { outcome: string } | { failed: 'load' | 'run' }} Message
 * @typedef {{ loading: (share: number) => void, printed: (text: string) => void }} Listener
 */

/** @type {Worker | null} */
let worker = null;
/** @type {((error: Error) => void) | null} */
let end = null;

const ENDED = 'The code has ended Python itself, as a very deep recursion does. Your text is kept; the next run starts Python anew.';

/**
 * Runs a cell; rejects with a sentence for the reader.
 * @param {URL} base @param {Request} request @param {{ [path: string]: string }} files @param {Listener} listener
 * @returns {Promise<Outcome>}
 */
export function run(base, request, files, listener) {
  return new Promise((resolve, reject) => {
    end = reject;
    try {
      worker ??= new Worker(new URL(`worker.js?${VERSION}`, base), { type: 'module' });
    } catch {
      return stop(CANNOT_LOAD); // a page that was opened from a file
    }
    worker.onerror = () => stop(CANNOT_LOAD);
    worker.onmessage = (/** @type {MessageEvent<Message>} */ { data }) => {
      if ('of' in data) listener.loading(data.loaded / data.of);
      else if ('printed' in data) listener.printed(data.printed);
      else if ('failed' in data) stop(data.failed === 'load' ? CANNOT_LOAD : ENDED);
      else {
        end = null;
        resolve(JSON.parse(data.outcome));
      }
    };
    worker.postMessage({ request: JSON.stringify(request), files });
  });
}

/** Ends Python, in whatever loop it is. @param {string} sentence */
export function stop(sentence) {
  worker?.terminate();
  worker = null;
  end?.(new Error(sentence));
  end = null;
}
