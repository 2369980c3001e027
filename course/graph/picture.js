// The picture, as a part of the page: what it shows at a step.

const HANGING = 16, BEYOND = 4; // pixels: height of what is added to an adjoint, and how far it goes beyond the card

// The picture comes as an image. As a part of the page it takes the page's colours, and can change.
/** @type {(image: HTMLElement) => SVGSVGElement} */
function inlined(image) {
  const source = String(image.getAttribute("src")), holder = document.createElement("div");
  holder.innerHTML = decodeURIComponent(source.slice(source.indexOf(",") + 1));
  /** @type {SVGSVGElement} */
  const svg = find(holder, "svg");
  svg.style.cssText = image.style.cssText;
  image.replaceWith(svg);
  return svg;
}

// Adds what an edge shows in the backward pass: a head at its other end, and a line that begins at that head.
/** @type {(edge: Element) => void} */
function addWayBack(edge) {
  for (const each of findAll(edge, ".back")) each.remove();
  const line = find(edge, "path"), way = String(line.getAttribute("d"));
  const [x, y, ...further] = (way.match(/-?[\d.]+/g) ?? []).map(Number);
  const next = further.findIndex((_, place) => place % 2 === 0 && Math.hypot(further[place] - x, further[place + 1] - y) > 1);
  const dx = further[next] - x, dy = further[next + 1] - y, long = Math.hypot(dx, dy) / SHARED.HEAD;
  const [bx, by] = [x + dx / long, y + dy / long], [nx, ny] = [(0.34 * dy) / long, (-0.34 * dx) / long];
  edge.append(svgElement("polygon", { class: "back", points: `${x},${y} ${bx + nx},${by + ny} ${bx - nx},${by - ny}` }));
  const [tip] = String(find(edge, "polygon").getAttribute("points")).split(" ");
  const back = setAttributes(/** @type {Element} */ (line.cloneNode()),
    { class: "back", d: `${way.replace(/[^C]*/, `M${bx},${by} `)} L${tip}` });
  line.after(back);
}

// A leaf with many uses is drawn beside each of them: all say what the first one says.
/** @type {(group: Element, copies: Element[]) => void} */
function mirror(group, copies) {
  /** @type {(group: Element) => Element[]} */
  const changing = (each) => findAll(each, ".fact, .bar, .grid text");
  for (const copy of copies) {
    copy.setAttribute("class", String(group.getAttribute("class")));
    const parts = changing(copy);
    changing(group).forEach((part, place) => { parts[place].textContent = part.textContent; });
  }
}

