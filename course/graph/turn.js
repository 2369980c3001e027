// The two shapes of a small picture: operands left of results, or above them where a page is narrow.

const EDGE = 6, ASCENT = 14; // pixels around a picture; from the top of a line of text to its base, at most

// Returns what gives the picture the better shape for a room, and tells how wide it must be at least.
/** @type {(picture: Picture, tall: TallData | null, enlarge: (width: number, height: number) => void) =>
 *   (room: number, smallest: number) => number} */
function turner({ area, svg, nodes, edges }, tall, enlarge) {
  const box = svg.viewBox.baseVal, legend = findAll(svg, ":scope > .legend, :scope > text");
  /** @type {SVGTextElement[]} */
  const words = legend.flatMap((each) => (each instanceof SVGTextElement ? [each] : findAll(each, "text")));
  const [line, head] = ["path", "polygon"].map((kind) => edges.map((edge) => find(edge, kind)));
  /** @type {TallData} */
  const wide = {
    size: [box.width, box.height],
    legend: 0,
    nodes: nodes.map(() => [0, 0]),
    edges: edges.map((_, at) => [String(line[at].getAttribute("d")), String(head[at].getAttribute("points")), 0, 0]),
  };
  let shape = wide;
  for (const edge of tall ? edges : []) { // a line that runs down ends above its label and begins below it
    const texts = findAll(edge, "text"), room = Number(edge.dataset.room);
    const [x, y] = ["x", "y"].map((name) => Number(texts[0]?.getAttribute(name)));
    if (texts.length > 1) texts[0].before(svgElement("rect", { class: "behind", x: x - room / 2, y: y - ASCENT, width: room, height: 2 * ASCENT + EDGE }));
  }
  /** @type {(element: Element, dx: number, dy: number) => void} */
  const move = (element, dx, dy) => element.setAttribute("transform", `translate(${dx},${dy})`);

  return (room, smallest) => {
    const better = tall && wide.size[0] * smallest > room && tall.size[0] < wide.size[0] ? tall : wide;
    if (better !== shape) {
      shape = better;
      area.classList.toggle("tall", shape === tall);
      nodes.forEach((node, at) => move(node, ...shape.nodes[at]));
      edges.forEach((edge, at) => {
        const [way, corners, dx, dy] = shape.edges[at];
        line[at].setAttribute("d", way);
        head[at].setAttribute("points", corners);
        for (const part of findAll(edge, "text, .behind")) move(part, dx, dy);
        addWayBack(edge);
      });
      for (const each of legend) move(each, 0, shape.legend);
      for (const text of words) {
        text.removeAttribute("textLength");
        const room = shape.size[0] - Number(text.getAttribute("x")) - 2 * EDGE;
        if (text.getComputedTextLength() > room) setAttributes(text, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
      }
      enlarge(...shape.size);
    }
    return box.width * smallest;
  };
}
