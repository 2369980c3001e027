// The player: shows the steps of steps.js in the page. It fetches nothing.

const SLOWEST = 1600, FASTEST = 400, WHOLE = 45000; // milliseconds a step; and about so many for a whole sweep
const SHRINK = 11 / 12; // how far the picture may shrink; draw.py has the same
const LEAST = 420, GAP = 14, TALL = 240; // pixels: width of the picture, space beside it, height of the table
const WIDE = 1000; // pixels of a player from which the code stands beside the picture
const MOST = 0.8; // the table moves below a picture that then shows at least this part of itself
const FLIGHT = 900; // milliseconds, at most, in which a product travels along its edge
const TOLD = 8; // nodes that one sentence can tell; words.py has the same
const HEAD = 8; // pixels, an edge's head; layout.py has the same
const LONG = 48; // characters of an equation in small print
const BOLDER = 1.1; // how much wider a text may become where it is set in bold
const PREPARED = 100; // steps for which there is time to lay out all texts while a leaf is dragged
// Where numbers may change there is room for these; play.py has the same.
const TYPICAL = "−0.8888", TYPICAL_PRODUCT = `× ${TYPICAL} = ${TYPICAL}`, TYPICAL_ARRAY = "→ [−88.8 −88.8]";

// ---- controls: only a script has a use for them -------------------------------------------------------------

