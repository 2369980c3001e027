// Starts what moves in a page, as players: those on the screen first, and each in a task of its own, so that the
// page answers meanwhile. The script of each is a function in `starts` that takes its place in the page.
document.addEventListener("DOMContentLoaded", async () => {
  "use strict";

  /** @type {Record<string, (place: HTMLElement) => void>} */
  const starts = /** @type {any} */ (window).starts ?? {};
  /** @type {(place: HTMLElement) => boolean} */
  const onScreen = (place) => {
    const { top, bottom } = /** @type {HTMLElement} */ (place.parentElement).getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll("script[data-start]");
  const first = new Set([...found].filter(onScreen));
  for (const place of [...first, ...[...found].filter((each) => !first.has(each))]) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => { // the page is laid out before
      resolve(place);
      starts[String(place.dataset.start)](place);
      place.remove();
    })));
  }
});
