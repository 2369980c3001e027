// Starts a player: shows the steps of a sweep in the page, and follows what the reader does. It fetches nothing.

const FLIGHT = 900; // milliseconds, at most, in which a product travels along its edge
const PREPARED = 100; // steps for which there is time to lay out all texts while a leaf is dragged

// The data of a player, with the numbers of forward mode, which the page computes where it can.
/** @type {(root: HTMLElement) => Graph} */
function dataOf(root) {
  const data = completed(JSON.parse(find(root, 'script[type="application/json"]').textContent)), { live } = data;
  const graph = live && { ...data, live };
  return graph ? { ...data, forward: inForward(data, derivatives(graph, evaluate(live, recordedLeaves(live)))) } : data;
}

/** @type {(root: HTMLElement) => void} */
function startPlayer(root) {
  const recorded = dataOf(root), { live } = recorded;
  const shown = /** @type {Shown} */ ({ recorded, data: recorded, sweep: REVERSE, at: 0 }); // the rest by `choose`
  const controls = addControls(root, recorded), picture = pictureOf(root, shown), table = tableOf(root, shown);
  const texts = textsOf(root, shown), room = keptRoom(root), send = addToken(picture, shown), squeeze = squeezer(picture);
  const handles = live && addHandles(root, { ...recorded, live }, retell);
  const fade = fader(picture, table.area), zoom = addZoom(root, picture, controls.link, fade);
  const arrange = arranger(root, table.area, recorded.code && codeOf(recorded.code, recorded.nodes), turner(picture, recorded.tall, zoom.enlarge));
  /** @type {Layer["all"]} */
  const groups = recorded.folds ? unfoldable(picture, shown, zoom, fade) : new Map(); // else the page has no folds.js
  const { pause, toggle } = timerOf(root, shown, controls.play, show);

  /** @type {(to: number) => void} */
  function show(to) {
    const { data, sweep, steps, describe } = shown, at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[at], state = stateAt(data, steps, at), said = describe(at);
    const giver = typeof step.edge === "number" ? data.edges[step.edge][sweep === REVERSE ? "target" : "source"] : null;
    shown.at = at;
    picture.show(step, state, giver);
    table.show(step, state, giver);
    root.dataset.phase = ["start", "value"].includes(step.kind) ? "values" : sweep === REVERSE ? "adjoints" : "tangents";
    root.dataset.kind = step.kind;
    texts.show(said);
    controls.show(shown, state.products, said.all);
    squeeze(Boolean(recorded.tall) || data !== recorded || sweep !== REVERSE);
    send(step, giver === null ? null : state.totals.get(giver));
    if (step.kind === "start") for (const area of [picture.area, table.area]) area.scrollTo(0, 0);
    else follow(picture, table, step);
  }
  function rebuild() {
    const { data, sweep } = shown;
    shown.steps = sweep === REVERSE || !data.forward ? backwardSteps(data) : forwardSteps(data, data.forward, sweep);
    shown.describe = describer(data, sweep, shown.steps);
    if (data === recorded || shown.steps.length <= PREPARED) makeRoom(shown, texts, controls, table, Boolean(handles));
  }
  function showValues() {
    picture.showValues();
    table.showValues();
  }
  function fit() {
    if (!root.clientWidth) return;
    arrange();
    zoom.refit();
    fade();
  }
  // The numbers for these leaves, and with = in place of += for a sweep that overwrites; undefined is as it was.
  /** @type {(leaves?: Leaves, overwriting?: boolean) => void} */
  function renumber(leaves, overwriting = Boolean(shown.data.overwriting)) {
    const moved = handles?.moved() ?? new Map();
    shown.data = live && (moved.size || overwriting !== Boolean(recorded.overwriting))
      ? retold({ ...recorded, live, overwriting }, leaves ?? new Map([...recordedLeaves(live), ...moved])) : recorded;
  }
  /** @type {(chosen: number) => void} */
  function prepare(chosen) {
    pause();
    const sweep = shown.sweep = Math.max(REVERSE, chosen);
    renumber(undefined, chosen === OVERWRITING);
    rebuild();
    controls.showSweep(shown);
    picture.showSweep();
    table.showSweep();
    root.style.setProperty("--flight", `${Math.min(FLIGHT, 0.6 * pace(shown.steps))}ms`); // it arrives before the next step
    root.classList.toggle("forward", sweep !== REVERSE);
  }
  /** @type {(chosen: number, to?: number) => void} */
  function choose(chosen, to = 0) {
    prepare(chosen);
    fit();
    show(to);
  }
  // Other values of the leaves: the same step of the same sweep, with other numbers.
  /** @type {(leaves: Leaves) => void} */
  function retell(leaves) {
    pause();
    room.keep();
    renumber(leaves);
    showValues();
    rebuild();
    show(shown.at);
    room.keep();
  }
  /** @type {(to: number) => void} */
  function go(to) {
    pause();
    show(to);
  }
  const prefix = () => nameInLinks(root, recorded.title);
  async function restore() {
    const said = readLink(location.hash, prefix(), recorded);
    if (!said) return;
    handles?.set(said.leaves);
    choose(said.sweep, said.step);
    root.scrollIntoView({ block: "nearest" });
    if (!groups.size) return;
    await turnAll(groups, said.unfolded);
    show(shown.at);
  }

  const keys = {
    ArrowRight: () => go(shown.at + 1),
    ArrowLeft: () => go(shown.at - 1),
    " ": toggle,
    Home: () => go(0),
    End: () => go(shown.steps.length - 1),
    ...zoom.keys,
  };
  // A page with much in it may take each of these in a task of its own, to answer meanwhile.
  const inTurn = window.inTurn ?? ((next) => next());
  const start = readLink(recorded.start, "", recorded);
  inTurn(() => {
    listenToKeys(root, keys, () => [table.names, foldButtons(picture)]);
    linkUp(root, recorded, picture, table, (node) => go(stepOf(shown, node)));
    listenToPage(root, shown, go, show, fade, () => {
      room.giveBack();
      zoom.resized(fit);
    });
    for (const area of [picture.area, table.area]) area.addEventListener("scroll", fade, { passive: true });
    controls.back.addEventListener("click", keys.ArrowLeft);
    controls.step.addEventListener("click", keys.ArrowRight);
    controls.play.addEventListener("click", toggle);
    controls.slider.addEventListener("input", () => go(Number(controls.slider.value)));
    controls.choice.addEventListener("change", () => choose(Number(controls.choice.value)));
    controls.link.addEventListener("click", () => {
      const { sweep: shownSweep, at: step } = shown, leaves = handles?.moved() ?? new Map();
      const sweep = shown.data.overwriting ? OVERWRITING : shownSweep;
      copyLink(writeLink(prefix(), recorded, { leaves, sweep, step, unfolded: groups.size ? unfoldedIn(groups) : [] }), controls.copied);
    });
    root.classList.add("live");
    showValues();
    prepare(start?.sweep ?? REVERSE);
    inTurn(() => {
      fit();
      show(start?.step ?? 0);
      restore();
      window.addEventListener("hashchange", () => root.isConnected && restore());
    });
  });
}

// Listens to prints, which show the end of the sweep, and to other sizes of the player.
/** @type {(root: HTMLElement, shown: Shown, go: (to: number) => void, show: (to: number) => void,
 *   higher: () => void, wider: () => void) => void} */
function listenToPage(root, shown, go, show, higher, wider) {
  /** @type {number | null} */
  let before = null;
  window.addEventListener("beforeprint", () => {
    before ??= shown.at;
    go(shown.steps.length - 1);
  });
  window.addEventListener("afterprint", () => {
    show(before ?? shown.at);
    before = null;
  });
  let wide = root.clientWidth;
  new ResizeObserver(() => {
    if (root.clientWidth === wide) return higher(); // because a text needs more room
    wide = root.clientWidth;
    wider();
  }).observe(root);
}

/** @type {HTMLElement | null | undefined} */
const player = document.currentScript?.closest(".backward-player");
if (player && !player.classList.contains("live")) startPlayer(player);
