// Describes the steps of a sweep, each by an equation and a caption. This file does not touch the page.

const LINE = 72; // characters of facts in one line
const TERMS = 3; // of a chain rule that is written out

/** @type {(data: Graph, sweep: number, steps: Step[]) => Describe} */
function describer(data, sweep, steps) {
  const { totals, products: all } = stateAt(data, steps, steps.length - 1);
  const sweepWords = wordsOf(data, sweep);
  const equations = equationsOf(data, sweepWords, totals), captions = captionsOf(data, sweep, sweepWords, totals, all);
  return (last) => {
    const step = steps[last];
    const arrived = step.node === undefined ? 0 : stateAt(data, steps, last).arrived.get(step.node) ?? 0;
    return { equation: equations(step).filter(Boolean), caption: captions(step, arrived), all };
  };
}

/** @type {(data: Graph, sweep: number) => SweepWords} */
function wordsOf({ nodes, edges }, sweep) {
  const backward = sweep === REVERSE;
  return {
    backward,
    name: (node) => nodes[node].name,
    rate: (node) => nodes[node][backward ? "bar" : "dot"],
    giver: (edge) => edges[edge][backward ? "target" : "source"],
  };
}

/** @type {(data: Graph, words: SweepWords, sums: State["totals"]) => (step: Step) => Equation} */
function equationsOf({ nodes, edges, output, overwriting }, { backward, name, rate, giver }, sums) {
  /** @type {(called: (node: number) => string, quantityOf: (node: number) => Quantity | undefined) => Equation} */
  const leaves = (called, quantityOf) => {
    /** @type {(quantity: Quantity, entry: Named) => string} */
    const equal = (quantity, entry) => (isShort(quantity) ? "= " : "has ") + brief(quantity, entry);
    const facts = nodes.flatMap((entry, node) => {
      const quantity = entry.leaf && quantityOf(node);
      return quantity ? [`${called(node)} ${equal(quantity, entry)}`] : [];
    });
    const fit = facts.filter((_, place) =>
      facts.slice(0, place + 1).join().replaceAll("\u0305", "").length <= LINE);
    const shown = fit.length < facts.length ? [...fit, "…"] : facts;
    return shown.map((fact, place) => (place < shown.length - 1 ? `${fact},` : fact));
  };
  /** @type {(step: EdgeStep) => Equation} */
  const travel = ({ edge, product }) => {
    const { partial, local, symbols, source } = edges[edge], from = giver(edge), given = sums.get(from);
    if (product === null) return [];
    const left = partial.length > 1 ? partial : "local derivative";
    if (local === null || !isNumber(given)) {
      return nodes[from].named && nodes[source].named
        ? [`${rate(from)} · Jacobian`, "=", phrase(product)]
        : nodes[from].named ? [rate(from), "=", phrase(product)] : [`${name(from)}.backward`, "=", phrase(product)];
    }
    const plain = symbols && !isNumeral(symbols) ? symbols : null; // a number stands in the next part anyway
    return backward
      ? [`${rate(from)} · ${left}`, ...(plain ? ["=", `${rate(from)} · ${grouped(plain)}`] : []), "=", `${given} · ${factor(local)}`, "=", phrase(product)]
      : [`${left} · ${rate(from)}`, ...(plain ? ["=", `${grouped(plain)} · ${rate(from)}`] : []), "=", `${local} · ${factor(given)}`, "=", phrase(product)];
  };
  return (step) => {
    const { kind, node, total } = step;
    switch (kind) {
      case "start": return leaves(name, (each) => nodes[each].value);
      case "value": {
        const { formula, value } = nodes[node];
        return [name(node), ...(formula ? ["=", formula] : []), ...(value ? ["=", phrase(value)] : [])];
      }
      case "seed": return isNumber(total)
        ? [rate(node), "=", `∂${name(node)}/∂${name(node)}`, "=", total]
        : [rate(node), "=", phrase(total)];
      case "seeds": return leaves(rate, (other) => (other === node ? "1" : "0"));
      case "travel": return travel(step);
      case "sum": return isNumber(total)
        ? [rate(node), "=", ...(overwriting ? [] : [`${step.before} + ${factor(phrase(step.product))}`, "="]), total]
        : [rate(node), "=", "sum of both", "=", phrase(total)];
      case "end": return backward ? leaves(rate, (each) => sums.get(each)) : [rate(output), "=", phrase(sums.get(output))];
    }
  };
}

