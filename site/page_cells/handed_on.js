// Hands what the reader has typed on: into a notebook to download, and to Binder.
import { typed } from './kept.js';

/** @typedef {{ id: string, metadata: { tags?: string[] }, source: string | string[] }} Cell */

const LONGEST = 6000; // characters: servers refuse an address with more than about 8,000

/** Downloads the notebook of a lesson with what was typed. @param {URL} base @param {string} lesson */
export async function download(base, lesson) {
  const notebook = await (await fetch(new URL(`${lesson}.ipynb?${VERSION}`, base))).json();
  for (const cell of /** @type {Cell[]} */ (notebook.cells)) {
    cell.source = typed(lesson, cell.id)?.text ?? cell.source;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(notebook, null, 1)], { type: 'application/x-ipynb+json' }));
  link.download = `${lesson}.ipynb`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // a browser may read it only after the click
}

/**
 * Returns the address that opens the lesson in Binder with what was typed, which the extension in student_view/ puts
 * into the cells; null if it is too much for an address.
 * @param {string} address @param {string} lesson @param {string[]} cells @returns {Promise<string | null>}
 */
export async function inBinder(address, lesson, cells) {
  const all = cells.flatMap((id) => {
    const now = typed(lesson, id);
    return now ? [[id, now.stub, now.text]] : [];
  });
  if (!all.length) return address;
  const packed = await new Response(
    new Blob([JSON.stringify(all)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  ).arrayBuffer();
  const base64 = btoa(String.fromCharCode(...new Uint8Array(packed)));
  const word = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return word.length > LONGEST ? null : `${address}${encodeURIComponent(`?typed=${word}`)}`;
}
