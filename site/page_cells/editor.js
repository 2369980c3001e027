// The editor for a cell: CodeMirror, with the colours that the site's code has.
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, insertNewlineAndIndent } from '@codemirror/commands';
import { LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { pythonLanguage } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';

// the classes of Pygments, which has coloured the cell until now
const COLOURS = tagHighlighter([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier], class: 'k' },
  { tag: tags.operatorKeyword, class: 'ow' },
  { tag: [tags.moduleKeyword], class: 'kn' },
  { tag: [tags.bool, tags.null], class: 'kc' },
  { tag: tags.comment, class: 'c1' },
  { tag: [tags.string, tags.special(tags.string)], class: 's2' },
  { tag: tags.number, class: 'mf' },
  { tag: [tags.operator, tags.arithmeticOperator, tags.compareOperator, tags.definitionOperator], class: 'o' },
  { tag: [tags.punctuation, tags.paren, tags.squareBracket, tags.brace, tags.separator], class: 'p' },
  { tag: [tags.function(tags.definition(tags.variableName))], class: 'nf' },
  { tag: [tags.definition(tags.className), tags.className], class: 'nc' },
  { tag: tags.meta, class: 'nd' },
  { tag: [tags.variableName, tags.propertyName], class: 'n' }
]);

/**
 * Puts an editor into a place; Tab indents, and Escape before it lets it leave the editor, as CodeMirror has it.
 * @param {HTMLElement} parent @param {string} text @param {string} label
 * @param {string} description the id of an element that says which keys do what
 * @param {{ changed: (text: string) => void, run: () => void }} listener
 */
export function edit(parent, text, label, description, listener) {
  const run = () => (listener.run(), true);
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        indentUnit.of('    '),
        indentOnInput(),
        bracketMatching(),
        new LanguageSupport(pythonLanguage),
        syntaxHighlighting(COLOURS),
        keymap.of([
          { key: 'Shift-Enter', run },
          { key: 'Mod-Enter', run },
          { key: 'Ctrl-Enter', run },
          { key: 'Enter', run: insertNewlineAndIndent },
          { key: 'Tab', run: indentMore, shift: indentLess },
          ...defaultKeymap,
          ...historyKeymap
        ]),
        // "/" is the site's key for its search, unless one types into a field
        EditorView.domEventHandlers({ keydown: (event) => event.stopPropagation() }),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': description }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) listener.changed(update.state.doc.toString());
        })
      ]
    })
  });
}