// Captions also depend on how many products have arrived at the step's node.
/** @type {(data: Graph, sweep: number, words: SweepWords, sums: State["totals"], all: number) =>
 *   (step: Step, arrived: number) => string} */
function captionsOf(data, sweep, { backward, name, rate, giver }, sums, all) {
  const { nodes, edges, forward, overwriting } = data, inputs = nodes.filter((entry) => entry.leaf).length;
  // The chain rule at a node where paths meet: w̄₁ = w̄₃ · w₂ + w̄₄ · cos w₁ = 1 · 3 + 1 · (−0.4161).
  /** @type {(node: number) => string} */
  const chainRule = (node) => {
    const paths = edges.filter(({ source }) => source === node);
    const terms = paths.flatMap(({ target, local, symbols, partial }, at) => {
      const given = sums.get(target), symbol = `${rate(target)} · ${symbols ? grouped(symbols) : partial}`;
      return local !== null && isNumber(given) ? [[symbol, `${at ? factor(given) : given} · ${factor(local)}`]] : [];
    });
    if (paths.length < 2 || paths.length > TERMS || terms.length < paths.length) return "";
    return ` The chain rule: ${[rate(node), ...[0, 1].map((which) => terms.map((term) => term[which]).join(" + "))].join(" = ")}.`;
  };
  /** @type {(node: number, arrived: number) => string} */
  const completeness = (node, arrived) => {
    const missing = edges.filter((edge) => edge[backward ? "source" : "target"] === node).length - arrived;
    if (missing === 0) return backward && !overwriting ? `Its adjoint is complete.${chainRule(node)}` : "";
    const what = backward ? "contribution" : "operand";
    return `${missing === 1 ? `One more ${what}` : `${missing} more ${what}s`} will follow.`;
  };
  /** @type {(step: EdgeStep, arrived: number) => string} */
  const travel = ({ node, edge, product, before }, arrived) => {
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
  };
  const end = () => {
    const output = name(data.output), sweepSaid = `One sweep with ${counted(all, "product")} gives`;
    const many = inputs > 1 && forward;
    if (overwriting) return "With = in place of +=, a node keeps the last product that it receives. Where paths meet, the others are lost.";
    if (backward || !forward) {
      const rest = many ? ` Forward mode needs ${all} for each of the ${inputs} inputs: ${all * inputs}.` : "";
      return `${sweepSaid} every derivative of ${output}.${rest}`;
    }
    const rest = many
      ? ` All ${inputs} inputs need ${inputs} sweeps with ${all * inputs} products; reverse mode needs ${all}.` : "";
    return `${sweepSaid} one derivative: of ${output} with respect to ${name(forward.inputs[sweep].leaf)}.${rest}`;
  };
  return (step, arrived) => {
    const { kind, node, total } = step;
    switch (kind) {
      case "start": return data.note || (backward
        ? "The leaves are given. The values are computed forward first, then the adjoints backward."
        : "The leaves are given. Forward mode computes a tangent together with each value.");
      case "value": {
        const { value } = nodes[node];
        const sources = [...new Set(edges.filter(({ target }) => target === node).map(({ source }) => name(source)))].slice(0, 5);
        return `${name(node)} is computed${sources.length ? ` from ${listed(sources)}` : ""}${isNumber(value) ? `: ${value}.` : "."}`;
      }
      case "seed": return isNumber(total)
        ? `The backward pass starts at the output: the derivative of ${name(node)} with respect to itself is ${total}, the seed.`
        : `The backward pass starts at the output, ${name(node)}, with an adjoint of ones.`;
      case "seeds": return `Only ${name(node)} changes: its tangent is 1, and the tangent of every other leaf is 0.`;
      case "travel": return travel(step, arrived);
      case "sum": {
        if (overwriting) return `With = the ${step.product} replaces the ${step.before} that ${name(node)} has received: it is lost.`;
        const meeting = backward ? `Several paths meet at ${name(node)}` : `${name(node)} depends on several operands`;
        const sum = isNumber(total) ? `${step.before} and ${step.product} add up to ${total}` : "their contributions are added";
        return `${meeting}: ${sum}. ${completeness(node, arrived)}`.trim();
      }
      case "end": return end();
    }
  };
}
