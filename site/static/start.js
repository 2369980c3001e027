// Lays out and starts a page in small tasks, between which it answers. First come the players and animations on the
// screen, then the sections below (site.css), then the other players. The script of each player is a function in
// `starts`, which takes its place in the page.
document.addEventListener("DOMContentLoaded", async () => {
  "use strict";

  /** @type {Record<string, (place: HTMLElement) => void>} */
  const starts = /** @type {any} */ (window).starts ?? {};
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("script[data-start]");
  /** @type {NodeListOf<HTMLElement>} */
  const sections = document.querySelectorAll(".bd-article > section > section");
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  /** @type {(place: HTMLElement) => boolean} */
  const onScreen = ({ parentElement }) => {
    if (!parentElement?.checkVisibility({ contentVisibilityAuto: true })) return false; // to measure it is to lay it out
    const { top, bottom } = parentElement.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  /** @type {(place: HTMLElement) => () => void} */
  const starting = (place) => () => {
    starts[String(place.dataset.start)](place);
    place.remove();
  };
  await frame();
  const first = [...places].filter(onScreen), others = [...places].filter((place) => !first.includes(place));
  const tasks = [
    ...first.map(starting),
    ...[...sections].map((section) => () => section.classList.add("laid-out")),
    ...others.map(starting),
  ];
  /** @type {any} */ (window).inTurn = (/** @type {() => void} */ next) => tasks.unshift(next);
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    await frame(); // what was changed is laid out
    setTimeout(task); // where an error does not keep the others from their start
    await new Promise((resolve) => setTimeout(resolve));
  }
  delete (/** @type {any} */ (window).inTurn); // what a page gets later begins at once
  document.documentElement.dataset.started = "";
});
