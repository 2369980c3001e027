// Computes a recorded graph again from other values of its leaves: pure functions that do not touch the page.
// An array is { shape, entries } with its entries in one list, row by row; a number has the shape [].

/** @type {(shape: number[]) => number} */
const sizeOf = (shape) => shape.reduce((size, each) => size * each, 1);
/** @type {(shape: number[], x: number) => Entries} */
const filled = (shape, x) => ({ shape, entries: Array(sizeOf(shape)).fill(x) });
/** @type {(x: number, p: number) => number} */
const power = (x, p) => (x === 1 ? 1 : x ** p); // JavaScript gives NaN for 1 ** Infinity

// Of each operation entry by entry: its value, then what it passes to each operand of an adjoint g.
/** @type {{ [rule: string]: ((...numbers: number[]) => number)[] }} */
const ELEMENTWISE = {
  add: [(a, b) => a + b, (g) => g, (g) => g],
  sub: [(a, b) => a - b, (g) => g, (g) => -g],
  mul: [(a, b) => a * b, (g, a, b) => g * b, (g, a) => g * a],
  div: [(a, b) => a / b, (g, a, b) => g / b, (g, a, b) => (-g * a) / (b * b)],
  power: [
    power,
    (g, x, p) => g * (p * power(x, x === 0 && p === 0 ? 0 : p - 1)),
    (g, x, p) => g * (power(x, p) * Math.log(x === 0 && p >= 0 ? 1 : x)),
  ],
  neg: [(x) => -x, (g) => -g],
  exp: [Math.exp, (g, x, y) => g * y],
  log: [Math.log, (g, x) => g / x],
  sin: [Math.sin, (g, x) => g * Math.cos(x)],
  cos: [Math.cos, (g, x) => -g * Math.sin(x)],
  tanh: [Math.tanh, (g, x, y) => g * (1 - y * y)],
  sqrt: [Math.sqrt, (g, x, y) => g / (2 * y)],
  sigmoid: [(x) => (x >= 0 ? 1 : Math.exp(x)) / (1 + Math.exp(-Math.abs(x))), (g, x, y) => g * (y * (1 - y))],
  abs: [Math.abs, (g, x) => g * Math.sign(x)],
  reciprocal: [(x) => 1 / x, (g, x, y) => -g * (y * y)],
  tanh_backward: [(a, y) => a * (1 - y * y), (g, a, y) => g * (1 - y * y), (g, a, y) => g * (-2 * a * y)],
  sigmoid_backward: [(a, y) => a * (1 - y) * y, (g, a, y) => g * (1 - y) * y, (g, a, y) => g * (a * (1 - 2 * y))],
  relu: [(x) => (x !== x ? x : Math.max(x, 0)), (g, x, y) => g * Number(y > 0)],
};

// For each entry of an array of shape `to`: the entry of an array of shape `from` that is copied there.
/** @type {(from: number[], to: number[]) => number[]} */
function spread(from, to) {
  return Array.from({ length: sizeOf(to) }, (_, place) => {
    let source = 0, stride = 1;
    for (let axis = to.length - 1, own = from.length - 1; own >= 0; axis--, own--) {
      source += from[own] === 1 ? 0 : (place % to[axis]) * stride;
      place = Math.floor(place / to[axis]);
      stride *= from[own];
    }
    return source;
  });
}
/** @type {(a: number[], b: number[]) => number[]} */
function broadcast(a, b) {
  const axes = Math.max(a.length, b.length);
  const [one, other] = [a, b].map((shape) => [...Array(axes - shape.length).fill(1), ...shape]);
  return one.map((size, axis) => (size === 1 ? other[axis] : size));
}
/** @type {(x: Entries, places: number[], shape: number[]) => Entries} */
const gather = (x, places, shape) => ({ shape, entries: places.map((place) => x.entries[place]) });
/** @type {(x: Entries, places: number[], shape: number[]) => Entries} */
function scatter(x, places, shape) {
  const total = filled(shape, 0);
  places.forEach((place, at) => { total.entries[place] += x.entries[at]; });
  return total;
}
/** @type {(a: Entries, b: Entries) => Entries} */
const plus = (a, b) => ({ shape: a.shape, entries: a.entries.map((x, at) => x + b.entries[at]) });
// The adjoint of copying is adding: a gradient is summed to the shape of its operand.
/** @type {(g: Entries, shape: number[]) => Entries} */
const summed = (g, shape) => scatter(g, spread(shape, g.shape), shape);

