// What a run shows below its cell.
import { element } from './element.js';

/**
 * Lists what an outcome has to show.
 * @param {import('./machine.js').Outcome} outcome @returns {HTMLElement[]}
 */
export function shown(outcome) {
  const parts = [];
  if (outcome.error) {
    parts.push(element('p', 'sentence', `${outcome.error.sentence}.`));
    parts.push(element('pre', '', outcome.error.lines.join('\n')));
  }
  if (outcome.text !== undefined) parts.push(element('pre', '', outcome.text));
  if (outcome.html !== undefined) {
    const card = element('div', 'card-of-check');
    card.innerHTML = outcome.html;
    parts.push(card);
  }
  if (outcome.from_answers.length) {
    const names = new Intl.ListFormat('en').format(outcome.from_answers);
    const own = 'A cell of yours counts as soon as it has been found right on this page.';
    parts.push(element('p', 'aside', `This run took ${names} from the answers. ${own}`));
  }
  return parts;
}
