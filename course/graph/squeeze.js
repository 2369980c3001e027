// A text of the picture that is longer than its room is set narrower.

const BOLDER = 1.1; // how much wider a text may become where it is set in bold
const TYPICAL_PRODUCT = `× ${SHARED.TYPICAL} = ${SHARED.TYPICAL}`; // of a picture whose numbers may change

/** @typedef {[text: SVGTextElement, width: number]} Room */

// The length of a text, and of what may come in its place: the greater one.
/** @type {(text: SVGTextElement, content: string) => number} */
function longest(text, content) {
  const before = text.textContent;
  text.textContent = content;
  const room = text.getComputedTextLength();
  text.textContent = before;
  return Math.max(room, text.getComputedTextLength());
}

/** @type {(group: Element) => Room[]} */
function roomsOfCard(group) {
  /** @type {Room[]} */
  const found = [];
  /** @type {SVGGraphicsElement | null} */
  const shell = group.querySelector(".pill"), pill = shell?.getBBox();
  /** @type {SVGTextElement[]} */
  const facts = findAll(group, "text.value, text.adjoint");
  for (const text of pill && !group.querySelector(".grid") ? facts : []) {
    const { x, width } = /** @type {DOMRect} */ (pill), begins = text.getAttribute("text-anchor") === "start";
    found.push([text, begins ? 2 * (x + width / 2 - Number(text.getAttribute("x"))) : width - 2 * SHARED.PILL_MARGIN]);
  }
  for (const grid of findAll(group, ".grid")) {
    const [, bracket] = String(find(grid, "path").getAttribute("d")).match(/M(-?[\d.]+)/) ?? [];
    const left = Number(bracket) - 6;
    for (const text of /** @type {SVGTextElement[]} */ (findAll(grid, "text"))) {
      const room = Number(text.getAttribute("x")) - left - SHARED.CELL_GAP;
      if (room > 0) found.push([text, room]);
    }
  }
  return found;
}

// Returns what squeezes the texts. It measures the rooms when it is first `needed`, and squeezes at each later call.
/** @type {(picture: Picture) => (needed: boolean) => void} */
function squeezer({ nodes, copies, edges, locals }) {
  /** @type {Room[] | null} */
  let rooms = null;
  function measured() {
    const found = [...nodes, ...copies.flat()].flatMap(roomsOfCard);
    edges.forEach((edge, at) => {
      const before = locals[at];
      for (const text of /** @type {SVGTextElement[]} */ (findAll(edge, "text"))) {
        const content = before === null ? SHARED.TYPICAL_ARRAY : text.matches(".local") ? before + SHARED.TYPICAL : TYPICAL_PRODUCT;
        found.push([text, BOLDER * longest(text, content)]);
      }
    });
    return found;
  }
  return (needed) => {
    if (!needed && !rooms) return;
    rooms ??= measured();
    for (const [text] of rooms) text.removeAttribute("textLength");
    const long = rooms.filter(([text, room]) => text.getComputedTextLength() > room + 0.5);
    for (const [text, room] of long) setAttributes(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
  };
}