/** @type {(x: Entries) => number[]} */
const inner = ({ shape }) => shape.slice(-2);
/** @type {(x: Entries) => Entries} */
function transposed(x) {
  const [rows, columns] = inner(x), size = rows * columns;
  const places = x.entries.map((_, at) => {
    const within = at % size;
    return at - within + (within % rows) * columns + Math.floor(within / rows);
  });
  return gather(x, places, [...x.shape.slice(0, -2), columns, rows]);
}
/** @type {(a: Entries, b: Entries) => Entries} */
function product(a, b) {
  const [rows, terms] = inner(a), [, columns] = inner(b), [ofA, ofB] = [a, b].map((x) => x.shape.slice(0, -2));
  const stack = broadcast(ofA, ofB), inA = spread(ofA, stack), inB = spread(ofB, stack), shape = [...stack, rows, columns];
  const entries = Array.from({ length: sizeOf(shape) }, (_, place) => {
    const column = place % columns, line = Math.floor(place / columns), row = line % rows, at = Math.floor(line / rows);
    let sum = 0;
    for (let term = 0; term < terms; term++) {
      sum += a.entries[(inA[at] * rows + row) * terms + term] * b.entries[(inB[at] * terms + term) * columns + column];
    }
    return sum;
  });
  return { shape, entries };
}

// A vector is a row on the left, a column on the right.
/** @type {(x: Entries, right: boolean) => Entries} */
const asMatrix = (x, right) => (x.shape.length > 1 ? x : { ...x, shape: right ? [x.entries.length, 1] : [1, x.entries.length] });
/** @type {(x: Entries, by: number) => Entries} */
const scaled = (x, by) => ({ ...x, entries: x.entries.map((each) => each * by) });

/** @type {(node: LiveOperation, values: Entries[]) => Entries[]} */
const operandsOf = ({ operands }, values) => operands.map((each) => (typeof each === "number" ? values[each] : each));
/** @type {(operands: Entries[], shape: number[]) => number[][]} */
const sameAt = (operands, shape) => operands.map((each) => gather(each, spread(each.shape, shape), shape).entries);

/** @type {(node: LiveOperation, values: Entries[]) => Entries} */
function applied(node, values) {
  const { rule, shape, places = [] } = node, operands = operandsOf(node, values), [a, b] = operands;
  if (rule === "matmul") return { ...product(asMatrix(a, false), asMatrix(b, true)), shape };
  if (rule === "addmm") return plus(gather(a, spread(a.shape, shape), shape), product(b, operands[2]));
  if (rule === "mean") return scaled(scatter(a, places, shape), sizeOf(shape) / a.entries.length);
  if (rule === "gather") return gather(a, places, shape);
  if (rule === "scatter") return scatter(a, places, shape);
  if (rule === "join") return scatter({ shape: [], entries: [...a.entries, ...b.entries] }, places, shape);
  const [first, second] = sameAt(operands, shape);
  /** @type {(x: number, y: number, at: number) => number} */
  const value = rule === "where" ? (x, y, at) => (places[at] ? x : y) : ELEMENTWISE[rule][0];
  return { shape, entries: first.map((x, at) => value(x, second?.[at], at)) };
}

