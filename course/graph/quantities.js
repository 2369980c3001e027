// Writes quantities and names, and completes the data of a player. This file does not touch the page.

const REVERSE = -1, OVERWRITING = -2; // in place of an input's number
const IN_TEXT = 18; // characters of an array that is written out in a text

/** @type {(quantity: Quantity | undefined) => string} */
const phrase = (quantity) =>
  quantity === null || quantity === undefined ? "None"
    : typeof quantity === "string" ? quantity
    : Array.isArray(quantity) ? `[${quantity.map((row) => row.join(" ")).join("; ")}]`
    : quantity.shape;
/** @type {(quantity: Quantity | undefined) => quantity is string} */
const isNumber = (quantity) => typeof quantity === "string";
/** @type {(quantity: Quantity) => boolean} */
const isShort = (quantity) => isNumber(quantity) || (Array.isArray(quantity) && phrase(quantity).length <= IN_TEXT);
// A number, a short array in full, else the shape: that of the node whose quantity it is.
/** @type {(quantity: Quantity | undefined, node: NodeData, most?: number) => string} */
const brief = (quantity, { shape }, most = IN_TEXT) =>
  (shape && Array.isArray(quantity) && phrase(quantity).length > most ? shape : phrase(quantity));
/** @type {(quantity: string) => string} */
const factor = (quantity) => (quantity.startsWith("−") ? `(${quantity})` : quantity);
/** @type {(symbols: string) => string} */
const grouped = (symbols) => (/^−|[ ] − |^1\//.test(symbols) ? `(${symbols})` : symbols);
/** @type {(text: string) => boolean} */
const isNumeral = (text) => /^−?[\d.]+$/.test(text);
/** @type {(many: number, what: string) => string} */
const counted = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
/** @type {(names: string[]) => string} */
const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

// ---- what script_data.py leaves out, because it follows from the rest -----------------------------------

/** @type {(name: string) => boolean} */
const isLetter = (name) => /^\p{L}[₀-₉]*$/u.test(name);
/** @type {(name: string, mark: string, over: string) => string} */
const marked = (name, mark, over) => (isLetter(name) ? name.replace(/^./u, `$&${mark}`) : over);
/** @type {(quantity: Quantity | 1, node: NodeData) => Quantity} */
const ofShape = (quantity, { shape, value }) =>
  (quantity === 1 ? { shape: shape ?? /** @type {{ shape: string }} */ (value).shape } : quantity);

/** @type {(data: ScriptData) => Graph} */
function completed(data) {
  const nodes = data.nodes.map((node) => ({
    ...node, leaf: node.plain !== undefined, named: !node.unnamed,
    bar: marked(node.name, "\u0304", node.name.replace(/./gu, "$&\u0305")), dot: marked(node.name, "\u0307", `${node.name}\u02d9`),
  }));
  /** @type {(target: Named, source: Named) => string} */
  const partial = (...ends) => (ends.every(({ name, named }) => named && isLetter(name)) ? `∂${ends[0].name}/∂${ends[1].name}` : "∂");
  return {
    ...data, nodes,
    edges: data.edges.map((edge) => ({ ...edge, partial: partial(nodes[edge.target], nodes[edge.source]) })),
    reverse: data.reverse.map(([kind, node, edge, ...sums]) =>
      /** @type {Told<Quantity>} */ ([kind, node, edge, ...sums.map((each) => ofShape(each, nodes[node]))])),
  };
}
