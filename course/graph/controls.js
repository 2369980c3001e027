// The controls below the picture: only a script has a use for them.

const ICONS = {
  back: "M5 3h2v10H5zM14 3v10L7.5 8z",
  play: "M4 2.5v11L13.5 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M9 3h2v10H9zM2 3v10l6.5-5z",
  more: "M3 6.5h3v3H3zM7 6.5h3v3H7zM11 6.5h3v3h-3z",
  link: "M7 4.5 8.8 2.7a3.2 3.2 0 0 1 4.5 4.5L10.6 9.9a3.2 3.2 0 0 1-4.6-.1l1.1-1.1a1.7 1.7 0 0 0 2.4.1l2.7-2.7a1.7 1.7 0 0 0-2.4-2.4L8.1 5.4zM9 11.5l-1.8 1.8a3.2 3.2 0 0 1-4.5-4.5l2.7-2.7a3.2 3.2 0 0 1 4.6.1L8.9 7.3a1.7 1.7 0 0 0-2.4-.1L3.8 9.9a1.7 1.7 0 0 0 2.4 2.4l1.7-1.7z",
};
/** @type {(name: string, path: string) => string} */
const svgIcon = (name, path) =>
  `<svg class="${name}" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
/** @type {(name: keyof typeof ICONS) => string} */
const icon = (name) => svgIcon(name, ICONS[name]);
const CONTROLS = `
  <button type="button" class="back" aria-label="Step back" title="Step back (←)">${icon("back")}</button>
  <button type="button" class="play" aria-label="Play" title="Play or pause (space)">
    ${icon("play")}${icon("pause")}</button>
  <button type="button" class="step" aria-label="Step" title="Step (→)">${icon("step")}</button>
  <input type="range" min="0" value="0" aria-label="Step">
  <span class="roomy"><output class="place"></output></span>
  <button type="button" class="more" aria-label="More" title="More" aria-expanded="false">${icon("more")}</button>
  <span class="rare"><span class="roomy"><span class="count"></span></span>
  <select aria-label="Sweep"></select>
  <button type="button" class="link" aria-label="Copy a link to this state" title="Copy a link to this state">
    ${icon("link")}</button></span><span class="copied" role="status"></span>`;

/** @type {(products: number, all: number) => string} */
const counting = (products, all) => (all ? `products ${products} of ${all}` : "");
/** @type {(step: number, steps: Step[]) => string} */
const placing = (step, steps) => `${step} / ${steps.length - 1}`;

/** @param {HTMLElement} root @param {Graph} recorded */
function addControls(root, { nodes, reverse, forward, overwriting }) {
  const area = written("div", "", "controls");
  area.innerHTML = CONTROLS;
  find(root, ".texts").after(area);
  /** @type {HTMLInputElement} */
  const slider = find(area, "input");
  /** @type {HTMLSelectElement} */
  const choice = find(area, "select");
  const [back, play, step, more, link] = findAll(area, "button");
  const place = find(area, ".place"), count = find(area, ".count"), copied = find(area, ".copied");
  choice.append(new Option(reverse.length ? "adjoints (reverse mode)" : "values", String(REVERSE)));
  if (overwriting) choice.append(new Option("adjoints with = for +=", String(OVERWRITING)));
  forward?.inputs.forEach(({ leaf }, input) =>
    choice.append(new Option(`tangents for ${nodes[leaf].name} (forward mode)`, String(input))));
  choice.hidden = choice.options.length < 2;

  // Where the page is narrow a button shows what is rarely needed, until the focus leaves or Escape is pressed.
  /** @type {(open: boolean) => void} */
  const expand = (open) => more.setAttribute("aria-expanded", String(open));
  more.addEventListener("click", () => expand(more.getAttribute("aria-expanded") === "false"));
  area.addEventListener("focusout", ({ relatedTarget }) => area.contains(/** @type {Node | null} */ (relatedTarget)) || expand(false));
  area.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || more.getAttribute("aria-expanded") === "false") return;
    expand(false);
    more.focus();
  });

  /** @type {(shown: Shown, products: number, all: number) => void} */
  function show({ at, steps }, products, all) {
    const last = steps.length - 1;
    count.textContent = counting(products, all);
    slider.value = String(at);
    slider.style.setProperty("--at", `${(100 * at) / Math.max(1, last)}%`);
    slider.setAttribute("aria-valuetext", `step ${at} of ${last}`);
    place.textContent = placing(at, steps);
    // A button that is disabled would lose the focus, and with it the keys.
    back.setAttribute("aria-disabled", String(at === 0));
    step.setAttribute("aria-disabled", String(at === last));
  }
  /** @type {(shown: Shown) => void} */
  function showSweep({ data, sweep, steps }) {
    choice.value = String(data.overwriting ? OVERWRITING : sweep);
    slider.max = String(steps.length - 1);
    const first = steps.findIndex(({ kind }) => kind === "seed" || kind === "seeds");
    slider.style.setProperty("--turn", `${(100 * Math.max(0, first)) / Math.max(1, steps.length - 1)}%`);
  }
  return { slider, choice, back, play, step, link, place, count, copied, show, showSweep };
}
