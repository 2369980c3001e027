// Plays a sweep step by step.

const SLOWEST = 1600, FASTEST = 400, WHOLE = 45000; // milliseconds a step; and about so many for a whole sweep

/** @type {(steps: Step[]) => number} */
const pace = (steps) => Math.max(FASTEST, Math.min(SLOWEST, WHOLE / steps.length));

/** @type {(root: HTMLElement, shown: Shown, button: HTMLElement, show: (to: number) => void) =>
 *   { pause: () => void, toggle: () => void }} */
function timerOf(root, shown, button, show) {
  /** @type {number | null} */
  let timer = null;
  const pause = () => {
    clearTimeout(timer ?? undefined);
    timer = null;
    root.classList.remove("playing");
    button.setAttribute("aria-label", "Play");
  };
  const played = () => shown.at >= shown.steps.length - 1;
  const tick = () => {
    if (!root.isConnected || played()) return pause();
    show(shown.at + 1);
    if (played()) return pause();
    timer = setTimeout(tick, pace(shown.steps));
  };
  const toggle = () => {
    if (timer !== null) return pause();
    root.classList.add("playing");
    button.setAttribute("aria-label", "Pause");
    if (played()) show(0);
    timer = setTimeout(tick, pace(shown.steps) / 3);
  };
  return { pause, toggle };
}
