// Zoom and pan: by buttons, keys, wheel and pointer; and the whole screen.

const CLOSER = 1.25, LARGEST = 4, ENLARGED = 3; // a zoom step; the largest scale; the largest that fits a whole picture to the full screen
const OF_WINDOW = 0.6; // of the window's height, for a picture that is whole
const DRAGGED = 4, SHIFTED = 80; // pixels: from which a press is a drag; by which a key pans
/** @type {[keyof ZoomActions, string, string, string][]} */
const ZOOM_BUTTONS = [ // class, name, key, icon
  ["out", "Zoom out", "−", "M3 7h10v2H3z"],
  ["in", "Zoom in", "+", "M7 3h2v4h4v2H9v4H7V9H3V7h4z"],
  ["whole", "Fit: the whole picture, or its text in full size", "0", "M1 4h2v8H1zM13 4h2v8h-2zM6.5 5v2h3V5L13 8l-3.5 3V9h-3v2L3 8z"],
  ["screen", "Full screen", "f", "M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z"],
];

// Calls `changed` when more or less of the picture is seen. Returns `keys`; `resized`, to be called with what arranges
// the player when its width has changed; `enlarge`, to be called when the picture has another size; and `refit`, when
// it has other room.
/** @param {HTMLElement} root @param {Picture} picture @param {Element} place @param {() => void} changed */
function addZoom(root, { area: picture, svg }, place, changed) {
  const group = labelledGroup("zoom", "Zoom", "span");
  group.innerHTML = ZOOM_BUTTONS.map(([name, title, key, path]) =>
    `<button type="button" class="${name}" aria-label="${title.split(":")[0]}" title="${title} (${key})">${svgIcon(name, path)}</button>`).join("");
  place.before(group);
  const size = svg.viewBox.baseVal; // it grows when a group is unfolded
  const inFullScreen = () => document.fullscreenElement === root;
  const scale = () => svg.getBoundingClientRect().width / size.width;
  const whole = () => Math.min(picture.clientWidth / size.width, picture.clientHeight / size.height, inFullScreen() ? ENLARGED : 1);
  /** @type {(to: number) => void} */
  const setScale = (to) => { svg.style.cssText = `width:${to * size.width}px;height:${to * size.height}px;max-width:none;min-width:0`; };
  const setLegible = () => {
    setScale(Math.max(smallestScale(root), Math.min(1, picture.clientWidth / size.width, (OF_WINDOW * innerHeight) / size.height)));
  };

  // What lies at a point of the picture's box stays there.
  /** @type {(wanted: number, x?: number, y?: number) => void} */
  function zoomTo(wanted, x = picture.clientWidth / 2, y = picture.clientHeight / 2) {
    picture.style.height ||= `${picture.offsetHeight}px`; // the buttons must not move while they are clicked
    const before = svg.getBoundingClientRect(), frame = picture.getBoundingClientRect();
    const to = Math.max(Math.min(whole(), scale()), Math.min(LARGEST, wanted));
    picture.classList.add("zoomed");
    setScale(to);
    const after = svg.getBoundingClientRect();
    picture.scrollLeft += after.left + ((frame.left + x - before.left) / before.width) * after.width - frame.left - x;
    picture.scrollTop += after.top + ((frame.top + y - before.top) / before.height) * after.height - frame.top - y;
    changed();
  }
  function reset() {
    setLegible();
    picture.style.height = "";
    picture.classList.remove("zoomed");
    changed();
  }
  const isWhole = () => picture.classList.contains("zoomed") && Math.abs(scale() - whole()) < 0.005;
  const fit = () => (isWhole() && !inFullScreen() ? reset() : zoomTo(whole()));
  /** @type {(factor: number) => void} */
  const closer = (factor) => zoomTo(scale() * factor);
  /** @type {(x: number, y: number) => void} */
  const pan = (x, y) => picture.scrollBy(x * SHIFTED, y * SHIFTED);
  const fill = () => (inFullScreen() ? document.exitFullscreen() : root.requestFullscreen?.());

  /** @type {ZoomActions} */
  const act = { in: () => closer(CLOSER), out: () => closer(1 / CLOSER), whole: fit, screen: fill };
  for (const [name] of ZOOM_BUTTONS) find(group, `.${name}`).addEventListener("click", act[name]);
  find(group, ".screen").hidden = !document.fullscreenEnabled;

  picture.addEventListener("wheel", (event) => { // a pinch on a touchpad is one with ctrl
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const frame = picture.getBoundingClientRect();
    const factor = Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 200);
    zoomTo(scale() * factor, event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });

  // A drag with the mouse pans; a finger scrolls anyway.
  /** @type {{ clientX: number, clientY: number, left: number, top: number } | null} */
  let from = null;
  picture.addEventListener("pointerdown", ({ button, pointerType, clientX, clientY }) => {
    const scrolls = picture.scrollWidth > picture.clientWidth || picture.scrollHeight > picture.clientHeight;
    if (button === 0 && pointerType === "mouse" && scrolls) from = { clientX, clientY, left: picture.scrollLeft, top: picture.scrollTop };
  });
  picture.addEventListener("pointermove", ({ pointerId, clientX, clientY, buttons }) => {
    if (!(buttons & 1)) from = null;
    if (!from) return;
    const [x, y] = [clientX - from.clientX, clientY - from.clientY];
    if (!picture.classList.contains("dragged") && Math.hypot(x, y) < DRAGGED) return;
    picture.classList.add("dragged");
    picture.setPointerCapture(pointerId);
    picture.scrollTo({ left: from.left - x, top: from.top - y, behavior: "instant" });
  });
  for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => {
    from = null;
    setTimeout(() => picture.classList.remove("dragged")); // after the click that ends a drag
  });
  picture.addEventListener("click", (event) => picture.classList.contains("dragged") && event.stopPropagation(), true);

  /** @type {(width: number, height: number) => void} */
  function enlarge(width, height) {
    const before = scale();
    setAttributes(svg, { width, height });
    Object.assign(size, { width, height });
    if (picture.classList.contains("zoomed")) setScale(before);
    else setLegible();
  }

  return {
    enlarge,
    refit: () => { if (!picture.classList.contains("zoomed")) setLegible(); },
    /** @param {() => void} arrange */
    resized(arrange) {
      reset();
      arrange();
      if (inFullScreen() && whole() > scale()) zoomTo(whole()); // a wider one stays legible
    },
    /** @type {{ [key: string]: () => void }} */
    keys: {
      "+": act.in, "=": act.in, "-": act.out, 0: fit, f: fill,
      "Shift+ArrowLeft": () => pan(-1, 0), "Shift+ArrowRight": () => pan(1, 0),
      "Shift+ArrowUp": () => pan(0, -1), "Shift+ArrowDown": () => pan(0, 1),
    },
  };
}
