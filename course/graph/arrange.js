// Arranges picture, table and code, and scrolls to what a step is about.

const LEAST = 420, GAP = 14, TALL = 240; // pixels: width of the picture, space beside it, height of the table
const WIDE = 1000; // pixels of a player from which the code stands beside the picture
const IN_HAND = 640; // pixels of a player below which it is on a telephone, where smaller text can be read
const MOST = 0.8; // the table moves below a picture that then shows at least this part of itself

// How far a picture may be shrunk.
/** @param {HTMLElement} root */
const smallestScale = ({ clientWidth }) => (clientWidth < IN_HAND ? SHARED.LEGIBLE_IN_HAND : SHARED.LEGIBLE) / SHARED.SMALL;

/** @type {(root: HTMLElement, table: HTMLElement, code: HTMLElement | null, turn: ReturnType<typeof turner>) => () => void} */
function arranger(root, table, code, turn) {
  const views = find(root, ".views"), area = find(views, ".picture"), rest = written("div", "", "rest");
  find(root, ".controls").after(rest);
  if (code) rest.append(code); // where it can be measured

  // The table stands beside the picture where both are legible there, or where the picture scrolls anyway and
  // would not show most of itself if it had all the room; else below all, so that the controls stay by the picture.
  // The code stands below the table, beside the whole picture, where there is much room; else below all.
  return () => {
    area.style.paddingBottom = ""; // the map's room
    root.classList.remove("aside"); // where the table is as wide as the code
    const room = views.clientWidth, least = turn(room, smallestScale(root)), beside = room - table.offsetWidth - GAP;
    const aside = code !== null && root.clientWidth >= WIDE && room - Math.max(code.scrollWidth, table.offsetWidth) - GAP >= least;
    const below = !aside && (root.clientWidth < IN_HAND || beside < Math.min(least, LEAST) || (least > beside && MOST * least <= room));
    root.classList.toggle("aside", aside);
    move(table, below ? rest : views);
    if (code) move(code, aside ? views : rest);
    const limit = Math.max(area.clientHeight, TALL);
    table.style.maxHeight = below ? "" : table.scrollHeight < 1.3 * limit ? "none" : `${limit}px`;
  };

  /** @type {(part: HTMLElement, into: HTMLElement) => void} */
  function move(part, into) {
    if (!into.contains(part)) into[part === table && into === rest ? "prepend" : "append"](part);
  }
}

// Returns what fades out a side at which the picture or the table goes on.
/** @type {(picture: Picture, table: HTMLElement) => () => void} */
function fader({ area, svg }, table) {
  const updateMap = addMap(area, svg);
  return () => {
    const { width, height } = svg.getBoundingClientRect();
    const pans = width > area.clientWidth + 1 || height > area.clientHeight + 1;
    area.classList.toggle("pans", pans);
    updateMap(pans);
    for (const [each, start, shown, whole] of /** @type {[Element, number, number, number][]} */ ([
      [area, area.scrollLeft, area.clientWidth, area.scrollWidth],
      [table, table.scrollTop, table.clientHeight, table.scrollHeight],
    ])) {
      setClasses(each, { before: start > 1, after: start + shown < whole - 1 });
    }
  };
}

// Scrolls to an edge that fits, else to the node. Scrolls inside the player alone: the page must not move.
/** @type {(picture: Picture, table: Table, step: Step) => void} */
function follow({ area, nodes, edges }, table, step) {
  if (step.node === undefined) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const edge = edges[step.edge ?? -1], row = table.rows[step.node];
  const shape = edge?.getBoundingClientRect().width < area.clientWidth * 0.8 ? edge : nodes[step.node];
  if (area.matches(".pans")) {
    const box = shape.getBoundingClientRect(), frame = area.getBoundingClientRect();
    area.scrollBy({
      left: box.left + box.width / 2 - frame.left - frame.width / 2,
      top: box.top + box.height / 2 - frame.top - frame.height / 2,
      behavior,
    });
  }
  if (row && table.area.scrollHeight > table.area.clientHeight) {
    const box = row.getBoundingClientRect(), frame = table.area.getBoundingClientRect();
    table.area.scrollBy({ top: box.top + box.height / 2 - frame.top - frame.height / 2, behavior });
  }
}
