// The player: steps through the sweeps that the page brings along. It fetches nothing and leaves no global name.
(() => {
  "use strict";

  const REVERSE = -1; // in place of an input's number
  const SLOWEST = 1600, FASTEST = 400, WHOLE = 45000; // milliseconds a step; and about so many for a whole sweep
  const LINE = 72; // characters of facts in one line
  const SHRINK = 0.75; // how far the picture may shrink; draw.py has the same
  const LEAST = 420, GAP = 14, TALL = 240; // pixels: width of the picture, space beside it, height of the table
  const MOST = 0.8; // the part of a picture for which the table makes room
  const FLIGHT = 900; // milliseconds, at most, in which a product travels along its edge
  const BRIEF = 18, LONG = 48; // characters of an array that the table writes out; of an equation in small print

  // ---- numbers and names ----------------------------------------------------------------------------------

  const spoken = (said) =>
    said === null || said === undefined ? "None"
      : typeof said === "string" ? said
      : Array.isArray(said) ? `[${said.map((row) => row.join(" ")).join("; ")}]`
      : `(${said.shape})`;
  const shapeOf = (said) => (Array.isArray(said)
    ? (said.length > 1 ? `${said.length} × ` : "") + said[0].length : said.shape);
  const isNumber = (said) => typeof said === "string";
  const isShort = (said) => isNumber(said) || (Array.isArray(said) && spoken(said).length <= BRIEF);
  const factor = (said) => (said.startsWith("−") ? `(${said})` : said);
  // A name in words has a line over it; over letters one by one the line would be ragged.
  const overlined = (text) => text.split(/((?:[^]\u0305)+)/).map((part) => {
    if (!part.includes("\u0305")) return part;
    const line = document.createElement("span");
    line.className = "over";
    line.textContent = part.replaceAll("\u0305", "");
    return line;
  });
  const counted = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
  const listed = (names) =>
    names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

  // ---- sweeps: a list of steps, each with all that it says --------------------------------------------------

  // A step has: kind, node, edge, product, total (the sum at the node afterwards), before (the sum so far).
  function backwardSteps(story) {
    const steps = [{ kind: "start" }, ...story.nodes.flatMap((entry, node) =>
      entry.leaf || !entry.named ? [] : [{ kind: "value", node }])];
    const sums = new Map();
    for (const [kind, node, edge, product, sum] of story.reverse) {
      const before = sums.get(node);
      const total = kind === "sum" ? sum : story.nodes[node].named ? before ?? product : null;
      steps.push({ kind, node, edge, product, total, before });
      sums.set(node, total);
    }
    return story.reverse.length ? [...steps, { kind: "end" }] : steps;
  }

  function forwardSteps(story, input) {
    const { leaf, products, totals } = story.forward.inputs[input];
    const steps = [{ kind: "start" }, { kind: "seeds", node: leaf }];
    const sums = new Map();
    let travelled = 0, summed = 0;
    for (const [kind, node, edge] of story.forward.steps) {
      if (kind === "seed") continue; // all seeds are one step
      const before = sums.get(node);
      if (before === undefined) steps.push({ kind: "value", node });
      const product = products[kind === "travel" ? travelled++ : travelled - 1];
      const total = kind === "sum" ? totals[summed++] : before ?? product;
      steps.push({ kind, node, edge, product, total, before });
      sums.set(node, total);
    }
    return [...steps, { kind: "end" }];
  }

  // What is known once step number `last` has been taken.
  function stateAt(story, sweep, steps, last) {
    const state = { values: new Set(), totals: new Map(), arrived: new Map(), carried: new Map(), products: 0 };
    story.nodes.forEach((entry, node) => entry.leaf && state.values.add(node));
    for (const step of steps.slice(0, last + 1)) {
      if (step.kind === "value") state.values.add(step.node);
      if (step.kind === "seeds") {
        story.nodes.forEach((entry, node) => entry.leaf && state.totals.set(node, node === step.node ? "1" : "0"));
      }
      if (step.kind === "travel") {
        state.carried.set(step.edge, step.product);
        state.arrived.set(step.node, (state.arrived.get(step.node) ?? 0) + 1);
        state.products += step.product !== null && story.nodes[step.node].named ? 1 : 0;
      }
      if (step.total !== undefined) state.totals.set(step.node, step.total);
    }
    story.nodes.forEach((entry, node) => entry.named || state.values.add(node));
    return state;
  }

  // ---- words -------------------------------------------------------------------------------------------------

  function teller(story, sweep, steps) {
    const { nodes, edges } = story;
    const backward = sweep === REVERSE;
    const name = (node) => nodes[node].name;
    const rate = (node) => nodes[node][backward ? "bar" : "dot"];
    const uses = (node) => edges.filter((edge) => (backward ? edge.source : edge.target) === node).length;
    const giver = (edge) => (backward ? edges[edge].target : edges[edge].source);
    const sums = stateAt(story, sweep, steps, steps.length - 1).totals;
    const all = stateAt(story, sweep, steps, steps.length - 1).products;
    const inputs = nodes.filter((entry) => entry.leaf).length;

    const leaves = (called, said) => {
      const equal = (told) => (isShort(told) ? `= ${spoken(told)}` : `(${shapeOf(told)})`);
      const facts = nodes.flatMap((entry, node) =>
        (entry.leaf && said(node) ? [`${called(node)} ${equal(said(node))}`] : []));
      const fit = facts.filter((_, place) =>
        facts.slice(0, place + 1).join().replaceAll("\u0305", "").length <= LINE);
      const shown = fit.length < facts.length ? [...fit, "…"] : facts;
      return shown.map((fact, place) => (place < shown.length - 1 ? `${fact},` : fact));
    };
    const equations = {
      start: () => leaves(name, (node) => nodes[node].value),
      value: ({ node }) => {
        const { formula, value } = nodes[node];
        return [name(node), ...(formula ? ["=", formula] : []), ...(value ? ["=", spoken(value)] : [])];
      },
      seed: ({ node, total }) => isNumber(total)
        ? [rate(node), "=", `∂${name(node)}/∂${name(node)}`, "=", total]
        : [rate(node), "=", spoken(total)],
      seeds: ({ node }) => leaves(rate, (other) => (other === node ? "1" : "0")),
      travel: ({ edge, product }) => {
        const { partial, local } = edges[edge], from = giver(edge), given = sums.get(from);
        if (product === null) return [];
        const left = partial.length > 1 ? partial : "local derivative";
        if (local === null || !isNumber(given)) {
          return nodes[from].named && nodes[edges[edge].source].named
            ? [`${rate(from)} · Jacobian`, "=", spoken(product)]
            : nodes[from].named ? [rate(from), "=", spoken(product)] : [`${name(from)}.backward`, "=", spoken(product)];
        }
        return backward
          ? [`${rate(from)} · ${left}`, "=", `${given} · ${factor(local)}`, "=", product]
          : [`${left} · ${rate(from)}`, "=", `${local} · ${factor(given)}`, "=", product];
      },
      sum: ({ node, before, product, total }) => isNumber(total)
        ? [rate(node), "=", `${before} + ${factor(product)}`, "=", total]
        : [rate(node), "=", "sum of both", "=", spoken(total)],
      end: () => (backward ? leaves(rate, (node) => sums.get(node))
        : [rate(story.output), "=", sums.get(story.output)]),
    };

    const incoming = (node) =>
      [...new Set(edges.filter((edge) => edge.target === node).map((edge) => name(edge.source)))];
    const completeness = (node, arrived) => {
      const missing = uses(node) - arrived;
      if (missing === 0) return backward ? "Its adjoint is complete." : "";
      return backward ? `${missing === 1 ? "One more use" : `${missing} more uses`} of it still to come.`
        : `${missing === 1 ? "One more operand" : `${missing} more operands`} to come.`;
    };
    const captions = {
      start: () => story.note || (backward
        ? "The leaves are given. First the values are computed, forward; then the adjoints, backward."
        : "The leaves are given. Forward mode carries a tangent along with each value."),
      value: ({ node }) => {
        const { value } = nodes[node];
        const sources = incoming(node).slice(0, 5);
        return `${name(node)} is computed${sources.length ? ` from ${listed(sources)}` : ""}`
          + (isNumber(value) ? `: ${value}.` : ".");
      },
      seed: ({ node, total }) => (isNumber(total)
        ? `The way back begins at the output: ${name(node)} changes as fast as itself, so the seed is ${total}.`
        : `The way back begins at the output, ${name(node)}, with an adjoint of ones.`),
      seeds: ({ node }) => `Move ${name(node)} alone: its tangent is 1, that of every other leaf is 0.`,
      travel: ({ node, edge, product, before }, arrived) => {
        const from = name(giver(edge)), to = name(node);
        if (product === null) return `Nothing flows from ${from} to ${to}: its backward returns None there.`;
        if (!nodes[node].named) return `The adjoint of ${from} goes into the backward of ${to}.`;
        const what = isNumber(product) ? product : "a vector-Jacobian product";
        const sentence = `${from} ${backward ? "hands" : "gives"} ${what} to ${to}`;
        if (before !== undefined && before !== null) {
          return `${sentence}, where ${isNumber(before) ? before : "one"} has arrived already.`;
        }
        return `${sentence}. ${completeness(node, arrived)}`.trim();
      },
      sum: ({ node, before, product, total }, arrived) => {
        const meeting = backward ? `Paths meet at ${name(node)}` : `Each operand moves ${name(node)}`;
        const sum = isNumber(total) ? `${before} and ${product} add up to ${total}` : "what they bring adds up";
        return `${meeting}: ${sum}. ${completeness(node, arrived)}`.trim();
      },
      end: () => {
        const output = name(story.output);
        if (backward) {
          const rest = story.forward && inputs > 1
            ? ` Forward mode takes ${all} for each of the ${inputs} inputs: ${all * inputs}.` : "";
          return `One sweep, ${counted(all, "product")}, every derivative of ${output}.${rest}`;
        }
        const seeded = name(story.forward.inputs[sweep].leaf);
        const rest = inputs > 1
          ? ` All ${inputs} inputs need ${inputs} sweeps, ${all * inputs} products; reverse mode takes ${all}.` : "";
        return `One sweep, ${counted(all, "product")}, one derivative: that of ${output} by ${seeded}.${rest}`;
      },
    };
    return (last) => {
      const step = steps[last];
      const arrived = stateAt(story, sweep, steps, last).arrived.get(step.node) ?? 0;
      return {
        equation: (equations[step.kind]?.(step) ?? []).filter(Boolean),
        caption: captions[step.kind](step, arrived),
        all,
      };
    };
  }

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
    <output class="place"></output><span class="count"></span><select aria-label="Sweep"></select>`;

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

  // ---- one player --------------------------------------------------------------------------------------------

  function start(root) {
    const story = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
    const find = (selector) => root.querySelector(selector);
    const controls = document.createElement("div");
    controls.className = "controls";
    controls.innerHTML = CONTROLS;
    find(".telling").after(controls);
    const scene = find(".scene"), picture = find(".picture"), svg = inlined(find(".picture > img")), ledger = find(".ledger");
    const equation = find(".equation"), caption = find(".caption"), count = find(".count");
    const slider = find("input"), place = find(".place"), choice = find("select");
    const button = { back: find("button.back"), play: find("button.play"), step: find("button.step") };
    const drawn = (key) => svg.querySelector(`[data-id="${key}"]`);
    const nodes = story.nodes.map((entry) => drawn(entry.id));
    const edges = story.edges.map((entry) => drawn(entry.id));
    const rows = story.nodes.map((_, node) => ledger.querySelector(`tr[data-node="${node}"]`));
    const names = story.nodes.flatMap(({ name }, node) => (rows[node] ? [asButton(rows[node].cells[0], name)] : []));
    const last = nodes.map((node) => [...node.querySelectorAll("text.adjoint .fact")].map((fact) => fact.textContent));
    const copies = nodes.map(({ dataset: { id } }) => [...svg.querySelectorAll(`[data-id="${id}"]`)].slice(1));
    const heading = find("th.sum");
    const token = svg.appendChild(document.createElementNS(svg.namespaceURI, "g"));
    token.setAttribute("class", "token");
    token.innerHTML = ["given", "product"].map((what) =>
      `<g class="${what}"><rect y="-10" height="20" rx="10"/><text y="4"/></g>`).join("");

    let sweep = REVERSE, steps = [], tell = null, at = 0, timer = null, longest = {}, brief = false;

    // Writes into a cell of the table: arrays in full where all of them are short, else their shape, and the
    // numbers on demand.
    function write(cell, said) {
      const full = said === undefined ? "" : spoken(said).replaceAll("; ", ";\n");
      const shape = said && !isNumber(said) && !(brief && Array.isArray(said));
      cell.textContent = shape ? shapeOf(said) : full;
      cell.classList.toggle("shape", Boolean(shape));
      if (shape && Array.isArray(said)) cell.title = full;
      else cell.removeAttribute("title");
    }

    // A sum grows: what was there stands, what arrives is added when it has arrived.
    function grow(text, { before, product }, make) {
      text.textContent = text.matches("td") ? before : ` = ${before}`;
      const arriving = text.appendChild(make());
      arriving.setAttribute("class", "arriving");
      arriving.textContent = ` + ${factor(product)}`;
    }
    const span = () => document.createElement("span");
    const tspan = () => document.createElementNS(svg.namespaceURI, "tspan");

    function setSum(node, said) {
      const group = nodes[node];
      const fact = group.querySelector("text.adjoint .fact");
      const cells = group.querySelectorAll("g.adjoint.grid text");
      if (cells.length && Array.isArray(said)) {
        // The picture lists a grid column by column.
        const across = said[0].length, down = said.length;
        for (let x = 0; x < across; x++) for (let y = 0; y < down; y++) cells[x * down + y].textContent = said[y][x];
      } else if (fact && said !== undefined) {
        fact.textContent = isNumber(said) ? ` = ${said}` : said === null ? " = None" : last[node][0];
      }
    }

    // A leaf with many uses is drawn beside each of them: all say what the first one says.
    function mirror(node) {
      const said = (group) => group.querySelectorAll(".fact, .bar, .grid text");
      for (const copy of copies[node]) {
        copy.setAttribute("class", nodes[node].getAttribute("class"));
        said(nodes[node]).forEach((part, place) => { said(copy)[place].textContent = part.textContent; });
      }
    }

    function carries(edge, state) {
      const { local, source, target } = story.edges[edge], product = state.carried.get(edge);
      const text = edges[edge].querySelector("text.product");
      if (!text || product === undefined || product === null) return;
      const given = state.totals.get(sweep === REVERSE ? target : source);
      text.textContent = local !== null && isNumber(given) ? `× ${given} = ${spoken(product)}`
        : isNumber(product) ? "→ a number" : `→ ${shapeOf(product)}`;
    }

    // The product travels along its edge: as the adjoint that it begins with, then as what that becomes.
    function send(step, given) {
      const travels = step.kind === "travel" && step.product !== null;
      token.style.offsetPath = "none";
      if (!travels) return;
      [given ?? step.product, step.product].forEach((said, half) => {
        const [shell, text] = token.children[half].children;
        text.textContent = isNumber(said) ? said : shapeOf(said);
        const wide = Math.max(22, 14 + text.getComputedTextLength());
        shell.setAttribute("width", wide);
        shell.setAttribute("x", -wide / 2);
      });
      token.style.offsetPath = `path("${edges[step.edge].querySelector("path").getAttribute("d")}")`;
      for (const animation of token.getAnimations?.({ subtree: true }) ?? []) animation.currentTime = 0;
    }

    function show(to) {
      at = Math.max(0, Math.min(steps.length - 1, to));
      const step = steps[at], state = stateAt(story, sweep, steps, at), told = tell(at);
      const moving = step.kind === "travel" || step.kind === "sum";
      const from = moving ? story.edges[step.edge][sweep === REVERSE ? "target" : "source"] : null;
      const pending = step.kind === "travel" && isNumber(step.before) && isNumber(step.product);
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
        const grows = pending && step.node === node;
        if (grows) grow(group.querySelector("text.adjoint .fact"), step, tspan);
        const cells = rows[node]?.cells;
        if (!cells) return;
        rows[node].classList.toggle("active", step.node === node);
        rows[node].classList.toggle("giving", from === node);
        rows[node].classList.toggle("known", state.values.has(node));
        write(cells[2], reached ? sum ?? null : undefined);
        if (grows) grow(cells[2], step, span);
      });
      edges.forEach((group, edge) => {
        group.classList.toggle("travelled", state.carried.has(edge));
        group.classList.toggle("active", moving && step.edge === edge);
        carries(edge, state);
      });
      nodes.forEach((_, node) => mirror(node));
      root.dataset.phase = ["start", "value"].includes(step.kind) ? "values" : sweep === REVERSE ? "adjoints" : "tangents";
      root.dataset.kind = step.kind;
      equation.replaceChildren(...told.equation.map((part, place) => {
        const span = document.createElement("span");
        span.append(...overlined(part));
        if (place > 0 && told.equation[place - 1] === "=" && place === told.equation.length - 1) span.className = "result";
        return span;
      }));
      equation.classList.toggle("long", told.equation.join(" ").length > LONG);
      caption.textContent = told.caption;
      count.textContent = told.all ? `products ${state.products} of ${told.all}` : "";
      slider.value = at;
      slider.style.setProperty("--at", `${(100 * at) / Math.max(1, steps.length - 1)}%`);
      slider.setAttribute("aria-valuetext", `step ${at} of ${steps.length - 1}`);
      place.textContent = `${at} / ${steps.length - 1}`;
      // A button that is disabled would lose the focus, and with it the keys.
      button.back.setAttribute("aria-disabled", at === 0);
      button.step.setAttribute("aria-disabled", at === steps.length - 1);
      send(step, state.totals.get(from));
      if (step.kind === "start") for (const area of [picture, ledger]) area.scrollTo(0, 0);
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
      if (row && ledger.scrollHeight > ledger.clientHeight) {
        const box = row.getBoundingClientRect(), frame = ledger.getBoundingClientRect();
        ledger.scrollBy({ top: box.top + box.height / 2 - frame.top - frame.height / 2, behavior: smooth });
      }
    }

    // The table stands beside the picture where both are legible there, or where the picture scrolls anyway and
    // would not show most of itself if it had all the room.
    function arrange() {
      root.classList.remove("stacked");
      const least = svg.viewBox.baseVal.width * SHRINK, room = scene.clientWidth;
      const beside = room - ledger.offsetWidth - GAP;
      root.classList.toggle("stacked", beside < Math.min(least, LEAST) || (least > beside && MOST * least <= room));
      const stacked = root.classList.contains("stacked") || getComputedStyle(scene).flexDirection === "column";
      const limit = Math.max(picture.clientHeight, TALL);
      ledger.style.maxHeight = stacked ? "" : ledger.scrollHeight < 1.3 * limit ? "none" : `${limit}px`;
    }

    // A side at which the picture or the table goes on is faded out.
    function fade() {
      for (const [area, start, shown, whole] of [
        [picture, picture.scrollLeft, picture.clientWidth, picture.scrollWidth],
        [ledger, ledger.scrollTop, ledger.clientHeight, ledger.scrollHeight],
      ]) {
        area.classList.toggle("before", start > 1);
        area.classList.toggle("after", start + shown < whole - 1);
      }
    }

    // Room for the longest caption and equation, so that nothing below them jumps.
    function makeRoom() {
      if (!root.clientWidth) return;
      arrange();
      fade();
      for (const [element, text] of [[caption, longest.caption], [equation, longest.equation]]) {
        const ruler = element.cloneNode(false);
        ruler.removeAttribute("aria-live");
        ruler.classList.add("ruler");
        ruler.classList.toggle("long", text.length > LONG);
        ruler.style.minHeight = "0";
        ruler.textContent = text || "x";
        element.after(ruler);
        element.style.minHeight = `${ruler.offsetHeight}px`;
        ruler.remove();
      }
    }

    function choose(which) {
      pause();
      sweep = which;
      steps = sweep === REVERSE ? backwardSteps(story) : forwardSteps(story, sweep);
      tell = teller(story, sweep, steps);
      slider.max = steps.length - 1;
      root.style.setProperty("--flight", `${Math.min(FLIGHT, 0.6 * pace())}ms`); // it arrives before the next step
      const first = steps.findIndex((step) => step.kind === "seed" || step.kind === "seeds");
      slider.style.setProperty("--turn", `${(100 * Math.max(0, first)) / Math.max(1, steps.length - 1)}%`);
      const backward = sweep === REVERSE;
      heading.textContent = backward ? "adjoint" : "tangent";
      root.classList.toggle("forward", !backward);
      nodes.forEach((group, node) => {
        const mark = group.querySelector("text.adjoint .bar");
        const { name, dot } = story.nodes[node];
        if (mark?.hasAttribute("text-decoration")) { // a name in words has a line over it, not a mark on its letter
          mark.setAttribute("text-decoration", backward ? "overline" : "none");
          mark.textContent = backward ? name : dot;
        } else if (mark) {
          mark.textContent = mark.textContent.replace(/[\u0304\u0307]/, backward ? "\u0304" : "\u0307");
        }
      });
      const sums = steps.map(({ kind, before, product, total }) =>
        (kind === "travel" && isNumber(before) && isNumber(product) ? `${before} + ${factor(product)}`
          : total && !isNumber(total) && !brief ? shapeOf(total) : spoken(total ?? "")));
      ledger.style.setProperty("--sum", `${Math.min(22, Math.max(7, ...sums.map((text) => text.length)))}ch`);
      const told = steps.map((_, step) => tell(step));
      const most = (texts) => texts.reduce((best, text) => (text.length > best.length ? text : best), "");
      longest = {
        caption: most(told.map((each) => each.caption)),
        equation: most(told.map((each) => each.equation.join(" "))),
      };
      makeRoom();
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

    for (const area of [picture, ledger]) area.addEventListener("scroll", fade, { passive: true });
    button.back.addEventListener("click", KEYS.ArrowLeft);
    button.step.addEventListener("click", KEYS.ArrowRight);
    button.play.addEventListener("click", toggle);
    slider.addEventListener("input", () => go(Number(slider.value)));
    choice.addEventListener("change", () => choose(Number(choice.value)));
    nodes.forEach((group, node) => [group, ...copies[node]].forEach((each) =>
      each.addEventListener("click", () => jump(node))));
    rows.forEach((row, node) => row?.addEventListener("click", () => jump(node)));
    names.forEach((name, place) => { name.tabIndex = place ? -1 : 0; }); // one stop, and arrows from row to row
    brief = [...story.nodes.map(({ value }) => value), ...story.reverse.flatMap((step) => step.slice(3))]
      .every((said) => !Array.isArray(said) || isShort(said));
    story.nodes.forEach(({ value }, node) => rows[node] && value && write(rows[node].cells[1], value));

    choice.append(new Option(story.reverse.length ? "values, then adjoints (reverse mode)" : "values", REVERSE));
    (story.forward?.inputs ?? []).forEach(({ leaf }, input) =>
      choice.append(new Option(`tangents for ${story.nodes[leaf].name} (forward mode)`, input)));
    choice.hidden = choice.options.length < 2;
    root.classList.add("live");
    choose(REVERSE);
    new ResizeObserver(makeRoom).observe(root);
  }

  const root = document.currentScript?.closest(".backward-player");
  if (root && !root.classList.contains("live")) start(root);
})();
