// What the steps of a sweep are, and what is said at each: a caption and an equation. No part of the page is touched.
// play.py writes this file and play.js into one function, so that neither leaves a global name.

const REVERSE = -1; // in place of an input's number
const LINE = 72; // characters of facts in one line
const BRIEF = 18; // characters of an array that is written out

// ---- numbers and names ----------------------------------------------------------------------------------

const phrase = (quantity) =>
  quantity === null || quantity === undefined ? "None"
    : typeof quantity === "string" ? quantity
    : Array.isArray(quantity) ? `[${quantity.map((row) => row.join(" ")).join("; ")}]`
    : `(${quantity.shape})`;
const shapeOf = (quantity) => (Array.isArray(quantity)
  ? (quantity.length > 1 ? `${quantity.length} × ` : "") + quantity[0].length : quantity.shape);
const isNumber = (quantity) => typeof quantity === "string";
const isShort = (quantity) => isNumber(quantity) || (Array.isArray(quantity) && phrase(quantity).length <= BRIEF);
const factor = (quantity) => (quantity.startsWith("−") ? `(${quantity})` : quantity);
const counted = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

// ---- sweeps: a list of steps, each with all that it says --------------------------------------------------

// A step has: kind, node, edge, product, total (the sum at the node afterwards), before (the sum so far).
function backwardSteps(data) {
  const steps = [{ kind: "start" }, ...data.nodes.flatMap((entry, node) =>
    entry.leaf || !entry.named ? [] : [{ kind: "value", node }])];
  const sums = new Map();
  for (const [kind, node, edge, product, sum] of data.reverse) {
    const before = sums.get(node);
    const total = kind === "sum" ? sum : data.nodes[node].named ? before ?? product : null;
    steps.push({ kind, node, edge, product, total, before });
    sums.set(node, total);
  }
  return data.reverse.length ? [...steps, { kind: "end" }] : steps;
}

