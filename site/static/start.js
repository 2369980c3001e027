// Starts what moves in a page, as players: those on the screen first, and each in tasks of its own, so that the page
// answers meanwhile. The script of each is a function in `starts` that takes its place in the page.
document.addEventListener("DOMContentLoaded", async () => {
  "use strict";

  /** @type {Record<string, (place: HTMLElement) => void>} */
  const starts = /** @type {any} */ (window).starts ?? {};
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("script[data-start]");
  /** @type {(place: HTMLElement) => boolean} */
  const onScreen = (place) => {
    const { top, bottom } = /** @type {HTMLElement} */ (place.parentElement).getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const first = new Set([...places].filter(onScreen));
  const tasks = [...new Set([...first, ...places])].map((place) => () => {
    starts[String(place.dataset.start)](place);
    place.remove();
  });
  /** @type {any} */ (window).inTurn = (/** @type {() => void} */ next) => tasks.unshift(next);
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); // the page is laid out before
    setTimeout(task); // where an error does not keep the others from their start
    await new Promise((resolve) => setTimeout(resolve));
  }
  delete (/** @type {any} */ (window).inTurn); // what a page gets later begins at once
});