/** @param {HTMLElement} root @param {Shown} shown */
function pictureOf(root, shown) {
  const { nodes: entries, edges: lines } = shown.recorded;
  const area = find(root, ".picture"), svg = inlined(find(area, "img"));
  /** @type {(entry: { id: string }) => SVGGElement} */
  const drawn = ({ id }) => find(svg, `[data-id="${id}"]`);
  const nodes = entries.map(drawn), edges = lines.map(drawn);
  edges.forEach(addWayBack);
  const adjoints = nodes.map((node) => node.querySelector("text.adjoint .fact")?.textContent ?? ""); // of arrays told by shape
  const copies = entries.map(({ id }) => /** @type {SVGGElement[]} */ (findAll(svg, `[data-id="${id}"]`)).slice(1));
  const locals = lines.map(({ local }, edge) => { // what stands before the number
    const text = edges[edge].querySelector("text.local")?.textContent;
    return local !== null && text?.endsWith(local) ? text.slice(0, -local.length) : null;
  });

  // What is added to an adjoint hangs below its card, at the right, where it hides least of an edge that ends there.
  /** @type {(node: number, product: string | null) => void} */
  function showAddend(node, product) {
    for (const group of [nodes[node], ...copies[node]]) {
      const before = group.querySelector(".addend");
      before && before.remove();
      if (product === null) continue;
      const { x, y, width, height } = /** @type {SVGGraphicsElement} */ (find(group, ".body")).getBBox(), top = y + height + 2;
      const addend = group.appendChild(svgElement("g", { class: "addend arriving" }));
      const shell = svgElement("rect", { y: top, height: HANGING, rx: HANGING / 2 });
      const text = svgElement("text", { y: top + HANGING - 4 });
      text.textContent = shown.data.overwriting ? `= ${product}` : `+ ${factor(product)}`;
      addend.append(shell, text);
      const wide = text.getComputedTextLength() + HANGING, left = Math.max(x, x + width + BEYOND - wide);
      setAttributes(shell, { x: left, width: wide });
      text.setAttribute("x", String(left + wide / 2));
    }
  }

  /** @type {(node: number, role: "value" | "adjoint", quantity: Quantity | undefined) => void} */
  function setFact(node, role, quantity) {
    const group = nodes[node], fact = group.querySelector(`text.${role} .fact`);
    const cells = group.querySelectorAll(`g.${role}.grid text`);
    if (cells.length && Array.isArray(quantity)) {
      // The picture lists a grid column by column.
      const across = quantity[0].length, down = quantity.length;
      for (let x = 0; x < across; x++) for (let y = 0; y < down; y++) cells[x * down + y].textContent = quantity[y][x];
    } else if (fact && quantity !== undefined) {
      fact.textContent = isNumber(quantity) ? ` = ${quantity}` : quantity === null ? " = None" : adjoints[node];
    }
  }

  // What a group holds is known when its value is, and its adjoints when it has passed on its products.
  /** @type {(state: State) => void} */
  function showInside({ values: known, carried }) {
    nodes.forEach((group, node) => {
      const inside = group.nextElementSibling;
      if (!inside?.matches(".inside")) return;
      const reached = shown.sweep === REVERSE && lines.every(({ target }, edge) => target !== node || carried.has(edge));
      for (const each of findAll(inside, ".node, .edge")) setClasses(each, { known: known.has(node), reached });
    });
  }

  /** @type {(edge: number, state: State) => void} */
  function showProduct(edge, { carried, totals }) {
    const { local, source, target } = shown.data.edges[edge], product = carried.get(edge);
    const text = edges[edge].querySelector("text.product");
    if (!text || product === undefined || product === null) return;
    const given = totals.get(shown.sweep === REVERSE ? target : source);
    text.textContent = local !== null && isNumber(given) ? `× ${given} = ${phrase(product)}`
      : `→ ${brief(product, entries[source], SHARED.BRIEF)}`;
  }

  // The picture's name for a screen reader: what is known at this step.
  /** @type {(state: State) => void} */
  function nameFor({ values: known, totals }) {
    const named = shown.data.nodes.map((entry, node) => ({ ...entry, node })).filter((entry) => entry.named);
    const facts = named.filter(({ node, value }) => known.has(node) && value).map((entry) => `${entry.name} = ${brief(entry.value, entry)}`);
    const rates = named.filter(({ node }) => totals.has(node)).map((entry) => `${entry.name} ${brief(totals.get(entry.node), entry)}`);
    const what = shown.sweep === REVERSE ? "adjoints" : "tangents";
    const text = `Graph of ${shown.data.title}: ${facts.join(", ")}${rates.length ? `; ${what} ${rates.join(", ")}` : ""}.`;
    svg.setAttribute("aria-label", text);
    find(svg, ":scope > title").textContent = text;
  }

  // `giver` is the node that the step's product comes from.
  /** @type {(step: Step, state: State, giver: number | null) => void} */
  function show(step, state, giver) {
    const ended = step.kind === "end";
    nodes.forEach((group, node) => {
      const sum = state.totals.get(node), active = step.node === node;
      setClasses(group, {
        known: state.values.has(node),
        reached: sum !== undefined || (ended && shown.sweep === REVERSE),
        active,
        giving: giver === node,
        first: step.kind === "travel" && active && step.before === undefined,
      });
      setFact(node, "adjoint", ended && sum === undefined ? null : sum);
      const adds = active && grows(step);
      if (adds) setFact(node, "adjoint", step.before);
      showAddend(node, adds ? step.product : null);
    });
    edges.forEach((group, edge) => {
      const known = state.values.has(lines[edge].target), travelled = state.carried.has(edge);
      setClasses(group, { known, travelled, active: step.edge === edge });
      showProduct(edge, state);
    });
    nodes.forEach((group, node) => mirror(group, copies[node]));
    showInside(state);
    if (entries.length <= SHARED.TOLD) nameFor(state);
  }

  // The values and the local derivatives.
  function showValues() {
    shown.data.nodes.forEach(({ value }, node) => value && setFact(node, "value", value));
    shown.data.edges.forEach(({ local }, edge) => {
      const text = edges[edge].querySelector("text.local"), before = locals[edge];
      if (text && before !== null) text.textContent = before + local;
    });
  }
  // The names of adjoints or of tangents.
  function showSweep() {
    const backward = shown.sweep === REVERSE;
    nodes.forEach((group, node) => {
      const mark = group.querySelector("text.adjoint .bar");
      if (mark?.hasAttribute("text-decoration")) { // a name in words has a line over it, not a mark on its letter
        mark.setAttribute("text-decoration", backward ? "overline" : "none");
        mark.textContent = entries[node][backward ? "name" : "dot"];
      } else if (mark) {
        mark.textContent = mark.textContent.replace(/[\u0304\u0307]/, backward ? "\u0304" : "\u0307");
      }
    });
  }
  return { area, svg, nodes, edges, copies, showInside, show, showValues, showSweep };
}