function forwardSteps(data, input) {
  const { leaf, products, totals } = data.forward.inputs[input];
  const steps = [{ kind: "start" }, { kind: "seeds", node: leaf }];
  const sums = new Map();
  let travelled = 0, summed = 0;
  for (const [kind, node, edge] of data.forward.steps) {
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

// What is known once step number `last` has been taken.
function stateAt(data, sweep, steps, last) {
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

// ---- words -------------------------------------------------------------------------------------------------

function describer(data, sweep, steps) {
  const { nodes, edges } = data;
  const backward = sweep === REVERSE;
  const name = (node) => nodes[node].name;
  const rate = (node) => nodes[node][backward ? "bar" : "dot"];
  const uses = (node) => edges.filter((edge) => (backward ? edge.source : edge.target) === node).length;
  const giver = (edge) => (backward ? edges[edge].target : edges[edge].source);
  const sums = stateAt(data, sweep, steps, steps.length - 1).totals;
  const all = stateAt(data, sweep, steps, steps.length - 1).products;
  const inputs = nodes.filter((entry) => entry.leaf).length;

  const leaves = (called, quantityOf) => {
    const equal = (quantity) => (isShort(quantity) ? `= ${phrase(quantity)}` : `(${shapeOf(quantity)})`);
    const facts = nodes.flatMap((entry, node) =>
      (entry.leaf && quantityOf(node) ? [`${called(node)} ${equal(quantityOf(node))}`] : []));
    const fit = facts.filter((_, place) =>
      facts.slice(0, place + 1).join().replaceAll("\u0305", "").length <= LINE);
    const shown = fit.length < facts.length ? [...fit, "…"] : facts;
    return shown.map((fact, place) => (place < shown.length - 1 ? `${fact},` : fact));
  };
  const equations = {
    start: () => leaves(name, (node) => nodes[node].value),
    value: ({ node }) => {
      const { formula, value } = nodes[node];
      return [name(node), ...(formula ? ["=", formula] : []), ...(value ? ["=", phrase(value)] : [])];
    },
    seed: ({ node, total }) => isNumber(total)
      ? [rate(node), "=", `∂${name(node)}/∂${name(node)}`, "=", total]
      : [rate(node), "=", phrase(total)],
    seeds: ({ node }) => leaves(rate, (other) => (other === node ? "1" : "0")),
    travel: ({ edge, product }) => {
      const { partial, local } = edges[edge], from = giver(edge), given = sums.get(from);
      if (product === null) return [];
      const left = partial.length > 1 ? partial : "local derivative";
      if (local === null || !isNumber(given)) {
        return nodes[from].named && nodes[edges[edge].source].named
          ? [`${rate(from)} · Jacobian`, "=", phrase(product)]
          : nodes[from].named ? [rate(from), "=", phrase(product)] : [`${name(from)}.backward`, "=", phrase(product)];
      }
      return backward
        ? [`${rate(from)} · ${left}`, "=", `${given} · ${factor(local)}`, "=", product]
        : [`${left} · ${rate(from)}`, "=", `${local} · ${factor(given)}`, "=", product];
    },
    sum: ({ node, before, product, total }) => isNumber(total)
      ? [rate(node), "=", `${before} + ${factor(product)}`, "=", total]
      : [rate(node), "=", "sum of both", "=", phrase(total)],
    end: () => (backward ? leaves(rate, (node) => sums.get(node))
      : [rate(data.output), "=", sums.get(data.output)]),
  };

  const incoming = (node) =>
    [...new Set(edges.filter((edge) => edge.target === node).map((edge) => name(edge.source)))];
  const completeness = (node, arrived) => {
    const missing = uses(node) - arrived;
    if (missing === 0) return backward ? "Its adjoint is complete." : "";
    return backward ? `${missing === 1 ? "One more use" : `${missing} more uses`} of it still to come.`
      : `${missing === 1 ? "One more operand" : `${missing} more operands`} to come.`;
  };
  const captions = {
    start: () => data.note || (backward
      ? "The leaves are given. First the values are computed, forward; then the adjoints, backward."
      : "The leaves are given. Forward mode carries a tangent along with each value."),
    value: ({ node }) => {
      const { value } = nodes[node];
      const sources = incoming(node).slice(0, 5);
      return `${name(node)} is computed${sources.length ? ` from ${listed(sources)}` : ""}`
        + (isNumber(value) ? `: ${value}.` : ".");
    },
    seed: ({ node, total }) => (isNumber(total)
      ? `The way back begins at the output: ${name(node)} changes as fast as itself, so the seed is ${total}.`
      : `The way back begins at the output, ${name(node)}, with an adjoint of ones.`),
    seeds: ({ node }) => `Move ${name(node)} alone: its tangent is 1, that of every other leaf is 0.`,
    travel: ({ node, edge, product, before }, arrived) => {
      const from = name(giver(edge)), to = name(node);
      if (product === null) return `Nothing flows from ${from} to ${to}: its backward returns None there.`;
      if (!nodes[node].named) return `The adjoint of ${from} goes into the backward of ${to}.`;
      const what = isNumber(product) ? product : "a vector-Jacobian product";
      const sentence = `${from} ${backward ? "hands" : "gives"} ${what} to ${to}`;
      if (before !== undefined && before !== null) {
        return `${sentence}, where ${isNumber(before) ? before : "one"} has arrived already.`;
      }
      return `${sentence}. ${completeness(node, arrived)}`.trim();
    },
    sum: ({ node, before, product, total }, arrived) => {
      const meeting = backward ? `Paths meet at ${name(node)}` : `Each operand moves ${name(node)}`;
      const sum = isNumber(total) ? `${before} and ${product} add up to ${total}` : "what they bring adds up";
      return `${meeting}: ${sum}. ${completeness(node, arrived)}`.trim();
    },
    end: () => {
      const output = name(data.output);
      if (backward) {
        const rest = data.forward && inputs > 1
          ? ` Forward mode takes ${all} for each of the ${inputs} inputs: ${all * inputs}.` : "";
        return `One sweep, ${counted(all, "product")}, every derivative of ${output}.${rest}`;
      }
      const seeded = name(data.forward.inputs[sweep].leaf);
      const rest = inputs > 1
        ? ` All ${inputs} inputs need ${inputs} sweeps, ${all * inputs} products; reverse mode takes ${all}.` : "";
      return `One sweep, ${counted(all, "product")}, one derivative: that of ${output} by ${seeded}.${rest}`;
    },
  };
  return (last) => {
    const step = steps[last];
    const arrived = stateAt(data, sweep, steps, last).arrived.get(step.node) ?? 0;
    return {
      equation: (equations[step.kind]?.(step) ?? []).filter(Boolean),
      caption: captions[step.kind](step, arrived),
      all,
    };
  };
}
