// Groups unfold: a group gives place to a frame with a picture of what it holds, and the rest of the picture makes
// room. Across a group the picture is stretched, beyond it everything is moved; what is not stretched is kept whole.

const INSET = 12, HEADLINE = 30, HEADLINE_BASE = 19; // pixels of a frame: around what it holds; for its title; to the title's base
const NEAR = 9; // pixels between an edge's end and its node, at most
const BASE = 4; // pixels from the middle of a text to its base
const SIGN = 14; // pixels of the sign of a group that unfolds

/** @type {(text: string) => ReturnType<Layer["pictures"]>} */
const inflated = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
};

/** What is drawn in a layer, and where it was when nothing was unfolded: a node, an edge, or another element.
 * @typedef {{ element: Element, box: DOMRect, line?: undefined }} NodePart
 * @typedef {{ element: Element, box?: undefined, line: string, points: Point[], head: Point[], texts: Element[], at: Point,
 *   ends: (NodePart | undefined)[] }} EdgePart
 * @typedef {{ element: Element, box?: undefined, line?: undefined }} OtherPart
 * @typedef {NodePart | EdgePart | OtherPart} Part */

/** @type {(element: Element) => DOMRect} */
const boxOf = (element) => /** @type {SVGGraphicsElement} */ (find(element, ".body")).getBBox();
/** @type {(box: DOMRect) => Point} */
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

