// nbgrader puts its Validate button on every notebook. On one that has no graded cell, such as a lesson, there
// is nothing to validate.

/**
 * What is used of JupyterLab's interfaces, which have no types here.
 * @typedef {{ getMetadata: (key: string) => object | undefined }} Cell
 * @typedef {{ props?: { className?: string }, hide: () => void }} Widget
 * @typedef {{
 *   context: { ready: Promise<void>, model: { cells: Iterable<Cell> } },
 *   toolbar: { children: () => Iterable<Widget> }
 * }} NotebookPanel
 * @typedef {{ widgetAdded: { connect: (slot: (sender: unknown, panel: NotebookPanel) => void) => void } }} Tracker
 */

/** @param {NotebookPanel} panel */
async function hideWithoutGradedCells({ context, toolbar }) {
  await context.ready;
  const isGraded = [...context.model.cells].some(cell => cell.getMetadata('nbgrader'));
  for (const widget of toolbar.children()) {
    if (!isGraded && widget.props?.className === 'validate-button') {
      widget.hide();
    }
  }
}

/** @param {(name: string) => Promise<any>} load gives a package of JupyterLab */
export default async load => {
  const { INotebookTracker } = await load('@jupyterlab/notebook');
  return {
    id: '@write-your-own-backward/student-view:validate',
    description: 'Offers Validate where there is something to validate.',
    autoStart: true,
    requires: [INotebookTracker],
    /** @param {unknown} _ @param {Tracker} tracker */
    activate: (_, tracker) => {
      tracker.widgetAdded.connect((_, panel) => {
        hideWithoutGradedCells(panel);
      });
    }
  };
};
