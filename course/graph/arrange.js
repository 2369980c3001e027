// Arranges picture, table and code, and scrolls to what a step is about.

const SHRINK = SHARED.LEGIBLE / SHARED.SMALL; // how far the picture may shrink
const LEAST = 420, GAP = 14, TALL = 240; // pixels: width of the picture, space beside it, height of the table
const WIDE = 1000; // pixels of a player from which the code stands beside the picture
const MOST = 0.8; // the table moves below a picture that then shows at least this part of itself

/** @type {(root: HTMLElement, picture: Picture, table: HTMLElement, code: HTMLElement | null) => () => void} */
function arranger(root, { area, svg }, table, code) {
  const views = find(root, ".views"), above = root.querySelector(".handles") ?? views;
  code && above.after(code);

  // The table stands beside the picture where both are legible there, or where the picture scrolls anyway and
  // would not show most of itself if it had all the room.
  function arrange() {
    root.classList.remove("stacked", "aside", "paired");
    area.style.paddingBottom = ""; // the map's room
    const least = svg.viewBox.baseVal.width * SHRINK, room = views.clientWidth, tableWidth = table.offsetWidth;
    const beside = room - tableWidth - GAP;
    root.classList.toggle("stacked", beside < Math.min(least, LEAST) || (least > beside && MOST * least <= room));
    if (code) placeCode(code, room, least, tableWidth);
    const stacked = root.classList.contains("stacked") || getComputedStyle(views).flexDirection === "column";
    const limit = Math.max(area.clientHeight, TALL);
    table.style.maxHeight = stacked ? "" : table.scrollHeight < 1.3 * limit ? "none" : `${limit}px`;
  }

  // Where there is much room the code stands below the table, beside the whole picture; else beside a table that is
  // below the picture, if there is room for both; else below all.
  /** @type {(code: HTMLElement, room: number, least: number, tableWidth: number) => void} */
  function placeCode(code, room, least, tableWidth) {
    Object.assign(code.style, { width: "max-content", flex: "none" }); // beside the table it would shrink
    const codeWidth = code.offsetWidth;
    Object.assign(code.style, { width: "", flex: "" });
    const aside = root.clientWidth >= WIDE && room - Math.max(codeWidth, tableWidth) - GAP >= least;
    if (aside) root.classList.remove("stacked");
    root.classList.toggle("aside", aside);
    root.classList.toggle("paired", root.matches(".stacked"));
    const paired = root.matches(".paired") && table.offsetWidth + GAP + codeWidth <= room; // a row is one line there
    root.classList.toggle("paired", paired);
    const inViews = aside || paired;
    if (inViews !== views.contains(code)) (inViews ? table : above).after(code);
  }
  return arrange;
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
  if (area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight) {
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