/** @type {(layer: Element) => Part[]} */
function partsOf(layer) {
  /** @type {(text: string | null) => Point[]} */
  const pairs = (text) => [...String(text).matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((pair) => [Number(pair[1]), Number(pair[2])]);
  const nodes = findAll(layer, ":scope > .node").map((element) => ({ element, box: boxOf(element) }));
  /** @type {(point: Point) => NodePart | undefined} */
  const touched = ([x, y]) => nodes.find(({ box }) => Math.abs(x - box.x - box.width / 2) <= box.width / 2 + NEAR
    && Math.abs(y - box.y - box.height / 2) <= box.height / 2 + NEAR);
  const edges = findAll(layer, ":scope > .edge").map((element) => {
    const line = String(find(element, "path").getAttribute("d")), texts = findAll(element, "text");
    const [x, y] = ["x", "y"].map((axis) => texts.reduce((sum, text) => sum + Number(text.getAttribute(axis)) / texts.length, 0));
    const points = pairs(line), head = pairs(find(element, "polygon").getAttribute("points"));
    return { element, line, points, head, texts, at: /** @type {Point} */ ([x, y - BASE]), ends: [touched(points[0]), touched(head[0])] };
  });
  return [...nodes, ...edges, ...findAll(layer, ":scope > .legend, :scope > text").map((element) => ({ element }))];
}

/** An open group stretches an axis from `start` over `size` by `more`.
 * @typedef {[start: number, size: number, more: number]} Stretch
 * @typedef {{ element: SVGGElement, box: DOMRect, inside: NonNullable<Fold["inside"]> }} OpenFold */

/** @type {(box: DOMRect) => [Point, Point]} */
const sides = ({ x, y, width, height }) => [[x, width], [y, height]];
/** @type {(stretches: Stretch[], at: number) => number} */
const along = (stretches, at) => stretches.reduce((sum, [start, size, more]) => sum + more * Math.max(0, Math.min(1, (at - start) / size)), at);

// By how much each open group stretches an axis, after those before it: frames may stand beside and above each other.
/** @type {(opened: OpenFold[]) => [Stretch[], Stretch[]]} */
function stretchesOf(opened) {
  /** @type {[Stretch[], Stretch[]]} */
  const axes = [[], []];
  for (const { box, inside } of opened) {
    const needed = inside.size();
    sides(box).forEach(([start, size], axis) => {
      const more = needed[axis] - along(axes[axis], start + size) + along(axes[axis], start);
      if (more > 0) axes[axis].push([start, size, more]);
    });
  }
  return axes;
}

// An edge goes with the nodes at its ends; a group that is open is stretched, and its edges with it.
/** @type {(edge: EdgePart, shift: (point: Point) => Point) => void} */
function moveEdge({ element, line, points, head, texts, at, ends }, shift) {
  const [first, last] = [points[0], head[0]].map((point, which) => {
    const end = ends[which];
    return shift(end && !end.element.matches(".open") ? middle(end.box) : point);
  });
  /** @type {(point: Point, by: Point) => string} */
  const plus = (point, by) => String(point.map((each, axis) => Math.round(10 * (each + by[axis])) / 10));
  let place = 0;
  const way = line.replace(/-?[\d.]+,-?[\d.]+/g, () => {
    const point = points[place++];
    return plus(point, place <= 2 ? first : place > points.length - 2 ? last : shift(point));
  });
  find(element, "path").setAttribute("d", way);
  find(element, "polygon").setAttribute("points", head.map((corner) => plus(corner, last)).join(" "));
  for (const text of texts) text.setAttribute("transform", `translate(${shift(at)})`);
}

// Makes the groups among the children of `layer` foldable, and adds them to the map `all` under their keys, such as
// g3/g0; `holds` has how much each holds, by its id. `pictures` gives all pictures. `redrawn` is called with how much
// larger the layer is than it was, and `changed` at the end with the group and where it was before. Returns how much
// larger the layer is.
/** @type {(layer: Element, of: Layer) => () => Point} */
function addFolds(layer, { holds, path, all, pictures, redrawn, changed }) {
  /** @type {SVGGElement[]} */
  const nodes = findAll(layer, ":scope > .node");
  const groups = nodes.flatMap((element) => {
    const id = String(element.dataset.id ?? element.dataset.inner), held = holds[id];
    return held ? [foldable(element, id, held)] : [];
  });
  /** @type {Part[] | null} */
  let original = null; // where everything was when nothing was unfolded

  /** @type {(element: SVGGElement, id: string, held: string) => Fold} */
  function foldable(element, id, held) {
    const title = find(element, "text.title").textContent, body = find(element, ".body");
    /** @type {Fold} */
    const group = {
      element, key: path + id, name: `${title}: ${held}`, box: null, inside: null, open: false, turn: (open) => turn(group, open),
    };
    all.set(group.key, group);
    const [x, y, width] = ["x", "y", "width"].map((name) => Number(body.getAttribute(name)));
    element.append(svgElement("path", { class: "sign", d: `M${x + width - SIGN},${y + SIGN / 2 + 3}h8m-4,-4v8` }));
    setAttributes(element, { role: "button", tabindex: -1, "aria-label": `${group.name}, folded` });
    find(element, "title").textContent += " (click to unfold)";
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      turn(group, !group.open);
    });
    return group;
  }

  /** @type {(group: Fold, open: boolean) => Promise<void>} */
  async function turn(group, open) {
    const { element } = group, picture = (await pictures())[group.key];
    if (group.open === open) return;
    const before = element.getBoundingClientRect();
    original ??= partsOf(layer);
    group.box ??= boxOf(element);
    group.open = open;
    group.inside ??= unfold(group, picture);
    element.classList.toggle("open", group.open);
    group.inside.element.style.display = group.open ? "" : "none";
    element.setAttribute("aria-label", `${group.name}, ${group.open ? "unfolded" : "folded"}`);
    arrange();
    changed(element, before);
  }

  /** @type {(group: Fold, picture: GroupPicture) => NonNullable<Fold["inside"]>} */
  function unfold(group, { shapes, width, height, title, shows, holds: inner }) {
    const frame = svgElement("rect", { class: "body unfolded", rx: 6, "fill-opacity": 0.04 });
    const headline = svgElement("text", { class: "title unfolded", "text-anchor": "start" });
    const body = find(group.element, ".body");
    for (const name of ["fill", "stroke", "stroke-width"]) {
      if (body.hasAttribute(name)) frame.setAttribute(name, String(body.getAttribute(name)));
    }
    headline.textContent = `−  ${title}`;
    group.element.append(frame, headline);
    const element = svgElement("g", { class: "inside", role: "group" }), spoken = svgElement("title");
    element.innerHTML = shapes;
    spoken.textContent = shows;
    element.prepend(spoken);
    group.element.after(element);
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      turn(group, false);
    });
    const grown = addFolds(element, { holds: inner, path: `${group.key}/`, all, pictures, changed, redrawn: arrange });
    return {
      element,
      size() {
        const [across, down] = grown();
        return [across + (width + 2 * INSET), down + (height + HEADLINE + INSET)];
      },
    };
  }

  const opened = () => groups.flatMap(({ open, element, box, inside }) => (open && box && inside ? [{ element, box, inside }] : []));
  const grown = () => /** @type {Point} */ (stretchesOf(opened()).map((stretches) => stretches.reduce((sum, [, , more]) => sum + more, 0)));

  function arrange() {
    const [across, down] = stretchesOf(opened());
    /** @type {(point: Point) => Point} */
    const moved = ([x, y]) => [along(across, x), along(down, y)];
    /** @type {(point: Point) => Point} */
    const shift = (point) => {
      const [x, y] = moved(point);
      return [x - point[0], y - point[1]];
    };
    for (const part of original ?? []) {
      const { element, box } = part;
      if (part.line !== undefined) moveEdge(part, shift);
      else element.setAttribute("transform", `translate(${box ? shift(middle(box)) : [0, grown()[1]]})`);
    }
    for (const { element, box, inside } of opened()) {
      const [[x, width], [y, height]] = sides(box), [left, top] = moved([x, y]), [right, bottom] = moved([x + width, y + height]);
      element.removeAttribute("transform");
      setAttributes(find(element, "rect.unfolded"), { x: left, y: top, width: right - left, height: bottom - top });
      setAttributes(find(element, "text.unfolded"), { x: left + INSET, y: top + HEADLINE_BASE });
      const [wide] = inside.size();
      inside.element.setAttribute("transform", `translate(${left + (right - left - wide) / 2 + INSET},${top + HEADLINE})`);
    }
    redrawn(grown());
  }
  return grown;
}

