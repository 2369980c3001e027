// The steps of a sweep, each with a caption and an equation. This file does not touch the page.
// play.py writes the scripts into one function, so that none leaves a global name.

const REVERSE = -1; // in place of an input's number
const LINE = 72; // characters of facts in one line
const BRIEF = 18; // characters of an array that is written out
const TERMS = 3; // of a chain rule that is written out
const BRIEFER = 14; // on an edge; words.py has the same

// ---- numbers and names ----------------------------------------------------------------------------------

const phrase = (quantity) =>
  quantity === null || quantity === undefined ? "None"
    : typeof quantity === "string" ? quantity
    : Array.isArray(quantity) ? `[${quantity.map((row) => row.join(" ")).join("; ")}]`
    : quantity.shape;
const isNumber = (quantity) => typeof quantity === "string";
const isShort = (quantity) => isNumber(quantity) || (Array.isArray(quantity) && phrase(quantity).length <= BRIEF);
// A number, a short array in full, else the shape: that of the node whose quantity it is.
const brief = (quantity, { shape }, most = BRIEF) =>
  (Array.isArray(quantity) && phrase(quantity).length > most ? shape : phrase(quantity));
const factor = (quantity) => (quantity.startsWith("−") ? `(${quantity})` : quantity);
const grouped = (symbols) => (/^−|[ ] − |^1\//.test(symbols) ? `(${symbols})` : symbols);
const isNumeral = (text) => /^−?[\d.]+$/.test(text);
const counted = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

// ---- what script_data.py leaves out, because it follows from the rest -----------------------------------

const isLetter = (name) => /^\p{L}[₀-₉]*$/u.test(name);
const marked = (name, mark, over) => (isLetter(name) ? name.replace(/^./u, `$&${mark}`) : over);
const ofShape = (quantity, { shape, value }) => (quantity === 1 ? { shape: shape ?? value.shape } : quantity);

function completed(data) {
  const nodes = data.nodes.map((node) => ({
    ...node, leaf: node.plain !== undefined, named: !node.unnamed,
    bar: marked(node.name, "\u0304", node.name.replace(/./gu, "$&\u0305")), dot: marked(node.name, "\u0307", `${node.name}\u02d9`),
  }));
  const partial = (...ends) => (ends.every(({ name, named }) => named && isLetter(name)) ? `∂${ends[0].name}/∂${ends[1].name}` : "∂");
  return {
    ...data, nodes,
    edges: data.edges.map((edge) => ({ ...edge, partial: partial(nodes[edge.target], nodes[edge.source]) })),
    reverse: data.reverse.map(([kind, node, edge, ...sums]) => [kind, node, edge, ...sums.map((each) => ofShape(each, nodes[node]))]),
  };
}

// ---- sweeps: a list of steps, each with all its data --------------------------------------------------

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

// What is known after step number `last`.
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
    const equal = (quantity, entry) => (isShort(quantity) ? "= " : "has ") + brief(quantity, entry);
    const facts = nodes.flatMap((entry, node) =>
      (entry.leaf && quantityOf(node) ? [`${called(node)} ${equal(quantityOf(node), entry)}`] : []));
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
      const { partial, local, symbols } = edges[edge], from = giver(edge), given = sums.get(from);
      if (product === null) return [];
      const left = partial.length > 1 ? partial : "local derivative";
      if (local === null || !isNumber(given)) {
        return nodes[from].named && nodes[edges[edge].source].named
          ? [`${rate(from)} · Jacobian`, "=", phrase(product)]
          : nodes[from].named ? [rate(from), "=", phrase(product)] : [`${name(from)}.backward`, "=", phrase(product)];
      }
      const plain = symbols && !isNumeral(symbols) ? symbols : null; // a number stands in the next part anyway
      return backward
        ? [`${rate(from)} · ${left}`, ...(plain ? ["=", `${rate(from)} · ${grouped(plain)}`] : []), "=", `${given} · ${factor(local)}`, "=", product]
        : [`${left} · ${rate(from)}`, ...(plain ? ["=", `${grouped(plain)} · ${rate(from)}`] : []), "=", `${local} · ${factor(given)}`, "=", product];
    },
    sum: ({ node, before, product, total }) => isNumber(total)
      ? [rate(node), "=", `${before} + ${factor(product)}`, "=", total]
      : [rate(node), "=", "sum of both", "=", phrase(total)],
    end: () => (backward ? leaves(rate, (node) => sums.get(node))
      : [rate(data.output), "=", sums.get(data.output)]),
  };

  const incoming = (node) =>
    [...new Set(edges.filter((edge) => edge.target === node).map((edge) => name(edge.source)))];
  // The chain rule at a node where paths meet: w̄₁ = w̄₃ · w₂ + w̄₄ · cos w₁ = 1 · 3 + 1 · (−0.4161).
  const chainRule = (node) => {
    const paths = edges.filter(({ source }) => source === node);
    if (paths.length < 2 || paths.length > TERMS || !paths.every(({ target, local }) => local !== null && isNumber(sums.get(target)))) return "";
    const symbols = paths.map(({ target, symbols: short, partial }) => `${rate(target)} · ${short ? grouped(short) : partial}`);
    const numbers = paths.map(({ target, local }, at) => `${at ? factor(sums.get(target)) : sums.get(target)} · ${factor(local)}`);
    return ` The chain rule: ${rate(node)} = ${symbols.join(" + ")} = ${numbers.join(" + ")}.`;
  };
  const completeness = (node, arrived) => {
    const missing = uses(node) - arrived;
    if (missing === 0) return backward ? `Its adjoint is complete.${chainRule(node)}` : "";
    return backward ? `${missing === 1 ? "One more contribution" : `${missing} more contributions`} will follow.`
      : `${missing === 1 ? "One more operand" : `${missing} more operands`} will follow.`;
  };
  const captions = {
    start: () => data.note || (backward
      ? "The leaves are given. The values are computed forward first, then the adjoints backward."
      : "The leaves are given. Forward mode computes a tangent together with each value."),
    value: ({ node }) => {
      const { value } = nodes[node];
      const sources = incoming(node).slice(0, 5);
      return `${name(node)} is computed${sources.length ? ` from ${listed(sources)}` : ""}`
        + (isNumber(value) ? `: ${value}.` : ".");
    },
    seed: ({ node, total }) => (isNumber(total)
      ? `The backward pass starts at the output: the derivative of ${name(node)} with respect to itself is ${total}, the seed.`
      : `The backward pass starts at the output, ${name(node)}, with an adjoint of ones.`),
    seeds: ({ node }) => `Only ${name(node)} changes: its tangent is 1, and the tangent of every other leaf is 0.`,
    travel: ({ node, edge, product, before }, arrived) => {
      const from = name(giver(edge)), to = name(node);
      if (product === null) return `No gradient goes from ${from} to ${to}: backward returns None for this operand.`;
      if (!nodes[node].named) return `The backward of ${to} receives the adjoint of ${from}.`;
      const what = isNumber(product) ? product : "a vector-Jacobian product";
      const sentence = `${from} passes ${what} to ${to}`;
      const added = edges[edge].added ? `: ${edges[edge].added}` : "";
      if (before !== undefined && before !== null) {
        return `${sentence}, which has already received ${isNumber(before) ? before : "one"}${added}.`;
      }
      return `${sentence}${added}. ${completeness(node, arrived)}`.trim();
    },
    sum: ({ node, before, product, total }, arrived) => {
      const meeting = backward ? `Several paths meet at ${name(node)}` : `${name(node)} depends on several operands`;
      const sum = isNumber(total) ? `${before} and ${product} add up to ${total}` : "their contributions are added";
      return `${meeting}: ${sum}. ${completeness(node, arrived)}`.trim();
    },
    end: () => {
      const output = name(data.output);
      if (backward) {
        const rest = data.forward && inputs > 1
          ? ` Forward mode needs ${all} for each of the ${inputs} inputs: ${all * inputs}.` : "";
        return `One sweep with ${counted(all, "product")} gives every derivative of ${output}.${rest}`;
      }
      const seeded = name(data.forward.inputs[sweep].leaf);
      const rest = inputs > 1
        ? ` All ${inputs} inputs need ${inputs} sweeps with ${all * inputs} products; reverse mode needs ${all}.` : "";
      return `One sweep with ${counted(all, "product")} gives one derivative: of ${output} with respect to ${seeded}.${rest}`;
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
