// The equation and the caption, and the room of every text that changes: it does not move the page.

const LONG = 48; // characters of an equation in small print

/** @param {HTMLElement} root @param {Shown} shown */
function textsOf(root, { recorded }) {
  const equation = find(root, ".equation"), caption = find(root, ".caption"), termed = termsOf(recorded);
  /** @type {(line: HTMLElement, parts: Equation) => HTMLElement} */
  function equate(line, parts) {
    line.replaceChildren(...parts.map((part, place) => {
      const span = document.createElement("span");
      span.append(...termed(part));
      if (place > 0 && parts[place - 1] === "=" && place === parts.length - 1) span.className = "result";
      return span;
    }));
    line.classList.toggle("long", parts.join(" ").length > LONG);
    return line;
  }
  /** @type {(said: Said) => void} */
  function show(said) {
    equate(equation, said.equation);
    caption.textContent = said.caption;
  }
  /** @type {(said: Said[]) => void} */
  function makeRoom(said) {
    const equations = new Map(said.map((each) => [each.equation.join(" "), each.equation]));
    reserve(equation, [...equations.values()].map((parts) => equate(document.createElement("p"), parts)));
    reserve(caption, [...new Set(said.map((each) => each.caption))].map((text) => written("p", text)));
  }
  return { show, makeRoom };
}

// Makes room for all that the steps of a sweep will say.
/** @type {(shown: Shown, texts: Texts, controls: Controls, table: Table, movable: boolean) => void} */
function makeRoom({ data, steps, describe }, texts, { place, count }, { values, sums }, movable) {
  const said = steps.map((_, step) => describe(step)), [{ all }] = said;
  texts.makeRoom(said);
  reserve(place, inLines(steps.map((_, step) => placing(step, steps))));
  reserve(count, inLines(Array.from({ length: all + 1 }, (_, products) => counting(products, all))));
  /** @type {Set<string>[]} */
  const shown = data.nodes.map(() => new Set());
  for (const step of steps) {
    if (step.total !== undefined) shown[step.node].add(inTable(step.total, data.nodes[step.node]));
    if (step.kind === "seeds") for (const each of shown) each.add("0");
    if (step.kind === "end") for (const each of shown.filter(({ size }) => !size)) each.add(phrase(null));
  }
  data.nodes.forEach(({ value }, node) => {
    const now = values[node];
    if (!movable || !isNumber(value)) return;
    shown[node].add(SHARED.TYPICAL);
    if (now) reserve(now, [written("span", SHARED.TYPICAL)]);
  });
  sums.forEach((now, node) => now && reserve(now, /** @type {("span" | "b")[]} */ (["span", "b"]).flatMap((tag) => [ // bold at the node's own steps
    ...[...shown[node]].map((text) => written(tag, text)),
    ...steps.filter(grows).filter((step) => step.node === node).map((step) => grow(written(tag, ""), step)),
  ])));
}

// Texts and columns may need more room for other numbers than before: they keep what they once had.
/** @param {HTMLElement} root */
function keptRoom(root) {
  const words = /** @type {HTMLElement[]} */ ([...find(root, ".texts").children]), columns = findAll(root, "thead th");
  return {
    keep() {
      const heights = words.map((part) => part.getBoundingClientRect().height);
      words.forEach((part, at) => { part.style.minHeight = `${heights[at]}px`; });
      const widths = columns.map((column) => column.getBoundingClientRect().width);
      columns.forEach((column, at) => { column.style.minWidth = `${widths[at]}px`; });
    },
    giveBack() {
      for (const part of words) part.style.minHeight = "";
      for (const column of columns) column.style.minWidth = "";
    },
  };
}
