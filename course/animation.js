// Shows the frames one after the other: a button, and a slider that the arrow keys move. It fetches nothing.
const root = document.currentScript?.closest(".frame-animation");
if (root && !root.classList.contains("live")) start(root);

function start(root) {
  const DURATION = 250; // milliseconds a frame
  const { sources, captions } = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const [image, caption, button, slider] = ["img", ".caption", "button", "input"].map((s) => root.querySelector(s));
  let timer = null;
  sources.push(image.getAttribute("src"));

  function show(frame) {
    slider.value = frame;
    slider.setAttribute("aria-valuetext", captions[frame]);
    image.src = sources[frame];
    caption.textContent = captions[frame];
  }
  function stop() {
    clearInterval(timer);
    timer = null;
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

  button.addEventListener("click", () => (timer === null ? play() : stop()));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  root.querySelector(".controls").hidden = false;
  root.classList.add("live");
  show(sources.length - 1);
}
