// Code, node and formula: what belongs to one node lights up together, and leads to the node.

// Returns the code, with an element for the expression of each node; expressions lie inside one another.
/** @type {(code: NonNullable<Graph["code"]>, nodes: Named[]) => HTMLElement} */
function codeOf({ text, spans }, nodes) {
  const shown = labelledGroup("code", "Code", "pre");
  const open = [{ element: shown, end: text.length }], innermost = () => open[open.length - 1];
  let place = 0;
  /** @type {(end: number) => void} */
  const upTo = (end) => {
    innermost().element.append(text.slice(place, end));
    place = end;
  };
  /** @type {(before: number) => void} */
  const close = (before) => {
    while (open.length > 1 && innermost().end <= before) {
      upTo(innermost().end);
      open.pop();
    }
  };
  for (const [node, begin, end] of [...spans].sort((a, b) => a[1] - b[1] || b[2] - a[2])) {
    close(begin);
    upTo(begin);
    const element = written("span", "", "term");
    element.dataset.node = String(node);
    element.title = `Jump to ${nodes[node].name}`;
    innermost().element.append(element);
    open.push({ element, end });
  }
  close(text.length);
  upTo(text.length);
  return shown;
}

const NO_LETTER = "[^\\p{L}\\p{M}\\p{N}]";

// Returns what writes a text with an element for each name of a node in it: w₃, w̄₃, ẇ₃.
/** @type {(graph: Graph) => (text: string) => (string | Node)[]} */
function termsOf({ nodes }) {
  const called = new Map(nodes.flatMap(({ name, bar, dot }, node) =>
    [name, bar, dot].filter(Boolean).map((each) => /** @type {[string, number]} */ ([each, node]))));
  const longest = [...called.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const names = new RegExp(`(?<=^|${NO_LETTER})(${longest.join("|")})(?=$|${NO_LETTER})`, "u");
  return (text) => text.split(names).flatMap((part, place) => {
    if (place % 2 === 0) return overlined(part);
    const term = written("span", "", "term");
    term.dataset.node = String(called.get(part));
    term.append(...overlined(part));
    return [term];
  });
}

// Lights up what belongs to the node under the pointer or the focus, and its edges. A click leads to the node.
/** @type {(root: HTMLElement, data: Graph, picture: Picture, table: Table, jump: (node: number) => void) => void} */
function linkUp(root, data, { nodes, copies, edges }, { rows }, jump) {
  /** @type {number | null} */
  let lit = null;
  /** @type {(node: number | null) => void} */
  function light(node) {
    if (node === lit) return;
    lit = node;
    for (const each of findAll(root, ".lit")) each.classList.remove("lit");
    if (node === null) return;
    for (const each of [nodes[node], ...copies[node], rows[node], ...findAll(root, `.term[data-node="${node}"]`)]) each?.classList.add("lit");
    data.edges.forEach(({ target }, edge) => target === node && edges[edge].classList.add("lit"));
  }
  /** @type {(event: Event) => number | null} */
  function nodeOf({ target: element }) {
    const [term, part] = ["[data-node]", "[data-id]"].map((selector) =>
      /** @type {HTMLElement | null} */ (/** @type {Element} */ (element).closest(selector)));
    const id = part?.dataset.id;
    if (term && root.contains(term)) return Number(term.dataset.node);
    const node = data.nodes.findIndex((each) => each.id === id), edge = data.edges.findIndex((each) => each.id === id);
    return node >= 0 ? node : edge >= 0 ? data.edges[edge].target : null;
  }
  for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind, (event) => light(nodeOf(event)));
  for (const kind of ["pointerleave", "focusout"]) root.addEventListener(kind, () => light(null));
  nodes.forEach((group, node) => {
    const drawn = group.matches("[role=button]") ? [] : [group, ...copies[node]];
    for (const each of [...drawn, rows[node]]) each?.addEventListener("click", () => jump(node));
  });
  root.addEventListener("click", (event) => {
    const node = nodeOf(event);
    if (node !== null && /** @type {Element} */ (event.target).closest(".term")) jump(node);
  });
}
