// Code, node and formula: what belongs to one node lights up together, and leads to the node.

// Returns the code, with an element for the expression of each node; expressions lie inside one another.
function codeOf({ code: { text, spans }, nodes }) {
  const shown = written("pre", "", "code");
  shown.setAttribute("role", "group");
  shown.setAttribute("aria-label", "Code");
  const open = [{ element: shown, end: text.length }];
  let place = 0;
  const upTo = (end) => {
    open.at(-1).element.append(text.slice(place, end));
    place = end;
  };
  const close = (before) => {
    while (open.length > 1 && open.at(-1).end <= before) {
      upTo(open.at(-1).end);
      open.pop();
    }
  };
  for (const [node, begin, end] of [...spans].sort((a, b) => a[1] - b[1] || b[2] - a[2])) {
    close(begin);
    upTo(begin);
    const element = written("span", "", "term");
    element.dataset.node = node;
    element.title = `Jump to ${nodes[node].name}`;
    open.at(-1).element.append(element);
    open.push({ element, end });
  }
  close(text.length);
  upTo(text.length);
  return shown;
}

const NO_LETTER = "[^\\p{L}\\p{M}\\p{N}]";

// Returns what writes a text with an element for each name of a node in it: w₃, w̄₃, ẇ₃.
function termsOf({ nodes }) {
  const called = new Map(nodes.flatMap(({ name, bar, dot }, node) => [name, bar, dot].filter(Boolean).map((each) => [each, node])));
  const longest = [...called.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const names = new RegExp(`(?<=^|${NO_LETTER})(${longest.join("|")})(?=$|${NO_LETTER})`, "u");
  return (text) => text.split(names).flatMap((part, place) => {
    if (place % 2 === 0) return overlined(part);
    const term = written("span", "", "term");
    term.dataset.node = called.get(part);
    term.append(...overlined(part));
    return [term];
  });
}

// `drawn` gives the elements of a node, `edges` are those of the edges.
function linkUp(root, data, drawn, edges, jump) {
  let lit = null;
  function light(node) {
    if (node === lit) return;
    lit = node;
    root.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
    if (node === null) return;
    for (const each of [...drawn(node), ...root.querySelectorAll(`.term[data-node="${node}"]`)]) each?.classList.add("lit");
    data.edges.forEach(({ target }, edge) => target === node && edges[edge].classList.add("lit"));
  }
  function nodeOf(element) {
    const term = element.closest("[data-node]"), id = element.closest("[data-id]")?.dataset.id;
    if (term && root.contains(term)) return Number(term.dataset.node);
    const node = data.nodes.findIndex((each) => each.id === id), edge = data.edges.findIndex((each) => each.id === id);
    return node >= 0 ? node : edge >= 0 ? data.edges[edge].target : null;
  }
  for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind, (event) => light(nodeOf(event.target)));
  for (const kind of ["pointerleave", "focusout"]) root.addEventListener(kind, () => light(null));
  root.addEventListener("click", ({ target }) => target.closest(".term") && jump(nodeOf(target)));
}
