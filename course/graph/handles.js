// The handles of the leaves: a slider and a field for a number, a field for each entry of a small array.

const FIELDS = 12; // entries of an array that has handles
const MARKS = 100; // steps from one end of a slider to the other
const ROUND = [1, 2, 5, 10];

// A slider goes to a round number beyond twice the value, and as far the other way.
/** @type {(x: number) => [number, number]} */
function rangeAround(x) {
  const reach = 2 * Math.max(1, Math.abs(Number.isFinite(x) ? x : 1)), power = 10 ** Math.floor(Math.log10(reach));
  const end = power * Number(ROUND.find((each) => each * power >= reach * (1 - 1e-9)));
  return [-end, end];
}
/** @type {(x: number) => string} */
const typed = (x) => String(Number(x.toPrecision(12))); // what was 0.1 + 0.2 is 0.3 in a field

/** @typedef {(place: number, x: number) => void} EnterNumber */

// Puts the handles below the views and calls `changed` with the values of all leaves, a map from places to arrays.
// Returns what shows other values in them; null where no leaf has a handle.
/** @param {HTMLElement} root @param {LiveGraph} graph @param {(leaves: Leaves) => void} changed */
function addHandles(root, { nodes, live }, changed) {
  const recorded = recordedLeaves(live);
  const movable = [...recorded].filter(([, { entries }]) => entries.length <= FIELDS && entries.length);
  if (!movable.length) return null;
  let leaves = new Map(recorded);
  /** @type {(leaf: number) => Entries} */
  const valueOf = (leaf) => leaves.get(leaf) ?? filled([], NaN);
  const area = labelledGroup("handles", "Values of the leaves");
  const fields = new Map(movable.map(([leaf, array]) => [leaf, addHandle(area, nodes[leaf].name, array, live.nodes[leaf].range, enter(leaf))]));
  const reset = Object.assign(written("button", "Reset", "reset"), { type: "button", title: "The values as they were recorded" });
  area.append(reset);
  find(root, ".views").after(area);

  /** @type {(leaf: number) => EnterNumber} */
  function enter(leaf) {
    return (place, x) => {
      const { shape, entries } = valueOf(leaf);
      leaves = new Map(leaves).set(leaf, { shape, entries: entries.map((old, at) => (at === place ? x : old)) });
      changed(leaves);
      mark();
    };
  }
  // The leaves that are not as they were recorded.
  const moved = () => new Map(movable.flatMap(([leaf, { entries }]) =>
    {
    const now = valueOf(leaf);
    return now.entries.every((x, at) => Object.is(x, entries[at])) ? [] : [/** @type {[number, Entries]} */ ([leaf, now])];
  }));
  const mark = () => reset.classList.toggle("useful", moved().size > 0);
  /** @type {(given: Iterable<[number, Entries]>) => void} */
  function set(given) {
    leaves = new Map([...recorded, ...given]);
    for (const [leaf, handle] of fields) handle(valueOf(leaf).entries);
    changed(leaves);
    mark();
  }
  reset.addEventListener("click", () => {
    set([]);
    find(area, "input").focus();
  });
  return { set, moved };
}

// Returns what writes other entries into the fields of one leaf.
/** @type {(area: HTMLElement, name: string, leaf: Entries, range: [number, number] | undefined, enter: EnterNumber) =>
 *   (numbers: number[]) => void} */
function addHandle(area, name, { shape, entries }, range, enter) {
  const handle = written("div", "", "handle"), single = entries.length === 1;
  const [lowest, highest] = range ?? rangeAround(entries[0]), mark = (highest - lowest) / MARKS;
  handle.append(written("span", name));
  /** @type {(type: string, label: string) => HTMLInputElement} */
  const input = (type, label) => setAttributes(document.createElement("input"), { type, step: "any", "aria-label": label });
  const slider = single && input("range", `Value of ${name}`);
  if (slider) {
    setAttributes(slider, { min: lowest, max: highest });
    handle.append(slider);
  }
  const box = written("span", "", "fields");
  box.style.setProperty("--across", String(shape.at(-1) ?? 1));
  handle.append(box);
  const fields = entries.map((_, at) => {
    const index = shape.map((_, axis) => Math.floor(at / sizeOf(shape.slice(axis + 1))) % shape[axis]);
    const field = input("number", single ? `${name} =` : `${name}[${index.join(", ")}] =`);
    field.addEventListener("input", () => {
      if (!Number.isFinite(field.valueAsNumber)) return;
      slide(field.valueAsNumber);
      enter(at, field.valueAsNumber);
    });
    box.append(field);
    return field;
  });
  /** @type {(x: number) => void} */
  const slide = (x) => {
    if (!slider) return;
    slider.value = String(x);
    slider.style.setProperty("--turn", `${(100 * (slider.valueAsNumber - lowest)) / (highest - lowest)}%`);
    slider.setAttribute("aria-valuetext", numeral(x));
  };
  slider && slider.addEventListener("input", () => {
    const x = Number(typed(Math.round(slider.valueAsNumber / mark) * mark));
    slide(x);
    fields[0].value = typed(x);
    enter(0, x);
  });
  /** @type {(numbers: number[]) => void} */
  const write = (numbers) => {
    numbers.forEach((x, at) => { fields[at].value = Number.isFinite(x) ? typed(x) : ""; });
    slide(numbers[0]);
  };
  write(entries);
  area.append(handle);
  return write;
}
