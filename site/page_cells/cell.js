// One cell on the page: its text, its buttons, its result. The editor, and what the buttons do, is loaded when
// the reader asks for it.
import { element } from './element.js';
import { CANNOT_LOAD, keep, typed } from './kept.js';

const FIRST = 'The first run loads Python (about 6 MB).';
const KEYS = 'Shift+Enter runs the cell; Esc, then Tab, leaves it. What you type is kept in this browser, and goes along into the download and to Binder. ';
const OTHER_STUB = 'This cell of the lesson has changed since you typed this. Reset shows it as it is now.';
const TOO_LONG = 'What you have typed is too long for the address of Binder: download the notebook and upload it there.';

/** @param {HTMLElement} place @param {URL} base */
export function makeCell(place, base) {
  const lesson = String(place.dataset.lesson), id = String(place.dataset.cell);
  const code = /** @type {HTMLElement} */ (place.querySelector('pre'));
  const link = /** @type {HTMLAnchorElement} */ (place.querySelector('a'));
  const binder = link.href, colours = code.innerHTML, stub = String(code.textContent).trimEnd();
  const label = `Your code: ${/^(?:class |def )?(\w+)/.exec(stub)?.[1]}`;
  const found = typed(lesson, id);
  let text = found?.text ?? stub, right = found?.right === true && found.stub === stub;
  /** @type {Promise<import('@codemirror/view').EditorView | undefined> | undefined} */
  let editor;

  const tools = element('div', 'tools'), result = element('div', 'result');
  const hint = element('p', 'hint'), how = element('span', '');
  const runs = button('Run', start), edit = button('Edit', open), reset = button('Reset', back);
  runs.className = 'run';
  edit.className = 'edit';
  result.setAttribute('role', 'status');
  link.textContent = 'Continue in Binder';
  link.title = 'Opens the lesson in JupyterLab on Binder, with what you have typed in its cells';
  link.target = '_blank';
  link.parentElement?.replaceWith(tools, hint, result);
  tools.append(runs, edit, reset, button('Download', async () => (await actions())?.download(base, lesson).catch(sayCannotLoad)), link);
  hint.id = `${id}-hint`;
  hint.append(how, element('span', 'first-run', FIRST));
  if (found) code.textContent = text;
  if (found && found.stub !== stub) say(OTHER_STUB);
  reset.disabled = text === stub;
  if (found) pointLinks();

  code.addEventListener('click', (click) => getSelection()?.isCollapsed && open(click));

  /** @param {string} words @param {(click: MouseEvent) => void} pressed */
  function button(words, pressed) {
    const made = element('button', '', words);
    made.type = 'button';
    made.addEventListener('click', pressed);
    return made;
  }

  /** @param {string} sentence */
  function say(sentence) {
    result.replaceChildren(element('p', 'sentence', sentence));
  }

  function sayCannotLoad() {
    say(CANNOT_LOAD);
    return undefined;
  }

  /** @returns {Promise<typeof import('./actions.js') | undefined>} */
  function actions() {
    return import(new URL(`actions.js?${VERSION}`, base).href).catch(sayCannotLoad);
  }

  function changed() {
    keep(lesson, id, { stub, text, right });
    reset.disabled = text === stub;
    pointLinks();
  }

  // Each link hands on what is typed in all cells.
  async function pointLinks() {
    const cells = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.now-you[data-in-page]'))];
    const address = await (await actions())?.inBinder(binder, lesson, cells.map((each) => String(each.dataset.cell)));
    for (const each of cells) {
      const other = /** @type {HTMLAnchorElement} */ (each.querySelector('.tools a'));
      other.href = address ?? binder;
    }
    if (address === null) how.textContent = TOO_LONG;
  }

  /** @param {MouseEvent} click */
  async function open(click) {
    const into = click.currentTarget === code; // else by the button
    const view = await (editor ??= load());
    view?.focus();
    const at = into ? view?.posAtCoords({ x: click.clientX, y: click.clientY }) : 0;
    if (at != null) view?.dispatch({ selection: { anchor: at } });
  }

  async function load() {
    try {
      /** @type {typeof import('./editor.js')} */
      const editing = await import(new URL(`editor.js?${VERSION}`, base).href);
      const view = editing.edit(/** @type {HTMLElement} */ (code.parentElement), text, label, hint.id, {
        changed: (now) => {
          text = now;
          right = false;
          changed();
        },
        run: start
      });
      place.classList.add('editing');
      how.textContent = KEYS;
      return view;
    } catch {
      editor = undefined;
      return sayCannotLoad();
    }
  }

  async function back() {
    text = stub;
    right = false;
    code.innerHTML = colours;
    result.replaceChildren();
    const view = await editor;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: stub } });
    changed();
  }

  async function start() {
    const running = document.querySelector('.now-you.running');
    if (running) {
      if (running === place) (await actions())?.stop('Stopped.');
      else say('Another cell is running: stop it first, or wait for its end.');
      return;
    }
    place.classList.add('running');
    runs.textContent = 'Stop';
    const ran = text, found = await (await actions())?.runCell(base, lesson, id, ran, result);
    if (text === ran) right = found === true;
    changed();
    place.classList.remove('running');
    runs.textContent = 'Run';
  }
}
