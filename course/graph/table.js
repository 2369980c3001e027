// The table of values and adjoints. It has small arrays in full, row by row, else their shape, and the numbers on demand.

/** @type {(quantity: Quantity | undefined) => boolean} */
const byShape = (quantity) => Boolean(quantity) && !isNumber(quantity)
  && !(Array.isArray(quantity) && quantity.every((row) => row.join(" ").length <= IN_TEXT));
/** @type {(quantity: Quantity) => string} */
const inFull = (quantity) => phrase(quantity).replaceAll("; ", SHARED.NEXT_ROW);
/** @type {(quantity: Quantity | undefined, node: NodeData) => string} */
const inTable = (quantity, { shape }) => (quantity === undefined ? ""
  : byShape(quantity) ? shape ?? phrase(quantity) : inFull(quantity));

// A node's name in the table leads to its step, by click and by key.
/** @type {(cell: Element, name: string) => HTMLButtonElement} */
function asButton(cell, name) {
  const button = Object.assign(written("button", name, "jump"), { type: "button" });
  button.setAttribute("aria-label", `Jump to ${name}`);
  cell.replaceChildren(button);
  return button;
}

/** @param {HTMLElement} root @param {Shown} shown */
function tableOf(root, shown) {
  const area = find(root, ".numbers"), heading = find(area, "th.sum");
  const { nodes } = shown.recorded;
  const rows = nodes.map((_, node) => /** @type {HTMLTableRowElement | null} */ (area.querySelector(`tr[data-node="${node}"]`)));
  const names = rows.flatMap((row, node) => (row ? [asButton(row.cells[0], nodes[node].name)] : []));
  const [values, sums] = [1, 2].map((column) => rows.map((row) => row && asRoomy(row.cells[column])));

  /** @type {(cell: HTMLElement, now: HTMLElement | null, quantity: Quantity | undefined, node: number) => void} */
  function write(cell, now, quantity, node) {
    if (now) now.textContent = inTable(quantity, nodes[node]);
    cell.classList.toggle("shape", byShape(quantity));
    if (byShape(quantity) && Array.isArray(quantity)) cell.title = inFull(quantity);
    else cell.removeAttribute("title");
  }
  function showValues() {
    shown.data.nodes.forEach(({ value }, node) => {
      const row = rows[node];
      if (row && value) write(row.cells[1], values[node], value, node);
    });
  }
  function showSweep() {
    heading.textContent = shown.sweep === REVERSE ? "adjoint" : "tangent";
  }
  /** @type {(step: Step, state: State, giver: number | null) => void} */
  function show(step, state, giver) {
    rows.forEach((row, node) => {
      if (!row) return;
      const sum = state.totals.get(node), reached = sum !== undefined || (step.kind === "end" && shown.sweep === REVERSE);
      const now = sums[node], active = step.node === node;
      setClasses(row, { active, giving: giver === node, known: state.values.has(node) });
      write(row.cells[2], now, reached ? sum ?? null : undefined, node);
      if (now && active && grows(step)) grow(now, step);
    });
  }
  return { area, rows, names, values, sums, show, showValues, showSweep };
}