// The vector-Jacobian product: what a node passes of its adjoint g to the operand at a position.
/** @type {(node: LiveOperation, values: Entries[], own: Entries, position: number, g: Entries) => Entries} */
function passed(node, values, own, position, g) {
  const { rule, shape, places = [] } = node, operands = operandsOf(node, values), [a, b] = operands;
  const given = operands[position].shape;
  if (rule === "matmul") {
    const [left, right] = [asMatrix(a, false), asMatrix(b, true)], outer = product(left, right).shape;
    const of = position ? product(transposed(left), { ...g, shape: outer }) : product({ ...g, shape: outer }, transposed(right));
    return { ...summed(of, (position ? right : left).shape), shape: given };
  }
  if (rule === "addmm") {
    return position === 0 ? summed(g, given) : position === 1 ? product(g, transposed(operands[2])) : product(transposed(b), g);
  }
  if (rule === "mean") return scaled(gather(g, places, given), sizeOf(shape) / a.entries.length);
  if (rule === "gather") return scatter(g, places, given);
  if (rule === "scatter") return gather(g, places, given);
  if (rule === "join") {
    const size = a.entries.length;
    return gather(g, position ? places.slice(size) : places.slice(0, size), given);
  }
  const [first, second] = sameAt(operands, shape);
  /** @type {(x: number, at: number) => number} */
  const by = rule === "where" ? (x, at) => (Boolean(places[at]) === (position === 0) ? x : 0)
    : (x, at) => ELEMENTWISE[rule][1 + position](x, first[at], second ? second[at] : own.entries[at]);
  return summed({ shape, entries: g.entries.map(by) }, given);
}

// ---- a graph: `live` is what live_data.py writes, `leaves` maps places of nodes to arrays -----------------------

// JSON has no NaN and no infinity: they are written as words.
/** @type {(live: LiveData) => Leaves} */
const recordedLeaves = ({ nodes }) => new Map(nodes.flatMap(({ value }, at) =>
  (value ? [[at, { shape: value.shape, entries: value.entries.map(Number) }]] : [])));

// PyTorch's numbers are of single precision, as a rule.
/** @type {(live: LiveData, x: Entries) => Entries} */
const rounded = ({ single }, x) => (single ? { ...x, entries: x.entries.map(Math.fround) } : x);

/** @type {(live: LiveData, leaves: Leaves) => Entries[]} */
function evaluate(live, leaves) {
  /** @type {Entries[]} */
  const values = [];
  live.nodes.forEach((node, at) => values.push(rounded(live,
    node.rule === undefined ? /** @type {Entries} */ (leaves.get(at)) : applied(node, values))));
  return values;
}

// Every edge leads to an operation.
/** @type {(live: LiveData, target: number) => LiveOperation} */
const operationAt = (live, target) => /** @type {LiveOperation} */ (live.nodes[target]);

// Follows the steps of a backward pass: for each of them the product and the sum at its node, or with = in place of
// += the last product.
/** @type {(graph: LiveGraph, values: Entries[]) => { product: Entries, total: Entries }[]} */
function swept({ live, edges, reverse, overwriting }, values) {
  /** @type {Entries[]} */
  const sums = [];
  let sent = filled([], 0);
  return reverse.map(([kind, node, edge]) => {
    if (kind === "seed") sent = sums[node] = filled(values[node].shape, 1);
    else if (kind === "sum") sums[node] = overwriting ? sent : rounded(live, plus(sums[node], sent));
    else {
      const { target } = edges[edge];
      sent = rounded(live, passed(operationAt(live, target), values, values[target], live.positions[edge], sums[target]));
      sums[node] ??= sent;
    }
    return { product: sent, total: sums[node] };
  });
}

// The local derivative on each edge; null where it is no number.
/** @type {(graph: LiveGraph, values: Entries[]) => (number | null)[]} */
const derivatives = ({ live, edges }, values) => edges.map(({ source, target }, edge) => {
  const { shape } = values[target];
  if (sizeOf(shape) !== 1 || sizeOf(values[source].shape) !== 1) return null;
  return passed(operationAt(live, target), values, values[target], live.positions[edge], filled(shape, 1)).entries[0];
});

// Follows the steps of a sweep in forward mode, in which one leaf moves: numbers, for each step the sum at its node.
/** @type {(graph: Pick<Graph, "edges"> & { forward: ForwardData }, local: number[], leaf: number) => { product: number, total: number }[]} */
function pushed({ edges, forward }, local, leaf) {
  /** @type {number[]} */
  const tangents = [];
  let sent = 0;
  return forward.steps.map(([kind, node, edge]) => {
    if (kind === "seed") sent = tangents[node] = Number(node === leaf);
    else if (kind === "sum") tangents[node] += sent;
    else {
      sent = local[edge] * tangents[edges[edge].source];
      tangents[node] ??= sent;
    }
    return { product: sent, total: tangents[node] };
  });
}
