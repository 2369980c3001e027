// Puts into a lesson's cells what the reader has typed into them on the course's site.
//
// The site's link to Binder has it as the parameter `typed` of the lesson's address: a list of cells, each with its
// id, its code in the lesson and its code now, as JSON, compressed and in base64 for addresses.

/**
 * What is used of JupyterLab's interfaces, which have no types here.
 * @typedef {{
 *   id: string, getMetadata: (key: string) => unknown,
 *   sharedModel: { getSource: () => string, setSource: (text: string) => void }
 * }} Cell
 * @typedef {{ context: { path: string, ready: Promise<void> }, content: { model: { cells: Iterable<Cell> } } }} Panel
 * @typedef {{ info: (text: string, options: object) => void }} Notification
 * @typedef {{ widgetAdded: { connect: (slot: (sender: unknown, panel: Panel) => void) => void } }} Tracker
 */

const ADDRESS = new URL(location.href); // JupyterLab changes it when it has opened the file

/** @param {string} word @returns {Promise<[id: string, stub: string, text: string][]>} */
async function unpack(word) {
  const bytes = Uint8Array.from(atob(word.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

/**
 * Fills the cells that the reader is to write and has not touched here; says so.
 * @param {Panel} panel @param {string} word @param {Notification} notification
 */
async function fill(panel, word, notification) {
  const [typed] = await Promise.all([unpack(word), panel.context.ready]);
  let filled = 0;
  for (const cell of panel.content.model.cells) {
    const [, stub, text] = typed.find(([id]) => id === cell.id) ?? [];
    const tags = /** @type {string[] | undefined} */ (cell.getMetadata('tags'));
    if (text !== undefined && tags?.includes('now-you') && cell.sharedModel.getSource() === stub) {
      cell.sharedModel.setSource(text);
      filled += 1;
    }
  }
  if (filled) {
    const cells = filled === 1 ? 'One cell of this lesson holds' : `${filled} cells of this lesson hold`;
    notification.info(`${cells} what you typed on the site. Run the cells above before you run yours.`, {
      autoClose: false
    });
  }
}

/** @param {(name: string) => Promise<any>} load gives a package of JupyterLab */
export default async load => {
  const [{ INotebookTracker }, { Notification }] = await Promise.all(
    ['notebook', 'apputils'].map(name => load(`@jupyterlab/${name}`))
  );
  const word = ADDRESS.searchParams.get('typed');
  return {
    id: '@write-your-own-backward/student-view:typed-cells',
    description: 'Opens a lesson with what the reader has typed on the site.',
    autoStart: true,
    requires: [INotebookTracker],
    /** @param {unknown} _ @param {Tracker} tracker */
    activate: (_, tracker) => {
      if (word !== null) {
        tracker.widgetAdded.connect((_, panel) => {
          if (ADDRESS.pathname.endsWith(`/tree/${panel.context.path}`)) {
            fill(panel, word, Notification);
          }
        });
      }
    }
  };
};
