// Groups unfold: a group gives place to a frame with a picture of what it holds, and the rest of the picture makes
// room. Across a group the picture is stretched, beyond it everything is moved; what is not stretched is kept whole.

const INSET = 12, HEADLINE = 30, HEADLINE_BASE = 19; // pixels of a frame: around what it holds; for its title; to the title's base
const NEAR = 9; // pixels between an edge's end and its node, at most
const BASE = 4; // pixels from the middle of a text to its base
const SIGN = 14; // pixels of the sign of a group that unfolds

const inflated = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
};

// Makes the groups among the children of `layer` foldable, and adds them to the map `all` under their keys, such as
// g3/g0; `holds` has how much each holds, by its id. `pictures` gives all pictures. `redrawn` is called with how much
// larger the layer is than it was, and `changed` at the end with the group and where it was before. Returns how much
// larger the layer is.
function addFolds(layer, { holds, path, all, pictures, redrawn, changed }) {
  const groups = [...layer.children].filter((each) => each.matches(".node")).flatMap((element) => {
    const id = element.dataset.id ?? element.dataset.inner;
    return holds[id] ? [foldable(element, id)] : [];
  });
  let original = null; // where everything was when nothing was unfolded

  function foldable(element, id) {
    const title = element.querySelector("text.title").textContent;
    const group = { element, key: path + id, name: `${title}: ${holds[id]}`, box: null, inside: null, open: false };
    all.set(group.key, group);
    group.turn = (open) => turn(group, open);
    const { x, y, width } = element.querySelector(".body").attributes;
    const sign = svgElement("path", { class: "sign", d: `M${+x.value + +width.value - SIGN},${+y.value + SIGN / 2 + 3}h8m-4,-4v8` });
    element.append(sign);
    setAttributes(element, { role: "button", tabindex: -1, "aria-label": `${group.name}, folded` });
    element.querySelector("title").textContent += " (click to unfold)";
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      turn(group, !group.open);
    });
    return group;
  }

  async function turn(group, open) {
    const { element } = group, picture = (await pictures())[group.key];
    if (group.open === open) return;
    const before = element.getBoundingClientRect();
    original ??= measured();
    group.box ??= element.querySelector(".body").getBBox();
    group.open = open;
    if (!group.inside) unfold(group, picture);
    element.classList.toggle("open", group.open);
    group.inside.element.style.display = group.open ? "" : "none";
    element.setAttribute("aria-label", `${group.name}, ${group.open ? "unfolded" : "folded"}`);
    arrange();
    changed(element, before);
  }

  function unfold(group, { shapes, width, height, title, shows, holds: inner }) {
    const frame = svgElement("rect", { class: "body unfolded", rx: 6, "fill-opacity": 0.04 });
    const headline = svgElement("text", { class: "title unfolded", "text-anchor": "start" });
    const body = group.element.querySelector(".body");
    for (const name of ["fill", "stroke", "stroke-width"]) if (body.hasAttribute(name)) frame.setAttribute(name, body.getAttribute(name));
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
    group.inside = { element, size: () => grown().map((more, axis) => more + [width + 2 * INSET, height + HEADLINE + INSET][axis]) };
  }

  function measured() {
    const pairs = (text) => [...text.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map((pair) => [Number(pair[1]), Number(pair[2])]);
    const children = [...layer.children].filter((each) => each.matches(".node, .edge, .legend, text"));
    const found = children.map((element) => {
      if (element.matches(".node")) return { element, box: element.querySelector(".body").getBBox() };
      if (!element.matches(".edge")) return { element };
      const line = element.querySelector("path").getAttribute("d"), texts = [...element.querySelectorAll("text")];
      const [x, y] = ["x", "y"].map((axis) => texts.reduce((sum, text) => sum + Number(text.getAttribute(axis)) / texts.length, 0));
      return { element, line, points: pairs(line), head: pairs(element.querySelector("polygon").getAttribute("points")), texts, at: [x, y - BASE] };
    });
    const touched = ([x, y]) => found.find(({ box }) => box && Math.abs(x - box.x - box.width / 2) <= box.width / 2 + NEAR
      && Math.abs(y - box.y - box.height / 2) <= box.height / 2 + NEAR);
    for (const each of found.filter(({ line }) => line)) each.ends = [touched(each.points[0]), touched(each.head[0])];
    return found;
  }
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

  // By how much each open group stretches an axis, after those before it: frames may stand beside and above each other.
  const sides = ({ box }) => [[box.x, box.width], [box.y, box.height]];
  const along = (stretches, at) => stretches.reduce((sum, [start, size, more]) => sum + more * Math.max(0, Math.min(1, (at - start) / size)), at);
  const stretched = () => groups.filter((group) => group.open).reduce((axes, group) => axes.map((stretches, axis) => {
    const [start, size] = sides(group)[axis], missing = group.inside.size()[axis] - along(stretches, start + size) + along(stretches, start);
    return missing > 0 ? [...stretches, [start, size, missing]] : stretches;
  }), [[], []]);
  const grown = () => stretched().map((stretches) => stretches.reduce((sum, [, , more]) => sum + more, 0));

  function arrange() {
    const axes = stretched(), moved = (point) => point.map((at, axis) => along(axes[axis], at));
    const shift = (point) => moved(point).map((to, axis) => to - point[axis]);
    const plus = (point, by) => point.map((each, axis) => Math.round(10 * (each + by[axis])) / 10);
    // An edge goes with the nodes at its ends; a group that is open is stretched, and its edges with it.
    const shiftAt = (point, end) => shift(end && !end.element.matches(".open") ? middle(end.box) : point);
    for (const { element, box, line, points, head, texts, at, ends } of original) {
      if (!line) {
        element.setAttribute("transform", `translate(${box ? shift(middle(box)) : [0, grown()[1]]})`);
        continue;
      }
      const first = shiftAt(points[0], ends[0]), last = shiftAt(head[0], ends[1]);
      let place = 0;
      const way = line.replace(/-?[\d.]+,-?[\d.]+/g, () => {
        const point = points[place++];
        return plus(point, place <= 2 ? first : place > points.length - 2 ? last : shift(point));
      });
      element.querySelectorAll(".back").forEach((each) => each.remove());
      element.querySelector("path").setAttribute("d", way);
      element.querySelector("polygon").setAttribute("points", head.map((corner) => plus(corner, last)).join(" "));
      for (const text of texts) text.setAttribute("transform", `translate(${shift(at)})`);
    }
    for (const group of groups.filter((each) => each.open)) {
      const [[x, width], [y, height]] = sides(group), [left, top] = moved([x, y]), [right, bottom] = moved([x + width, y + height]);
      const frame = group.element.querySelector("rect.unfolded"), headline = group.element.querySelector("text.unfolded");
      group.element.removeAttribute("transform");
      setAttributes(frame, { x: left, y: top, width: right - left, height: bottom - top });
      setAttributes(headline, { x: left + INSET, y: top + HEADLINE_BASE });
      const [wide] = group.inside.size();
      group.inside.element.setAttribute("transform", `translate(${left + (right - left - wide) / 2 + INSET},${top + HEADLINE})`);
    }
    redrawn(grown());
  }
  return grown;
}

// The keys of the groups that are seen unfolded.
const unfoldedIn = (all) =>
  [...all.values()].filter(({ open, element }) => open && element.getClientRects().length).map(({ key }) => key);

// Unfolds the groups with these keys and folds the others. A group that unfolds adds those in it to the map.
async function turnAll(all, keys) {
  for (const group of all.values()) {
    const open = keys.includes(group.key);
    if (group.open !== open) await group.turn(open);
  }
}
