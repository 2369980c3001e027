// The player: shows the steps of steps.js in the page. It fetches nothing.

const SLOWEST = 1600, FASTEST = 400, WHOLE = 45000; // milliseconds a step; and about so many for a whole sweep
const SHRINK = 0.75; // how far the picture may shrink; draw.py has the same
const LEAST = 420, GAP = 14, TALL = 240; // pixels: width of the picture, space beside it, height of the table
const MOST = 0.8; // the part of a picture for which the table makes room
const FLIGHT = 900; // milliseconds, at most, in which a product travels along its edge
const LONG = 48; // characters of an equation in small print

// ---- controls: only a script has a use for them -------------------------------------------------------------

const ICONS = {
  back: "M5 3h2v10H5zM14 3v10L7.5 8z",
  play: "M4 2.5v11L13.5 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M9 3h2v10H9zM2 3v10l6.5-5z",
};
const icon = (name) =>
  `<svg class="${name}" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const CONTROLS = `
  <button type="button" class="back" aria-label="Step back" title="Step back (←)">${icon("back")}</button>
  <button type="button" class="play" aria-label="Play" title="Play or pause (space)">
    ${icon("play")}${icon("pause")}</button>
  <button type="button" class="step" aria-label="Step" title="Step (→)">${icon("step")}</button>
  <input type="range" min="0" value="0" aria-label="Step">
  <span class="roomy"><output class="place"></output></span><span class="roomy"><span class="count"></span></span>
  <select aria-label="Sweep"></select>`;

// The picture comes as an image; a part of the page, it takes the page's colours and can be changed.
function inlined(image) {
  const source = image.getAttribute("src"), holder = document.createElement("div");
  holder.innerHTML = decodeURIComponent(source.slice(source.indexOf(",") + 1));
  const [svg] = holder.children;
  svg.style = image.getAttribute("style");
  image.replaceWith(svg);
  return svg;
}

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

// A text that changes as one steps has room from the start for all that it will ever say: every text is laid out
// over it, unseen, in the same cell of a grid. The browser measures them, whatever the font and the width.
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

// ---- one player --------------------------------------------------------------------------------------------

function start(root) {
  const data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const find = (selector) => root.querySelector(selector);
  const controls = document.createElement("div");
  controls.className = "controls";
  controls.innerHTML = CONTROLS;
  find(".texts").after(controls);
  const views = find(".views"), picture = find(".picture"), svg = inlined(find(".picture > img"));
  const table = find(".numbers");
  const equation = find(".equation"), caption = find(".caption"), count = find(".count");
  const slider = find("input"), place = find(".place"), choice = find("select");
  const button = { back: find("button.back"), play: find("button.play"), step: find("button.step") };
  const drawn = (key) => svg.querySelector(`[data-id="${key}"]`);
  const nodes = data.nodes.map((entry) => drawn(entry.id));
  const edges = data.edges.map((entry) => drawn(entry.id));
  const rows = data.nodes.map((_, node) => table.querySelector(`tr[data-node="${node}"]`));
  const names = data.nodes.flatMap(({ name }, node) => (rows[node] ? [asButton(rows[node].cells[0], name)] : []));
  const last = nodes.map((node) => [...node.querySelectorAll("text.adjoint .fact")].map((fact) => fact.textContent));
  const copies = nodes.map(({ dataset: { id } }) => [...svg.querySelectorAll(`[data-id="${id}"]`)].slice(1));
  const sums = rows.map((row) => row && asRoomy(row.cells[2]));
  const heading = find("th.sum");
  const token = svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
  token.setAttribute("class", "token");
  token.innerHTML = ["given", "product"].map((what) =>
    `<g class="${what}"><rect y="-10" height="20" rx="10"/><text y="4"/></g>`).join("");

  let sweep = REVERSE, steps = [], describe = null, at = 0, timer = null, brief = false;

  // The table has arrays in full where all of them are short, else their shape, and the numbers on demand.
  const byShape = (quantity) => Boolean(quantity) && !isNumber(quantity) && !(brief && Array.isArray(quantity));
  const inFull = (quantity) => phrase(quantity).replaceAll("; ", ";\n");
  const inTable = (quantity) => (quantity === undefined ? "" : byShape(quantity) ? shapeOf(quantity) : inFull(quantity));
  function write(cell, now, quantity) {
    now.textContent = inTable(quantity);
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
  const tspan = () => document.createElementNS(svg.namespaceURI, "tspan");

  function setSum(node, quantity) {
    const group = nodes[node];
    const fact = group.querySelector("text.adjoint .fact");
    const cells = group.querySelectorAll("g.adjoint.grid text");
    if (cells.length && Array.isArray(quantity)) {
      // The picture lists a grid column by column.
      const across = quantity[0].length, down = quantity.length;
      for (let x = 0; x < across; x++) for (let y = 0; y < down; y++) cells[x * down + y].textContent = quantity[y][x];
    } else if (fact && quantity !== undefined) {
      fact.textContent = isNumber(quantity) ? ` = ${quantity}` : quantity === null ? " = None" : last[node][0];
    }
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
      : isNumber(product) ? "→ a number" : `→ ${shapeOf(product)}`;
  }

  // The product travels along its edge: as the adjoint that it begins with, then as what that becomes.
  function send(step, given) {
    const travels = step.kind === "travel" && step.product !== null;
    token.style.offsetPath = "none";
    if (!travels) return;
    [given ?? step.product, step.product].forEach((quantity, half) => {
      const [shell, text] = token.children[half].children;
      text.textContent = isNumber(quantity) ? quantity : shapeOf(quantity);
      const wide = Math.max(22, 14 + text.getComputedTextLength());
      shell.setAttribute("width", wide);
      shell.setAttribute("x", -wide / 2);
    });
    token.style.offsetPath = `path("${edges[step.edge].querySelector("path").getAttribute("d")}")`;
    for (const animation of token.getAnimations?.({ subtree: true }) ?? []) animation.currentTime = 0;
  }

  function equate(line, parts) {
    line.replaceChildren(...parts.map((part, place) => {
      const span = document.createElement("span");
      span.append(...overlined(part));
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
      setSum(node, ended && sum === undefined ? null : sum);
      const growing = grows(step) && step.node === node;
      if (growing) grow(group.querySelector("text.adjoint .fact"), step, tspan);
      const cells = rows[node]?.cells;
      if (!cells) return;
      rows[node].classList.toggle("active", step.node === node);
      rows[node].classList.toggle("giving", from === node);
      rows[node].classList.toggle("known", state.values.has(node));
      write(cells[2], sums[node], reached ? sum ?? null : undefined);
      if (growing) grow(sums[node], step, span);
    });
    edges.forEach((group, edge) => {
      group.classList.toggle("travelled", state.carried.has(edge));
      group.classList.toggle("active", moving && step.edge === edge);
      carries(edge, state);
    });
    nodes.forEach((_, node) => mirror(node));
    root.dataset.phase = ["start", "value"].includes(step.kind) ? "values" : sweep === REVERSE ? "adjoints" : "tangents";
    root.dataset.kind = step.kind;
    equate(equation, said.equation);
    caption.textContent = said.caption;
    count.textContent = counting(state.products, said.all);
    slider.value = at;
    slider.style.setProperty("--at", `${(100 * at) / Math.max(1, steps.length - 1)}%`);
    slider.setAttribute("aria-valuetext", `step ${at} of ${steps.length - 1}`);
    place.textContent = placing(at);
    // A button that is disabled would lose the focus, and with it the keys.
    button.back.setAttribute("aria-disabled", at === 0);
    button.step.setAttribute("aria-disabled", at === steps.length - 1);
    send(step, state.totals.get(from));
    if (step.kind === "start") for (const area of [picture, table]) area.scrollTo(0, 0);
    else if (!ended) follow(moving && fits(edges[step.edge]) ? edges[step.edge] : nodes[step.node], rows[step.node]);
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
    root.classList.remove("stacked");
    const least = svg.viewBox.baseVal.width * SHRINK, room = views.clientWidth;
    const beside = room - table.offsetWidth - GAP;
    root.classList.toggle("stacked", beside < Math.min(least, LEAST) || (least > beside && MOST * least <= room));
    const stacked = root.classList.contains("stacked") || getComputedStyle(views).flexDirection === "column";
    const limit = Math.max(picture.clientHeight, TALL);
    table.style.maxHeight = stacked ? "" : table.scrollHeight < 1.3 * limit ? "none" : `${limit}px`;
  }

  // A side at which the picture or the table goes on is faded out.
  function fade() {
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
      if (step.total !== undefined) texts[step.node].add(inTable(step.total));
      if (step.kind === "seeds") texts.forEach((each) => each.add("0"));
      if (step.kind === "end") texts.filter((each) => !each.size).forEach((each) => each.add(inTable(null)));
    }
    const growing = (node) => steps.filter((step) => grows(step) && step.node === node);
    sums.forEach((now, node) => now && reserve(now, ["span", "b"].flatMap((tag) => [ // bold at the node's own steps
      ...[...texts[node]].map((text) => written(tag, text)),
      ...growing(node).map((step) => grow(written(tag, ""), step, span)),
    ])));
  }

  function choose(which) {
    pause();
    sweep = which;
    steps = sweep === REVERSE ? backwardSteps(data) : forwardSteps(data, sweep);
    describe = describer(data, sweep, steps);
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
    makeRoom();
    fit();
    show(0);
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
  };
  // Notebooks listen at the document before the player would: listen at the window, while focus is inside.
  function onKey(event) {
    if (!root.contains(event.target)) return window.removeEventListener("keydown", onKey, true);
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const kind = event.target.tagName, vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
    const native = kind === "SELECT" ? vertical || event.key in KEYS || event.key === "Enter"
      : kind === "BUTTON" ? event.key === " " || event.key === "Enter"
      : kind === "INPUT" && vertical;
    const next = vertical && names[names.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
    const roves = names.includes(event.target) && vertical;
    if (!native && !roves && !(event.key in KEYS)) return;
    event.stopPropagation();
    if (native) return;
    event.preventDefault();
    if (!roves) return KEYS[event.key]();
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  root.addEventListener("focusin", () => window.addEventListener("keydown", onKey, true));
  root.addEventListener("focusout", (event) =>
    root.contains(event.relatedTarget) || window.removeEventListener("keydown", onKey, true));

  for (const area of [picture, table]) area.addEventListener("scroll", fade, { passive: true });
  button.back.addEventListener("click", KEYS.ArrowLeft);
  button.step.addEventListener("click", KEYS.ArrowRight);
  button.play.addEventListener("click", toggle);
  slider.addEventListener("input", () => go(Number(slider.value)));
  choice.addEventListener("change", () => choose(Number(choice.value)));
  nodes.forEach((group, node) => [group, ...copies[node]].forEach((each) =>
    each.addEventListener("click", () => jump(node))));
  rows.forEach((row, node) => row?.addEventListener("click", () => jump(node)));
  names.forEach((name, place) => { name.tabIndex = place ? -1 : 0; }); // one stop, and arrows from row to row
  brief = [...data.nodes.map(({ value }) => value), ...data.reverse.flatMap((step) => step.slice(3))]
    .every((quantity) => !Array.isArray(quantity) || isShort(quantity));
  data.nodes.forEach(({ value }, node) => rows[node] && value && write(rows[node].cells[1], rows[node].cells[1], value));

  choice.append(new Option(data.reverse.length ? "values, then adjoints (reverse mode)" : "values", REVERSE));
  (data.forward?.inputs ?? []).forEach(({ leaf }, input) =>
    choice.append(new Option(`tangents for ${data.nodes[leaf].name} (forward mode)`, input)));
  choice.hidden = choice.options.length < 2;
  root.classList.add("live");
  choose(REVERSE);
  new ResizeObserver(fit).observe(root);
}

const root = document.currentScript?.closest(".backward-player");
if (root && !root.classList.contains("live")) start(root);
