// A small map of a picture that does not fit its frame: what is seen of it, to be clicked and dragged.

const MAP_SHARE = 0.6, MAP_HEIGHT = 56, MAP_LOW = 16; // of the frame's width; pixels, at most and at least

// Returns what brings the map up to date, given whether there is more than the frame shows.
/** @type {(picture: HTMLElement, svg: SVGSVGElement) => (pans: boolean) => void} */
function addMap(picture, svg) {
  const map = svgElement("svg", { class: "map", "aria-hidden": "true", preserveAspectRatio: "none" });
  const seen = svgElement("rect", { class: "seen" });
  const size = svg.viewBox.baseVal;
  let drawn = "";
  picture.after(map);

  function draw() {
    drawn = `${size.width} ${size.height}`;
    map.setAttribute("viewBox", `0 0 ${drawn}`);
    const { left, top, width } = svg.getBoundingClientRect(), scale = size.width / width;
    const bodies = findAll(svg, ".node .body").filter((each) => each.getClientRects().length);
    map.replaceChildren(...bodies.map((each) => {
      const box = each.getBoundingClientRect();
      return svgElement("rect", { x: (box.left - left) * scale, y: (box.top - top) * scale, width: box.width * scale, height: box.height * scale });
    }), seen);
  }

  /** @type {(pans: boolean) => void} */
  function update(pans) {
    map.classList.toggle("useful", pans);
    const scale = Math.min((MAP_SHARE * picture.clientWidth) / size.width, MAP_HEIGHT / size.height);
    const [width, height] = [size.width * scale, Math.max(MAP_LOW, size.height * scale)]; // a long one is stretched
    picture.style.paddingBottom = pans ? `${height + 6}px` : "";
    if (!pans) return;
    if (drawn !== `${size.width} ${size.height}`) draw();
    Object.assign(map.style, {
      width: `${width}px`, height: `${height}px`,
      left: `${picture.offsetLeft + picture.clientWidth - width - 2}px`, top: `${picture.offsetTop + picture.clientHeight - height - 2}px`,
    });
    const whole = svg.getBoundingClientRect(), frame = picture.getBoundingClientRect(), by = size.width / whole.width;
    setAttributes(seen, {
      x: Math.max(0, by * (frame.left - whole.left)), width: Math.min(size.width, by * picture.clientWidth),
      y: Math.max(0, by * (frame.top - whole.top)), height: Math.min(size.height, by * picture.clientHeight),
    });
  }

  /** @type {(event: PointerEvent) => void} */
  function lead({ clientX, clientY }) {
    const box = map.getBoundingClientRect(), whole = svg.getBoundingClientRect(), frame = picture.getBoundingClientRect();
    picture.scrollBy({
      left: whole.left + ((clientX - box.left) / box.width) * whole.width - frame.left - picture.clientWidth / 2,
      top: whole.top + ((clientY - box.top) / box.height) * whole.height - frame.top - picture.clientHeight / 2,
      behavior: "instant",
    });
  }
  map.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    map.setPointerCapture(event.pointerId);
    lead(event);
  });
  map.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) lead(event);
  });
  return update;
}
