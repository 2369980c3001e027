// A text of the picture that is longer than its room is set narrower.

const NEAR_EDGE = 4; // pixels from a text that is set narrower to the edge of its shape

/** @typedef {[text: SVGTextElement, width: number]} Room */

/** @type {(group: Element) => Room[]} */
function roomsOfCard(group) {
  /** @type {Room[]} */
  const found = [];
  /** @type {SVGGraphicsElement | null} */
  const shell = group.querySelector(".pill"), pill = shell?.getBBox();
  /** @type {SVGTextElement[]} */
  const facts = findAll(group, "text.value, text.adjoint");
  for (const text of pill && !group.querySelector(".grid") ? facts : []) {
    const { x, width } = /** @type {DOMRect} */ (pill), at = Number(text.getAttribute("x")), begins = text.getAttribute("text-anchor") === "start";
    found.push([text, begins ? 2 * (x + width / 2 - at) + NEAR_EDGE : width - 2 * SHARED.PILL_MARGIN]);
  }
  for (const text of facts.filter((each) => each.getAttribute("text-anchor") === "end")) {
    found.push([text, Number(text.getAttribute("x")) - Number(find(group, ".body").getAttribute("x") ?? -Infinity) - NEAR_EDGE]);
  }
  for (const chip of findAll(group, ".chip")) {
    found.push([/** @type {any} */ (chip.nextElementSibling), Number(chip.getAttribute("width")) - NEAR_EDGE]);
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
function squeezer({ nodes, copies, edges }) {
  /** @type {Room[] | null} */
  let rooms = null;
  const measured = () => [
    ...[...nodes, ...copies.flat()].flatMap(roomsOfCard),
    ...edges.flatMap((edge) => {
      /** @type {SVGTextElement[]} */
      const texts = findAll(edge, "text"), room = Number(edge.dataset.room ?? Infinity);
      return texts.map((text) => /** @type {Room} */ ([text, room]));
    }),
  ];
  return (needed) => {
    if (!needed && !rooms) return;
    rooms ??= measured();
    for (const [text] of rooms) text.removeAttribute("textLength");
    const long = rooms.filter(([text, room]) => text.getComputedTextLength() > room + 0.5);
    for (const [text, room] of long) setAttributes(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
  };
}
