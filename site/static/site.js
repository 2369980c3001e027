// What scrolls in a box of its own must be reachable by keyboard, and say what it is.
(() => {
  "use strict";
  const BOXES = ".bd-article :is(.cell_output div, .picture, pre, mjx-container, .pst-scrollable-table-container)";
  const reach = () => document.querySelectorAll(BOXES).forEach((box) => {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    if (!scrolls || !/auto|scroll/.test(getComputedStyle(box).overflowX)) return;
    box.tabIndex = 0;
    if (box.matches("div:not([role])")) {
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Scrolls");
    }
  });
  window.addEventListener("load", () => requestAnimationFrame(reach));
  window.addEventListener("resize", reach);
})();