const ICONS = {
  back: "M5 3h2v10H5zM14 3v10L7.5 8z",
  play: "M4 2.5v11L13.5 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M9 3h2v10H9zM2 3v10l6.5-5z",
  link: "M7 4.5 8.8 2.7a3.2 3.2 0 0 1 4.5 4.5L10.6 9.9a3.2 3.2 0 0 1-4.6-.1l1.1-1.1a1.7 1.7 0 0 0 2.4.1l2.7-2.7a1.7 1.7 0 0 0-2.4-2.4L8.1 5.4zM9 11.5l-1.8 1.8a3.2 3.2 0 0 1-4.5-4.5l2.7-2.7a3.2 3.2 0 0 1 4.6.1L8.9 7.3a1.7 1.7 0 0 0-2.4-.1L3.8 9.9a1.7 1.7 0 0 0 2.4 2.4l1.7-1.7z",
};
const icon = (name, path = ICONS[name]) =>
  `<svg class="${name}" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
const CONTROLS = `
  <button type="button" class="back" aria-label="Step back" title="Step back (←)">${icon("back")}</button>
  <button type="button" class="play" aria-label="Play" title="Play or pause (space)">
    ${icon("play")}${icon("pause")}</button>
  <button type="button" class="step" aria-label="Step" title="Step (→)">${icon("step")}</button>
  <input type="range" min="0" value="0" aria-label="Step">
  <span class="roomy"><output class="place"></output></span><span class="roomy"><span class="count"></span></span>
  <select aria-label="Sweep"></select>
  <button type="button" class="link" aria-label="Copy a link to this state" title="Copy a link to this state">
    ${icon("link")}</button><span class="copied" role="status"></span>`;

// The picture comes as an image. As a part of the page it takes the page's colours, and can change.
function inlined(image) {
  const source = image.getAttribute("src"), holder = document.createElement("div");
  holder.innerHTML = decodeURIComponent(source.slice(source.indexOf(",") + 1));
  const [svg] = holder.children;
  svg.style = image.getAttribute("style");
  image.replaceWith(svg);
  return svg;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
const svgElement = (tag, attributes = {}) =>
  setAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);

// A node's name in the table leads to its step, by click and by key.
function asButton(cell, name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jump";
  button.textContent = name;
  button.setAttribute("aria-label", `Jump to ${name}`);
  cell.replaceChildren(button);
  return button;
}

// A name in words has a line over it; over letters one by one the line would be ragged.
const overlined = (text) => text.split(/((?:[^]\u0305)+)/).map((part) => {
  if (!part.includes("\u0305")) return part;
  const line = document.createElement("span");
  line.className = "over";
  line.textContent = part.replaceAll("\u0305", "");
  return line;
});

// A text that changes has room from the start for all that it will say: its texts lie in the same cell of a grid,
// unseen, so that the browser measures them, whatever the font and the width.
function reserve(now, rooms) {
  now.parentElement.querySelectorAll(":scope > .room").forEach((room) => room.remove());
  for (const room of rooms) room.className = `room ${room.className}`;
  now.before(...rooms); // first, for the first one gives the grid its baseline
}
const written = (tag, text, className = "") =>
  Object.assign(document.createElement(tag), { textContent: text, className });
const inLines = (texts) => [written("span", [...new Set(texts)].join("\n"))];

// A cell whose text changes; what it says stands in the element that is returned.
function asRoomy(cell) {
  const holder = written("span", "", "roomy"), now = written("span", cell.textContent, "now");
  holder.append(now);
  cell.replaceChildren(holder);
  return now;
}

// Adds what an edge shows in the backward pass: a head at its other end, and a line that begins at that head.
function addWayBack(edge) {
  const line = edge.querySelector("path"), way = line.getAttribute("d");
  const [x, y, ...further] = way.match(/-?[\d.]+/g).map(Number);
  const next = further.findIndex((_, place) => place % 2 === 0 && Math.hypot(further[place] - x, further[place + 1] - y) > 1);
  const dx = further[next] - x, dy = further[next + 1] - y, long = Math.hypot(dx, dy) / HEAD;
  const [bx, by] = [x + dx / long, y + dy / long], [nx, ny] = [(0.34 * dy) / long, (-0.34 * dx) / long];
  edge.append(svgElement("polygon", { class: "back", points: `${x},${y} ${bx + nx},${by + ny} ${bx - nx},${by - ny}` }));
  const back = line.cloneNode();
  back.setAttribute("class", "back");
  back.setAttribute("d", `${way.replace(/[^C]*/, `M${bx},${by} `)} L${edge.querySelector("polygon").getAttribute("points").split(" ")[0]}`);
  line.after(back);
}

// ---- one player --------------------------------------------------------------------------------------------

function start(root) {
  const recorded = completed(JSON.parse(root.querySelector('script[type="application/json"]').textContent));
  const { live } = recorded;
  if (live) recorded.forward = inForward(recorded, derivatives(recorded, evaluate(live, recordedLeaves(live))));
  let data = recorded; // it changes with the values of the leaves
  const find = (selector) => root.querySelector(selector);
  const controls = document.createElement("div");
  controls.className = "controls";
  controls.innerHTML = CONTROLS;
  find(".texts").after(controls);
  const views = find(".views"), picture = find(".picture"), svg = inlined(find(".picture > img"));
  const table = find(".numbers");
  const equation = find(".equation"), caption = find(".caption"), count = find(".count");
  const slider = find(".controls input"), place = find(".place"), choice = find("select");
  const button = { back: find("button.back"), play: find("button.play"), step: find("button.step"), link: find("button.link") };
  const drawn = (key) => svg.querySelector(`[data-id="${key}"]`);
  const nodes = data.nodes.map((entry) => drawn(entry.id));
  const edges = data.edges.map((entry) => drawn(entry.id));
  edges.forEach(addWayBack);
  const rows = data.nodes.map((_, node) => table.querySelector(`tr[data-node="${node}"]`));
  const names = data.nodes.flatMap(({ name }, node) => (rows[node] ? [asButton(rows[node].cells[0], name)] : []));
  const shapes = nodes.map((node) => node.querySelector("text.adjoint .fact")?.textContent); // of arrays told by shape
  const copies = nodes.map(({ dataset: { id } }) => [...svg.querySelectorAll(`[data-id="${id}"]`)].slice(1));
  const values = rows.map((row) => row && asRoomy(row.cells[1])), sums = rows.map((row) => row && asRoomy(row.cells[2]));
  const heading = find("th.sum");
  const token = svg.appendChild(svgElement("g", { class: "token" }));
  token.innerHTML = ["given", "product"].map((what) =>
    `<g class="${what}"><rect y="-10" height="20" rx="10"/><text y="4"/></g>`).join("");

  const words = [...find(".texts").children], copied = find(".copied");
  const locals = recorded.edges.map(({ local }, edge) => { // what stands before the number
    const text = edges[edge].querySelector("text.local")?.textContent;
    return local !== null && text?.endsWith(local) ? text.slice(0, -local.length) : null;
  });
  const handles = recorded.live && addHandles(root, recorded, (leaves) => retell(leaves));

  const code = recorded.code && codeOf(recorded), above = find(".handles") ?? views;
  if (code) above.after(code);
  const updateMap = addMap(picture, svg);
  const zoom = addZoom(root, picture, svg, button.link, fade);
  const { width, height } = svg.viewBox.baseVal;
  const foldButtons = () => [...svg.querySelectorAll(".node[role=button]")].filter((each) => each.getClientRects().length);
  const groups = new Map(); // those that unfold
  let pictures = null;
  if (recorded.folds) {
    svg.setAttribute("role", "group"); // an image has no buttons in it
    addFolds(svg, {
      holds: Object.fromEntries(recorded.nodes.map(({ id, holds }) => [id, holds])),
      path: "",
      all: groups,
      pictures: () => (pictures ??= inflated(recorded.folds)),
      redrawn: ([dx, dy]) => {
        edges.forEach(addWayBack);
        zoom.grow(width + dx, height + dy);
      },
      changed: (group, before) => {
        tellInside(stateAt(data, sweep, steps, at));
        fade();
        const after = group.getBoundingClientRect(); // what was clicked stays where it was
        picture.scrollBy({ left: after.left - before.left, top: after.top - before.top, behavior: "instant" });
      },
    });
  }

  let sweep = REVERSE, steps = [], describe = null, at = 0, timer = null;

  // The table has small arrays in full, row by row, else their shape, and the numbers on demand.
  const byShape = (quantity) => Boolean(quantity) && !isNumber(quantity)
    && !(Array.isArray(quantity) && quantity.every((row) => row.join(" ").length <= BRIEF));
  const inFull = (quantity) => phrase(quantity).replaceAll("; ", ";\n");
  const inTable = (quantity, node) => (quantity === undefined ? ""
    : byShape(quantity) ? data.nodes[node].shape ?? quantity.shape : inFull(quantity));
  function write(cell, now, quantity, node) {
    now.textContent = inTable(quantity, node);
    cell.classList.toggle("shape", byShape(quantity));
    if (byShape(quantity) && Array.isArray(quantity)) cell.title = inFull(quantity);
    else cell.removeAttribute("title");
  }
  const grows = ({ kind, before, product }) => kind === "travel" && isNumber(before) && isNumber(product);

  // A sum grows: what was there stands, what arrives is added when it has arrived.
  function grow(text, { before, product }, make) {
    text.textContent = svg.contains(text) ? ` = ${before}` : before;
    const arriving = text.appendChild(make());
    arriving.setAttribute("class", "arriving");
    arriving.textContent = ` + ${factor(product)}`;
    return text;
  }
  const span = () => document.createElement("span");
  const tspan = () => svgElement("tspan");

  function setFact(node, role, quantity) {
    const group = nodes[node], fact = group.querySelector(`text.${role} .fact`);
    const cells = group.querySelectorAll(`g.${role}.grid text`);
    if (cells.length && Array.isArray(quantity)) {
      // The picture lists a grid column by column.
      const across = quantity[0].length, down = quantity.length;
      for (let x = 0; x < across; x++) for (let y = 0; y < down; y++) cells[x * down + y].textContent = quantity[y][x];
    } else if (fact && quantity !== undefined) {
      fact.textContent = isNumber(quantity) ? ` = ${quantity}` : quantity === null ? " = None" : shapes[node];
    }
  }

  // What a group holds is known when its value is, and its adjoints when it has passed on its products.
  function tellInside({ values: known, carried }) {
    nodes.forEach((group, node) => {
      const inside = group.nextElementSibling;
      if (!inside?.matches(".inside")) return;
      const reached = sweep === REVERSE && data.edges.every(({ target }, edge) => target !== node || carried.has(edge));
      inside.querySelectorAll(".node, .edge").forEach((each) => {
        each.classList.toggle("known", known.has(node));
        each.classList.toggle("reached", reached);
      });
    });
  }

  // A leaf with many uses is drawn beside each of them: all say what the first one says.
  function mirror(node) {
    const changing = (group) => group.querySelectorAll(".fact, .bar, .grid text");
    for (const copy of copies[node]) {
      copy.setAttribute("class", nodes[node].getAttribute("class"));
      changing(nodes[node]).forEach((part, place) => { changing(copy)[place].textContent = part.textContent; });
    }
  }

  function carries(edge, state) {
    const { local, source, target } = data.edges[edge], product = state.carried.get(edge);
    const text = edges[edge].querySelector("text.product");
    if (!text || product === undefined || product === null) return;
    const given = state.totals.get(sweep === REVERSE ? target : source);
    text.textContent = local !== null && isNumber(given) ? `× ${given} = ${phrase(product)}`
      : `→ ${brief(product, data.nodes[source], BRIEFER)}`;
  }

  // The product travels along its edge: as the adjoint that it begins with, then as what that becomes.
  function send(step, given) {
    const travels = step.kind === "travel" && step.product !== null;
    token.style.offsetPath = "none";
    if (!travels) return;
    const { source, target } = data.edges[step.edge];
    [[given ?? step.product, given ? target : source], [step.product, source]].forEach(([quantity, node], half) => {
      const [shell, text] = token.children[half].children;
      text.textContent = brief(quantity, data.nodes[node], BRIEFER);
      const wide = Math.max(22, 14 + text.getComputedTextLength());
      setAttributes(shell, { width: wide, x: -wide / 2 });
    });
    token.style.offsetPath = `path("${edges[step.edge].querySelector("path").getAttribute("d")}")`;
    for (const animation of token.getAnimations?.({ subtree: true }) ?? []) animation.currentTime = 0;
  }

  const termed = termsOf(recorded);

  function equate(line, parts) {
    line.replaceChildren(...parts.map((part, place) => {
      const span = document.createElement("span");
      span.append(...termed(part));
      if (place > 0 && parts[place - 1] === "=" && place === parts.length - 1) span.className = "result";
      return span;
    }));
    line.classList.toggle("long", parts.join(" ").length > LONG);
    return line;
  }
  const counting = (products, all) => (all ? `products ${products} of ${all}` : "");
  const placing = (step) => `${step} / ${steps.length - 1}`;

  function show(to) {
    at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[at], state = stateAt(data, sweep, steps, at), said = describe(at);
    const moving = step.kind === "travel" || step.kind === "sum";
    const from = moving ? data.edges[step.edge][sweep === REVERSE ? "target" : "source"] : null;
    const ended = step.kind === "end";

    nodes.forEach((group, node) => {
      const sum = state.totals.get(node);
      const reached = sum !== undefined || (ended && sweep === REVERSE);
      group.classList.toggle("known", state.values.has(node));
      group.classList.toggle("reached", reached);
      group.classList.toggle("active", step.node === node);
      group.classList.toggle("giving", from === node);
      group.classList.toggle("first", step.kind === "travel" && step.node === node && step.before === undefined);
      setFact(node, "adjoint", ended && sum === undefined ? null : sum);
      const growing = grows(step) && step.node === node;
      if (growing) grow(group.querySelector("text.adjoint .fact"), step, tspan);
      const cells = rows[node]?.cells;
      if (!cells) return;
      rows[node].classList.toggle("active", step.node === node);
      rows[node].classList.toggle("giving", from === node);
      rows[node].classList.toggle("known", state.values.has(node));
      write(cells[2], sums[node], reached ? sum ?? null : undefined, node);
      if (growing) grow(sums[node], step, span);
    });
    edges.forEach((group, edge) => {
      group.classList.toggle("known", state.values.has(data.edges[edge].target));
      group.classList.toggle("travelled", state.carried.has(edge));
      group.classList.toggle("active", moving && step.edge === edge);
      carries(edge, state);
    });
    nodes.forEach((_, node) => mirror(node));
    tellInside(state);
    root.dataset.phase = ["start", "value"].includes(step.kind) ? "values" : sweep === REVERSE ? "adjoints" : "tangents";
    root.dataset.kind = step.kind;
    equate(equation, said.equation);
    caption.textContent = said.caption;
    if (data.nodes.length <= TOLD) sayPicture(state);
    count.textContent = counting(state.products, said.all);
    slider.value = at;
    slider.style.setProperty("--at", `${(100 * at) / Math.max(1, steps.length - 1)}%`);
    slider.setAttribute("aria-valuetext", `step ${at} of ${steps.length - 1}`);
    place.textContent = placing(at);
    // A button that is disabled would lose the focus, and with it the keys.
    button.back.setAttribute("aria-disabled", at === 0);
    button.step.setAttribute("aria-disabled", at === steps.length - 1);
    if (data !== recorded || sweep !== REVERSE || rooms) squeeze();
    send(step, state.totals.get(from));
    if (step.kind === "start") for (const area of [picture, table]) area.scrollTo(0, 0);
    else if (!ended) follow(moving && fits(edges[step.edge]) ? edges[step.edge] : nodes[step.node], rows[step.node]);
  }

  // The picture's name for a screen reader: what is known at this step.
  function sayPicture({ values: known, totals }) {
    const named = data.nodes.map((entry, node) => ({ ...entry, node })).filter((entry) => entry.named);
    const facts = named.filter(({ node, value }) => known.has(node) && value).map((entry) => `${entry.name} = ${brief(entry.value, entry)}`);
    const rates = named.filter(({ node }) => totals.has(node)).map((entry) => `${entry.name} ${brief(totals.get(entry.node), entry)}`);
    const what = sweep === REVERSE ? "adjoints" : "tangents";
    const text = `Graph of ${data.title}: ${facts.join(", ")}${rates.length ? `; ${what} ${rates.join(", ")}` : ""}.`;
    svg.setAttribute("aria-label", text);
    svg.querySelector(":scope > title").textContent = text;
  }

  const fits = (shape) => shape.getBoundingClientRect().width < picture.clientWidth * 0.8;

  // Scrolls inside the player alone: the page must not move.
  function follow(shape, row) {
    const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (shape && (picture.scrollWidth > picture.clientWidth || picture.scrollHeight > picture.clientHeight)) {
      const box = shape.getBoundingClientRect(), frame = picture.getBoundingClientRect();
      picture.scrollBy({
        left: box.left + box.width / 2 - frame.left - frame.width / 2,
        top: box.top + box.height / 2 - frame.top - frame.height / 2,
        behavior: smooth,
      });
    }
    if (row && table.scrollHeight > table.clientHeight) {
      const box = row.getBoundingClientRect(), frame = table.getBoundingClientRect();
      table.scrollBy({ top: box.top + box.height / 2 - frame.top - frame.height / 2, behavior: smooth });
    }
  }

  // The table stands beside the picture where both are legible there, or where the picture scrolls anyway and
  // would not show most of itself if it had all the room.
  function arrange() {
    root.classList.remove("stacked", "aside", "paired");
    picture.style.paddingBottom = ""; // the map's room
    const least = svg.viewBox.baseVal.width * SHRINK, room = views.clientWidth, tableWidth = table.offsetWidth;
    const beside = room - tableWidth - GAP;
    root.classList.toggle("stacked", beside < Math.min(least, LEAST) || (least > beside && MOST * least <= room));
    placeCode(room, least, tableWidth);
    const stacked = root.classList.contains("stacked") || getComputedStyle(views).flexDirection === "column";
    const limit = Math.max(picture.clientHeight, TALL);
    table.style.maxHeight = stacked ? "" : table.scrollHeight < 1.3 * limit ? "none" : `${limit}px`;
  }

  // Where there is much room the code stands below the table, beside the whole picture; else beside a table that is
  // below the picture, if there is room for both; else below all.
  function placeCode(room, least, tableWidth) {
    if (!code) return;
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

  // A side at which the picture or the table goes on is faded out.
  function fade() {
    const { width: wide, height: high } = svg.getBoundingClientRect();
    const pans = wide > picture.clientWidth + 1 || high > picture.clientHeight + 1;
    picture.classList.toggle("pans", pans);
    updateMap(pans);
    for (const [area, start, shown, whole] of [
      [picture, picture.scrollLeft, picture.clientWidth, picture.scrollWidth],
      [table, table.scrollTop, table.clientHeight, table.scrollHeight],
    ]) {
      area.classList.toggle("before", start > 1);
      area.classList.toggle("after", start + shown < whole - 1);
    }
  }

  function fit() {
    if (!root.clientWidth) return;
    arrange();
    fade();
  }

  // Room for all that the steps of a sweep will say.
  function makeRoom() {
    const said = steps.map((_, step) => describe(step));
    const equations = new Map(said.map((each) => [each.equation.join(" "), each.equation]));
    reserve(equation, [...equations.values()].map((parts) => equate(document.createElement("p"), parts)));
    reserve(caption, [...new Set(said.map((each) => each.caption))].map((text) => written("p", text)));
    reserve(place, inLines(steps.map((_, step) => placing(step))));
    const { all } = said[0];
    reserve(count, inLines(Array.from({ length: all + 1 }, (_, products) => counting(products, all))));
    const texts = data.nodes.map(() => new Set());
    for (const step of steps) {
      if (step.total !== undefined) texts[step.node].add(inTable(step.total, step.node));
      if (step.kind === "seeds") texts.forEach((each) => each.add("0"));
      if (step.kind === "end") texts.filter((each) => !each.size).forEach((each) => each.add(inTable(null)));
    }
    const changing = handles ? data.nodes.map(({ value }) => isNumber(value)) : [];
    changing.forEach((one, node) => one && texts[node].add(TYPICAL) && values[node] && reserve(values[node], [written("span", TYPICAL)]));
    const growing = (node) => steps.filter((step) => grows(step) && step.node === node);
    sums.forEach((now, node) => now && reserve(now, ["span", "b"].flatMap((tag) => [ // bold at the node's own steps
      ...[...texts[node]].map((text) => written(tag, text)),
      ...growing(node).map((step) => grow(written(tag, ""), step, span)),
    ])));
  }

  function rebuild() {
    steps = sweep === REVERSE ? backwardSteps(data) : forwardSteps(data, sweep);
    describe = describer(data, sweep, steps);
    if (data === recorded || steps.length <= PREPARED) makeRoom();
  }

  // The values and the local derivatives, wherever they stand.
  function tellValues() {
    data.nodes.forEach(({ value }, node) => {
      if (rows[node] && value) write(rows[node].cells[1], values[node], value, node);
      if (value) setFact(node, "value", value);
    });
    data.edges.forEach(({ local }, edge) => {
      const text = edges[edge].querySelector("text.local");
      if (text && locals[edge] !== null) text.textContent = locals[edge] + local;
    });
  }

  // A text that is longer than its room is set narrower. The rooms are measured when they are first needed.
  let rooms = null;
  function measureRooms() {
    const found = [];
    const measured = (text, content) => {
      const before = text.textContent;
      text.textContent = content;
      const room = text.getComputedTextLength();
      text.textContent = before;
      return Math.max(room, text.getComputedTextLength());
    };
    for (const group of [...nodes, ...copies.flat()]) {
      const pill = group.querySelector(".pill")?.getBBox(), middle = pill && pill.x + pill.width / 2;
      for (const text of pill && !group.querySelector(".grid") ? group.querySelectorAll("text.value, text.adjoint") : []) {
        const begins = text.getAttribute("text-anchor") === "start";
        found.push([text, begins ? 2 * (middle - Number(text.getAttribute("x"))) : pill.width - 12]);
      }
      for (const grid of group.querySelectorAll(".grid")) {
        let left = Number(grid.querySelector("path").getAttribute("d").match(/M(-?[\d.]+)/)[1]) - 6;
        for (const text of grid.querySelectorAll("text")) {
          const right = Number(text.getAttribute("x"));
          if (right > left + 9) found.push([text, right - left - 9]);
        }
      }
    }
    edges.forEach((edge, at) => edge.querySelectorAll("text").forEach((text) => found.push(
      [text, BOLDER * measured(text, locals[at] === null ? TYPICAL_ARRAY : text.matches(".local") ? locals[at] + TYPICAL : TYPICAL_PRODUCT)])));
    return found;
  }
  function squeeze() {
    rooms ??= measureRooms();
    for (const [text] of rooms) text.removeAttribute("textLength");
    const long = rooms.filter(([text, room]) => text.getComputedTextLength() > room + 0.5);
    for (const [text, room] of long) {
      text.setAttribute("textLength", room);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }

  // Texts and columns may need more room for other numbers than before: they keep what they once had.
  const columns = [...table.querySelectorAll("thead th")];
  function keepRoom() {
    const heights = words.map((part) => part.getBoundingClientRect().height);
    words.forEach((part, at) => { part.style.minHeight = `${heights[at]}px`; });
    const widths = columns.map((column) => column.getBoundingClientRect().width);
    columns.forEach((column, at) => { column.style.minWidth = `${widths[at]}px`; });
  }
  function giveRoomBack() {
    for (const part of words) part.style.minHeight = "";
    for (const column of columns) column.style.minWidth = "";
  }

  // Other values of the leaves: the same step of the same sweep, with other numbers.
  function retell(leaves) {
    pause();
    keepRoom();
    data = handles.moved().size ? retold(recorded, leaves) : recorded;
    tellValues();
    rebuild();
    show(at);
    keepRoom();
  }

  // ---- a link to this state ----
  async function restore() {
    const said = readLink(location.hash, nameInLinks(root, recorded.title), recorded);
    if (!said) return;
    handles?.set(said.leaves);
    choose(said.sweep, said.step);
    root.scrollIntoView({ block: "nearest" });
    if (!groups.size) return;
    await turnAll(groups, said.unfolded);
    show(at);
  }
  function copyLink() {
    const unfolded = groups.size ? unfoldedIn(groups) : [];
    const hash = writeLink(nameInLinks(root, recorded.title), recorded, { leaves: handles?.moved() ?? [], sweep, step: at, unfolded });
    const tell = (text) => {
      copied.textContent = text;
      setTimeout(() => { copied.textContent = ""; }, 3000);
    };
    const inAddress = () => {
      history.replaceState(null, "", hash);
      tell("The link is in the address bar");
    };
    (navigator.clipboard?.writeText(new URL(hash, location).href) ?? Promise.reject()).then(() => tell("Link copied"), inAddress);
  }

  function choose(which, to = 0) {
    pause();
    sweep = which;
    choice.value = which;
    rebuild();
    slider.max = steps.length - 1;
    root.style.setProperty("--flight", `${Math.min(FLIGHT, 0.6 * pace())}ms`); // it arrives before the next step
    const first = steps.findIndex((step) => step.kind === "seed" || step.kind === "seeds");
    slider.style.setProperty("--turn", `${(100 * Math.max(0, first)) / Math.max(1, steps.length - 1)}%`);
    const backward = sweep === REVERSE;
    heading.textContent = backward ? "adjoint" : "tangent";
    root.classList.toggle("forward", !backward);
    nodes.forEach((group, node) => {
      const mark = group.querySelector("text.adjoint .bar");
      const { name, dot } = data.nodes[node];
      if (mark?.hasAttribute("text-decoration")) { // a name in words has a line over it, not a mark on its letter
        mark.setAttribute("text-decoration", backward ? "overline" : "none");
        mark.textContent = backward ? name : dot;
      } else if (mark) {
        mark.textContent = mark.textContent.replace(/[\u0304\u0307]/, backward ? "\u0304" : "\u0307");
      }
    });
    fit();
    show(to);
  }

  const pause = () => {
    clearTimeout(timer);
    timer = null;
    root.classList.remove("playing");
    button.play.setAttribute("aria-label", "Play");
  };
  const pace = () => Math.max(FASTEST, Math.min(SLOWEST, WHOLE / steps.length));
  const played = () => at >= steps.length - 1;
  const tick = () => {
    if (!root.isConnected || played()) return pause();
    show(at + 1);
    if (played()) return pause();
    timer = setTimeout(tick, pace());
  };
  const toggle = () => {
    if (timer !== null) return pause();
    root.classList.add("playing");
    button.play.setAttribute("aria-label", "Pause");
    if (played()) show(0);
    timer = setTimeout(tick, pace() / 3);
  };
  const go = (to) => {
    pause();
    show(to);
  };
  // A node that is clicked leads to the step that completes it; clicked again, to the one that gives its value.
  const jump = (node) => {
    const own = steps.flatMap((step, number) => (step.node === node ? [number] : []));
    const value = own.find((number) => steps[number].kind === "value") ?? 0;
    const done = own[own.length - 1] ?? value;
    go(at === done ? value : done);
  };

  const KEYS = {
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    " ": toggle,
    Home: () => go(0),
    End: () => go(steps.length - 1),
    ...zoom.keys,
  };
  // Notebooks listen at the document before the player would: listen at the window, while focus is inside.
  function onKey(event) {
    if (!root.contains(event.target)) return window.removeEventListener("keydown", onKey, true);
    const key = event.shiftKey && event.key !== "+" ? `Shift+${event.key}` : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !(key in KEYS))) return;
    const fold = event.target.closest(".node[role=button]");
    if (fold && (key === "Enter" || key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      return fold.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    if (event.target.closest(".handles")) return event.stopPropagation(); // a notebook has meanings for digits, too
    const kind = event.target.tagName, vertical = key === "ArrowUp" || key === "ArrowDown";
    const native = kind === "SELECT" ? vertical || key in KEYS || key === "Enter"
      : kind === "BUTTON" ? key === " " || key === "Enter"
      : kind === "INPUT" && vertical;
    const ring = [names, foldButtons()].find((each) => each.includes(event.target)), roves = ring && vertical;
    const next = roves && ring[ring.indexOf(event.target) + (key === "ArrowDown" ? 1 : -1)];
    if (!native && !roves && !(key in KEYS)) return;
    event.stopPropagation();
    if (native) return;
    event.preventDefault();
    if (!roves) return KEYS[key]();
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  root.addEventListener("focusin", () => window.addEventListener("keydown", onKey, true));
  root.addEventListener("focusout", (event) =>
    root.contains(event.relatedTarget) || window.removeEventListener("keydown", onKey, true));

  linkUp(root, data, (node) => [nodes[node], ...copies[node], rows[node]], edges, jump);

  for (const area of [picture, table]) area.addEventListener("scroll", fade, { passive: true });
  button.back.addEventListener("click", KEYS.ArrowLeft);
  button.step.addEventListener("click", KEYS.ArrowRight);
  button.play.addEventListener("click", toggle);
  slider.addEventListener("input", () => go(Number(slider.value)));
  choice.addEventListener("change", () => choose(Number(choice.value)));
  nodes.forEach((group, node) => group.matches("[role=button]") || [group, ...copies[node]].forEach((each) =>
    each.addEventListener("click", () => jump(node))));
  rows.forEach((row, node) => row?.addEventListener("click", () => jump(node)));
  for (const ring of [names, foldButtons()]) ring.forEach((each, place) => { each.tabIndex = place ? -1 : 0; }); // one stop, and arrows

  choice.append(new Option(data.reverse.length ? "values, then adjoints (reverse mode)" : "values", REVERSE));
  (data.forward?.inputs ?? []).forEach(({ leaf }, input) =>
    choice.append(new Option(`tangents for ${data.nodes[leaf].name} (forward mode)`, input)));
  choice.hidden = choice.options.length < 2;
  root.classList.add("live");
  tellValues();
  choose(REVERSE, recorded.ended ? Infinity : 0);
  restore();
  window.addEventListener("hashchange", () => root.isConnected && restore());
  button.link.addEventListener("click", copyLink);
  // A print shows the end of the sweep.
  let before = null;
  window.addEventListener("beforeprint", () => {
    before ??= at;
    go(steps.length - 1);
  });
  window.addEventListener("afterprint", () => {
    show(before ?? at);
    before = null;
  });
  let wide = root.clientWidth;
  new ResizeObserver(() => {
    if (root.clientWidth === wide) return fade(); // it is higher, because a text needs more room
    wide = root.clientWidth;
    giveRoomBack();
    zoom.resized(fit);
  }).observe(root);
}

const root = document.currentScript?.closest(".backward-player");
if (root && !root.classList.contains("live")) start(root);
