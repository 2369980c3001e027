// Shows the frames one after the other: a button, and a slider that the arrow keys move. It fetches nothing.
/** @type {HTMLElement | null | undefined} */
const root = document.currentScript?.closest(".frame-animation");
if (root && !root.classList.contains("live")) start(root);

/** @param {HTMLElement} root */
function start(root) {
  const DURATION = 250; // milliseconds a frame
  /** @type {(selector: string) => any} */
  const find = (selector) => root.querySelector(selector);
  /** @type {{ sources: string[], captions: string[] }} */
  const { sources, captions } = JSON.parse(find('script[type="application/json"]').textContent);
  /** @type {HTMLImageElement} */
  const image = find("img");
  /** @type {HTMLInputElement} */
  const slider = find("input");
  /** @type {HTMLElement[]} */
  const [caption, button, controls] = [".caption", "button", ".controls"].map(find);
  /** @type {number | undefined} */
  let timer;
  sources.push(image.src);

  /** @param {number} frame */
  function show(frame) {
    slider.value = String(frame);
    slider.setAttribute("aria-valuetext", captions[frame]);
    image.src = sources[frame];
    caption.textContent = captions[frame];
  }
  function stop() {
    clearInterval(timer);
    timer = undefined;
    button.textContent = "Play";
  }
  function next() {
    if (!root.isConnected) return stop();
    const frame = Number(slider.value) + 1;
    show(frame);
    if (frame === sources.length - 1) stop();
  }
  function play() {
    if (Number(slider.value) === sources.length - 1) show(0);
    button.textContent = "Pause";
    timer = setInterval(next, DURATION);
  }

  button.addEventListener("click", () => (timer === undefined ? play() : stop()));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  controls.hidden = false;
  root.classList.add("live");
  show(0);
}
