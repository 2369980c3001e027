// The steps of a sweep, each with all its data. This file does not touch the page.

/** @type {(data: Graph) => Step[]} */
function backwardSteps(data) {
  /** @type {Step[]} */
  const steps = [{ kind: "start" }];
  data.nodes.forEach((entry, node) => entry.leaf || !entry.named || steps.push({ kind: "value", node }));
  /** @type {State["totals"]} */
  const sums = new Map();
  for (const [kind, node, edge, product, sum] of data.reverse) {
    const before = sums.get(node);
    const total = kind === "sum" ? sum : data.nodes[node].named ? before ?? product : null;
    steps.push(/** @type {Step} */ ({ kind, node, edge, product, total, before }));
    sums.set(node, total);
  }
  return data.reverse.length ? [...steps, { kind: "end" }] : steps;
}

/** @type {(data: Graph, forward: ForwardData, input: number) => Step[]} */
function forwardSteps(data, forward, input) {
  const { leaf, products, totals } = forward.inputs[input];
  /** @type {Step[]} */
  const steps = [{ kind: "start" }, { kind: "seeds", node: leaf }];
  /** @type {State["totals"]} */
  const sums = new Map();
  let travelled = 0, summed = 0;
  for (const [kind, node, edge] of forward.steps) {
    if (kind === "seed") continue; // all seeds are one step
    const before = sums.get(node);
    if (before === undefined) steps.push({ kind: "value", node });
    const product = products[kind === "travel" ? travelled++ : travelled - 1];
    const total = kind === "sum" ? totals[summed++] : before ?? product;
    steps.push({ kind, node, edge, product, total, before });
    sums.set(node, total);
  }
  return [...steps, { kind: "end" }];
}

// What is known after step number `last`.
/** @type {(data: Graph, steps: Step[], last: number) => State} */
function stateAt(data, steps, last) {
  /** @type {State} */
  const state = { values: new Set(), totals: new Map(), arrived: new Map(), carried: new Map(), products: 0 };
  data.nodes.forEach((entry, node) => entry.leaf && state.values.add(node));
  for (const step of steps.slice(0, last + 1)) {
    if (step.kind === "value") state.values.add(step.node);
    if (step.kind === "seeds") {
      data.nodes.forEach((entry, node) => entry.leaf && state.totals.set(node, node === step.node ? "1" : "0"));
    }
    if (step.kind === "travel") {
      state.carried.set(step.edge, step.product);
      state.arrived.set(step.node, (state.arrived.get(step.node) ?? 0) + 1);
      state.products += step.product !== null && data.nodes[step.node].named ? 1 : 0;
    }
    if (step.total !== undefined) state.totals.set(step.node, step.total);
  }
  data.nodes.forEach((entry, node) => entry.named || state.values.add(node));
  return state;
}

// A node that is clicked leads to the step that completes it; clicked again, to the one that gives its value.
/** @type {(shown: Shown, node: number) => number} */
function stepOf({ steps, at }, node) {
  const own = steps.flatMap((step, number) => (step.node === node ? [number] : []));
  const value = own.find((number) => steps[number].kind === "value") ?? 0;
  const done = own[own.length - 1] ?? value;
  return at === done ? value : done;
}

// Whether a number is added to another one at this step.
/** @param {Step} step @returns {step is EdgeStep & { before: string, product: string }} */
const grows = (step) => step.kind === "travel" && isNumber(step.before) && isNumber(step.product);