// The keys of the groups that are seen unfolded.
/** @type {(all: Layer["all"]) => string[]} */
const unfoldedIn = (all) =>
  [...all.values()].filter(({ open, element }) => open && element.getClientRects().length).map(({ key }) => key);

// Unfolds the groups with these keys and folds the others. A group that unfolds adds those in it to the map.
/** @type {(all: Layer["all"], keys: string[]) => Promise<void>} */
async function turnAll(all, keys) {
  for (const group of all.values()) {
    const open = keys.includes(group.key);
    if (group.open !== open) await group.turn(open);
  }
}

// Makes the groups of a picture foldable; returns them by their keys.
/** @type {(picture: Picture, shown: Shown, zoom: ReturnType<typeof addZoom>, fade: () => void) => Layer["all"]} */
function unfoldable({ area, svg, edges, showInside }, shown, zoom, fade) {
  /** @type {Layer["all"]} */
  const all = new Map();
  const { nodes, folds } = shown.recorded, { width, height } = svg.viewBox.baseVal;
  /** @type {ReturnType<Layer["pictures"]> | null} */
  let pictures = null;
  svg.setAttribute("role", "group"); // an image has no buttons in it
  addFolds(svg, {
    holds: Object.fromEntries(nodes.map(({ id, holds }) => [id, holds])),
    path: "",
    all,
    pictures: () => (pictures ??= inflated(folds)),
    redrawn([dx, dy]) {
      edges.forEach(addWayBack);
      zoom.enlarge(width + dx, height + dy);
    },
    changed(group, before) {
      showInside(stateAt(shown.data, shown.steps, shown.at));
      fade();
      const after = group.getBoundingClientRect(); // what was clicked stays where it was
      area.scrollBy({ left: after.left - before.left, top: after.top - before.top, behavior: "instant" });
    },
  });
  return all;
}
