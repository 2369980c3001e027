// Runs Python apart from the page, so that the page can show progress and end it.
import { loadPyodide } from 'pyodide';

const HOME = new URL(`../pyodide-${PYODIDE.version}/`, self.location.href);
const LESSON = '/lesson';

/** @typedef {import('./machine.js').Message} Message */

/** @param {Message} message */
const tell = (message) => self.postMessage(message);

/** @type {ReturnType<typeof start> | undefined} */
let starting;

self.onmessage = async (/** @type {MessageEvent<{ request: string, files: { [path: string]: string } }>} */ { data }) => {
  let python;
  try {
    python = await (starting ??= start(data.files));
  } catch (error) {
    console.warn(error);
    return tell({ failed: 'load' });
  }
  try {
    const write = (/** @type {string} */ text) => tell({ printed: text });
    tell({ outcome: python.pyimport('runner').run(data.request, write) });
  } catch (error) {
    console.warn(error);
    tell({ failed: 'run' });
  }
};

/** @param {{ [path: string]: string }} files */
async function start(files) {
  countWhatIsFetched();
  // as a blob, so that any type will do that a server gives it
  const script = await (await fetch(new URL('pyodide.asm.mjs', HOME))).blob();
  const address = URL.createObjectURL(script.slice(0, script.size, 'text/javascript'));
  const { default: createPyodideModule } = await import(address);
  const python = await loadPyodide({ indexURL: HOME.href, createPyodideModule });
  for (const [path, text] of Object.entries(files)) {
    python.FS.mkdirTree(`${LESSON}/${path}`.replace(/\/[^/]*$/, ''));
    python.FS.writeFile(`${LESSON}/${path}`, text);
  }
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(LESSON)})`);
  return python;
}

// pyodide tells nothing of its loading, and takes WebAssembly with its own type alone, which not each server sends.
function countWhatIsFetched() {
  const plain = self.fetch;
  let loaded = 0;
  self.fetch = async (input, options) => {
    const response = await plain(input, options);
    if (!response.ok || !response.body) return response;
    const counter = new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        tell({ loaded, of: PYODIDE.bytes });
        controller.enqueue(chunk);
      }
    });
    const wasm = response.url.endsWith('.wasm');
    const headers = wasm ? { 'Content-Type': 'application/wasm' } : response.headers;
    return new Response(response.body.pipeThrough(counter), { headers });
  };
}
