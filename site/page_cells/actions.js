// What the buttons of a cell do; a page loads it when one of them is used.
export { download, inBinder } from './handed_on.js';
export { stop } from './machine.js';
export { runCell } from './run_cell.js';
