// Tells a computed graph in the numbers that a reader sees, as script_data.py does. No part of the page is touched.

const TIE = new RegExp(`^(\\d\\.\\d{${SHARED.DIGITS - 2}}[02468])50*(e.*)`);

// A number as words.number writes it: 6.909, −0.4161, 1e−5. A tie goes to the even digit, as in Python.
/** @type {(x: number) => string} */
function numeral(x) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return x !== x ? "nan" : x > 0 ? "inf" : "−inf";
  const tie = Math.abs(x).toExponential(60).match(TIE);
  let [digits, power] = (tie ? tie[1] + tie[2] : Math.abs(x).toExponential(SHARED.DIGITS - 1)).split("e");
  const place = Number(power), sign = x < 0 ? "−" : "";
  /** @type {(text: string) => string} */
  const bare = (text) => (text.includes(".") ? text.replace(/\.?0*$/, "") : text);
  if (place < -4 || place >= SHARED.DIGITS) return `${sign}${bare(digits)}e${place < 0 ? "−" : ""}${Math.abs(place)}`;
  digits = digits.replace(".", "");
  return sign + bare(place < 0 ? `0.${"0".repeat(-place - 1)}${digits}`
    : `${digits.slice(0, place + 1)}.${digits.slice(place + 1)}`);
}

// A quantity is told anew in the form in which it was told: a number, rows of entries, or a shape.
/** @type {(before: Quantity, now: Entries) => Quantity} */
function told(before, { shape, entries }) {
  if (typeof before === "string") return numeral(entries[0]);
  if (!Array.isArray(before)) return before;
  const across = shape.at(-1) ?? 1;
  return before.map((_, row) => entries.slice(row * across, (row + 1) * across).map(numeral));
}

/** @type {(text: string, at: number) => string} */
const inBrackets = (text, at) => (at && text.startsWith("−") ? `(${text})` : text);
/** @type {(node: LiveOperation, operands: string[]) => string} */
const spelled = ({ sign, infix }, operands) =>
  (infix ? operands.map(inBrackets).join(` ${sign} `) : `${sign}(${operands.join(", ")})`);

// Forward mode in numbers, from the local derivatives.
/** @type {(graph: Graph, local: (number | null)[]) => ForwardData | null} */
function inForward({ edges, forward }, local) {
  return forward && { ...forward, inputs: forward.inputs.map(({ leaf }) => {
    const sweep = pushed({ edges, forward }, /** @type {number[]} */ (local), leaf);
    /** @type {(kind: Move[0], what: "product" | "total") => Quantity[]} */
    const of = (kind, what) => sweep.filter((_, at) => forward.steps[at][0] === kind).map((each) => numeral(each[what]));
    return { leaf, products: of("travel", "product"), totals: of("sum", "total") };
  }) };
}

// The data of a player with other values of the leaves: the same steps, other numbers.
/** @type {(data: LiveGraph, leaves: Leaves) => Graph} */
function retold(data, leaves) {
  const { live } = data, values = evaluate(live, leaves), local = derivatives(data, values), back = swept(data, values);
  /** @type {(text: string, at: number) => string} */
  const formula = (text, at) => {
    const [names, numbers] = text.split(" = "), node = operationAt(live, at);
    return numbers ? `${names} = ${spelled(node, operandsOf(node, values).map((each) => numeral(each.entries[0])))}` : text;
  };
  return {
    ...data,
    nodes: data.nodes.map((node, at) => ({
      ...node, value: told(node.value, values[at]), ...(node.formula && { formula: formula(node.formula, at) }),
    })),
    edges: data.edges.map((edge, at) => ({ ...edge, local: edge.local === null ? null : numeral(Number(local[at])) })),
    reverse: data.reverse.map(([kind, node, edge, product, total], at) => /** @type {Told<Quantity>} */ (
      [kind, node, edge, told(product, back[at].product), ...(kind === "sum" ? [told(total, back[at].total)] : [])])),
    forward: inForward(data, local),
  };
}
