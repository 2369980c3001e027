// Makes an element of the page.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {string} className @param {string} [text]
 */
export function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}
