(() => {
  "use strict";

  // What scrolls in a box of its own must be reachable by keyboard, and say what it is. A box in a closed fold waits
  // until that opens, for to measure it is to lay out the fold.
  const BOXES = ".bd-article :is(.cell_output, .cell_output div, .picture, figure, pre, .katex-display, .pst-scrollable-table-container)";
  /** @type {(box: HTMLElement) => boolean} */
  const scrolls = (box) => (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
    && /auto|scroll/.test(getComputedStyle(box).overflowX);
  const reach = () => {
    /** @type {NodeListOf<HTMLElement>} */
    const found = document.querySelectorAll(BOXES);
    const boxes = [...found].filter((box) => !box.closest("details:not([open])"));
    for (const box of boxes.filter(scrolls)) { // all are measured before one is changed
      box.tabIndex = 0;
      if (box.matches("div:not([role])")) {
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "Scrolls");
      }
    }
  };
  new MutationObserver(reach).observe(document.documentElement, { attributeFilter: ["data-started"] }); // by start.js
  window.addEventListener("resize", reach);
  document.addEventListener("toggle", reach, { capture: true });

  // A figure shrinks to the page, but its words (10 points at 110 dots per inch) to no less than 11 pixels.
  const legible = 11 / (10 / 72 * 110);
  window.addEventListener("load", () => {
    /** @type {NodeListOf<HTMLImageElement>} */
    const figures = document.querySelectorAll('.cell_output img[src*="_images/"]');
    for (const image of figures) {
      image.style.maxWidth = `max(100%, ${Math.ceil(legible * Number(image.getAttribute("width")))}px)`;
    }
  });

  // The frames of an animation come all at once when the reader turns to it.
  /** @type {NodeListOf<HTMLElement>} */
  const animations = document.querySelectorAll(".frame-animation");
  for (const animation of animations) {
    const fetchFrames = () => {
      const { sources } = JSON.parse(animation.querySelector('script[type="application/json"]')?.textContent ?? "");
      for (const source of sources) new Image().src = source;
    };
    for (const turn of ["pointerenter", "focusin"]) animation.addEventListener(turn, fetchFrames, { once: true });
  }

  // Images further down are fetched once the reader does something: paper shows those too that nobody has scrolled to.
  const fetchImages = () => {
    for (const image of document.images) image.loading = "eager";
  };
  for (const act of ["pointermove", "pointerdown", "keydown", "wheel"]) {
    addEventListener(act, fetchImages, { once: true, passive: true });
  }

  // Paper is light and cannot be unfolded.
  /** @type {HTMLDetailsElement[]} */
  let folded = [];
  const { dataset } = document.documentElement;
  let theme = dataset.theme;
  window.addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
    folded = [...document.querySelectorAll("details")].filter((each) => !each.open);
    for (const each of folded) each.open = true;
  });
  window.addEventListener("afterprint", () => {
    dataset.theme = theme;
    for (const each of folded) each.open = false;
    folded = [];
  });
})();
