// The file list of JupyterLab shows lessons and assignments. What else the course consists of stays out of
// the list until the reader asks for it in the View menu; it opens all the same, from a link or by its path.
// A file of the student's own is always listed, because what is left out is known by its name.

const NAME = '@write-your-own-backward/student-view';
const PLUGIN = `${NAME}:file-list`;
const COMMAND = `${NAME}:show-all-files`;
const SETTING = 'showAll';

/**
 * What is left out, by folder: all that a clone has there, apart from `README.md` and the notebooks' folders,
 * and what Python makes there.
 * @type {{ [folder: string]: string[] }}
 */
const LEFT_OUT = {
  '': [
    'autograder',
    'benchmarks',
    'binder',
    'build',
    'CHANGELOG.md',
    'CITATION.cff',
    'constraints.txt',
    'CONTRIBUTING.md',
    'demo',
    'dist',
    'environment.yml',
    'LICENSE',
    'MANIFEST.in',
    'Makefile',
    'nbgrader_config.py',
    'pyproject.toml',
    'setup.py',
    'site',
    'solutions',
    'student_view',
    'tests',
    'tools',
    'tsconfig.json',
    'vjpcheck',
    'write_your_own_backward.egg-info'
  ],
  course: [
    '__init__.py',
    '__pycache__',
    'animation.js',
    'animation.py',
    'engine',
    'graph',
    'matplotlibrc',
    'now_you.py',
    'own_layer.py',
    'plots.py'
  ]
};
const OF_A_CLONE = ['autograder', 'course', 'pyproject.toml']; // a student's home on a hub has its own `tests`

/**
 * What is used of JupyterLab's interfaces, which have no types here.
 * @typedef {{ name: string }} Item
 * @typedef {{ path: string, items: () => Iterable<Item>, refresh: () => Promise<void> }} FileBrowserModel
 * @typedef {{
 *   commands: { addCommand: (id: string, options: object) => void, notifyCommandChanged: (id: string) => void },
 *   serviceManager: { contents: { get: (folder: string) => Promise<{ content: Item[] }> } }
 * }} App
 * @typedef {{
 *   get: (key: string) => { composite: boolean },
 *   set: (key: string, value: boolean) => Promise<void>,
 *   changed: { connect: (slot: () => void) => void }
 * }} Settings
 */

/** @param {FileBrowserModel} model @param {() => boolean} showsAll */
function filter(model, showsAll) {
  const items = model.items;
  model.items = function* () {
    const leftOut = showsAll() ? [] : (LEFT_OUT[model.path] ?? []);
    for (const item of items.call(model)) {
      if (!leftOut.includes(item.name)) {
        yield item;
      }
    }
  };
}

/** @param {(name: string) => Promise<any>} load gives a package of JupyterLab */
export default async load => {
  const [browsers, registries] = await Promise.all([
    load('@jupyterlab/filebrowser'),
    load('@jupyterlab/settingregistry')
  ]);
  return {
    id: PLUGIN,
    description: 'Lists lessons and assignments, and all other files on request.',
    autoStart: true,
    requires: [registries.ISettingRegistry],
    optional: [browsers.IDefaultFileBrowser], // a page of Jupyter Notebook has none
    /**
     * @param {App} app
     * @param {{ load: (plugin: string) => Promise<Settings> }} registry
     * @param {{ model: FileBrowserModel } | null} browser
     */
    activate: async (app, registry, browser) => {
      if (!browser) {
        return;
      }
      const { model } = browser;
      const [settings, { content }] = await Promise.all([
        registry.load(PLUGIN),
        app.serviceManager.contents.get('')
      ]);
      const names = content.map(item => item.name);
      const isClone = OF_A_CLONE.every(name => names.includes(name));
      const showsAll = () => settings.get(SETTING).composite;
      app.commands.addCommand(COMMAND, {
        label: 'Show All Files of the Course',
        isToggleable: true,
        isToggled: showsAll,
        isVisible: () => isClone,
        execute: () => settings.set(SETTING, !showsAll())
      });
      if (isClone) {
        filter(model, showsAll);
        model.refresh();
        settings.changed.connect(() => {
          app.commands.notifyCommandChanged(COMMAND);
          model.refresh();
        });
      }
    }
  };
};
