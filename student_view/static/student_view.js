// JupyterLab as a student of the course sees it: a card that starts the course, lessons first in the file
// list, and nothing marked as changed that the student has not changed. package.json hides the panels of
// nbgrader that are for instructors. Each further part is a plugin in a file of its own.
//
// JupyterLab loads an extension as a container of webpack's module federation: an object with `init` and
// `get` under the extension's name. This file is such a container as it stands, so there is nothing to build.
(() => {
  'use strict';

  const PARTS = ['file_list', 'validate', 'typed_cells'];
  const NAME = '@write-your-own-backward/student-view';
  const FOLDER = 'course';
  const LESSON_1 = '01-reverse-accumulation.ipynb';
  const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">
    <g class="jp-icon3" fill="#616161"><circle cx="5" cy="6" r="3.4"/><circle cx="5" cy="18" r="3.4"/></g>
    <g fill="none" stroke="#1976d2" stroke-width="1.6" stroke-linejoin="round">
      <circle cx="19" cy="12" r="2.6"/>
      <path d="M16 10.8 9 7.7m3.2-.5L9 7.7l1.9 2.7M16 13.2 9 16.3m1.9-2.7L9 16.3l3.2.5"/>
    </g></svg>`;

  /**
   * What is used of JupyterLab's interfaces, which have no types here.
   * @typedef {{ path: string, restored: Promise<void>, cd: (path: string) => Promise<void> }} FileBrowserModel
   * @typedef {{ name: string, type: string }} Item
   * @typedef {{ sort: (state: unknown) => void, sortState: unknown, _sortedItems?: Item[] }} Listing
   * @typedef {{ get: (folder: string) => Promise<{ content: Item[] }> }} Contents
   * @typedef {{
   *   restored: Promise<void>,
   *   commands: { addCommand: (id: string, options: object) => void, execute: (id: string, args: object) => unknown },
   *   serviceManager: { contents: Contents }
   * }} App
   * @typedef {{ add: (card: object) => void }} Launcher
   * @typedef {new (options: { name: string, svgstr: string }) => object} Icon
   * @typedef {{ key: string, newValue?: { name: string }, oldValue?: { name: string } }} Change
   * @typedef {{ dirty: boolean, metadataChanged: Signal<Change> }} NotebookModel
   * @typedef {Signal<{ context: { path: string }, model: NotebookModel | null }>} Widgets
   */
  /** @template T @typedef {{ connect: (slot: (sender: unknown, args: T) => void) => void }} Signal */

  /**
   * What JupyterLab shares with its extensions, by package and version.
   * @type {{ [name: string]: { [version: string]: { get: () => Promise<() => any> } } }}
   */
  let shared;

  /** @param {string} name */
  async function load(name) {
    const [version] = Object.values(shared[name]);
    return (await version.get())();
  }

  /** @param {Contents} contents */
  async function hasCourse(contents) {
    /** @param {string} folder */
    const names = async folder => (await contents.get(folder)).content.map(item => item.name);
    return (await names('')).includes(FOLDER) && (await names(FOLDER)).includes(LESSON_1);
  }

  /** @param {App} app @param {FileBrowserModel} model */
  async function showLessons(app, model) {
    await Promise.all([app.restored, model.restored]);
    if (model.path === '') {
      await model.cd(`/${FOLDER}`);
    }
  }

  /** @param {App} app @param {Launcher} launcher @param {Icon} LabIcon */
  function addCard(app, launcher, LabIcon) {
    const command = `${NAME}:start`;
    app.commands.addCommand(command, {
      label: 'Start here',
      caption: 'Open lesson 1',
      icon: new LabIcon({ name: `${NAME}:icon`, svgstr: ICON }),
      execute: () => app.commands.execute('docmanager:open', { path: `${FOLDER}/${LESSON_1}` })
    });
    launcher.add({ command, category: 'Write Your Own Backward', categoryRank: -1 });
  }

  // JupyterLab can put notebooks before files, but not before folders; a lesson is what a student looks for.
  /** @param {Listing} listing */
  function putNotebooksFirst(listing) {
    const sort = listing.sort;
    listing.sort = state => {
      sort.call(listing, state);
      /** @param {Item} item */
      const isNotebook = item => Number(item.type === 'notebook');
      listing._sortedItems?.sort((one, other) => isNotebook(other) - isNotebook(one));
    };
    listing.sort(listing.sortState);
  }

  // A kernel that starts writes its language and its version into the notebook, and JupyterLab then marks the
  // notebook as changed. The student has changed nothing.
  /** @param {NotebookModel} model */
  function ignoreKernelMetadata(model) {
    model.metadataChanged.connect((_, { key, newValue, oldValue }) => {
      const ofSameKernel = key === 'kernelspec' && newValue?.name === oldValue?.name;
      if (!model.dirty && (key === 'language_info' || ofSameKernel)) {
        queueMicrotask(() => {
          model.dirty = false;
        });
      }
    });
  }

  /** @param {string} name */
  async function part(name) {
    const { default: make } = await import(`./${name}.js`);
    return make(load);
  }

  async function plugin() {
    const [launchers, browsers, notebooks, components] = await Promise.all(
      ['launcher', 'filebrowser', 'notebook', 'ui-components'].map(name => load(`@jupyterlab/${name}`))
    );
    return {
      id: `${NAME}:plugin`,
      description: 'Starts the course and keeps JupyterLab calm.',
      autoStart: true,
      optional: [launchers.ILauncher, browsers.IDefaultFileBrowser, notebooks.INotebookTracker],
      /**
       * @param {App} app
       * @param {Launcher | null} launcher
       * @param {{ listing: Listing, model: FileBrowserModel } | null} browser
       * @param {{ widgetAdded: Widgets } | null} tracker
       */
      activate: async (app, launcher, browser, tracker) => {
        tracker?.widgetAdded.connect((_, { model }) => {
          if (model) {
            ignoreKernelMetadata(model);
          }
        });
        if (browser) {
          putNotebooksFirst(browser.listing);
        }
        if (await hasCourse(app.serviceManager.contents)) {
          if (launcher) {
            addCard(app, launcher, components.LabIcon);
          }
          if (browser) {
            showLessons(app, browser.model);
          }
        }
      }
    };
  }

  const extensions = /** @type {{ _JUPYTERLAB?: { [name: string]: object } }} */ (globalThis);
  extensions._JUPYTERLAB ??= {};
  extensions._JUPYTERLAB[NAME] = {
    /** @param {typeof shared} scope */
    init: scope => {
      shared = scope;
    },
    get: async () => {
      const plugins = await Promise.all([plugin(), ...PARTS.map(part)]);
      const found = { __esModule: true, default: plugins };
      return () => found;
    }
  };
})();
