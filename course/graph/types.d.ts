// The types of the player's scripts. `make lint` checks them; no page has this file.

/** What constants.json has; play.py writes it before the scripts. */
declare const SHARED: typeof import("./constants.json");

interface Window {
  /** What a page may define: it calls the function in a later task. */
  inTurn?: (next: () => void) => void;
}

/** A number as a reader sees it, rows of few entries, the shape of many; null for a gradient that is None. */
type Quantity = string | string[][] | { shape: string } | null;
/** An array with its entries in one list, row by row; a number has the shape []. */
interface Entries {
  shape: number[];
  entries: number[];
}

// ---- the data that script_data.py hands to the script ----

interface NodeData {
  id: string;
  name: string;
  value: Quantity;
  /** The name of a leaf in a link. */
  plain?: string;
  unnamed?: true;
  shape?: string;
  /** How much a group holds that can be unfolded. */
  holds?: string;
  formula?: string;
}
interface EdgeData {
  id: string;
  source: number;
  target: number;
  local: string | null;
  symbols?: string;
  /** What backward added up along it. */
  added?: string;
}
/** A step of a sweep as [kind, node, edge]; a seed travels along no edge. */
type Move = [kind: "seed", node: number, edge: null] | [kind: "travel" | "sum", node: number, edge: number];
/** A Move with its product, and the total of a sum; 1 stands for the node's own shape. */
type Told<Sum> = [...move: Move, ...sums: Sum[]];
interface ForwardInput {
  leaf: number;
  products: Quantity[];
  totals: Quantity[];
}
interface ForwardData {
  steps: Move[];
  inputs: ForwardInput[];
}
interface LiveLeaf {
  rule?: undefined;
  /** JSON has no NaN and no infinity: they are words. */
  value: { shape: number[]; entries: (number | string)[] };
  range?: [number, number];
}
interface LiveOperation {
  rule: string;
  value?: undefined;
  range?: undefined;
  /** Places of nodes, or constants. */
  operands: (number | Entries)[];
  shape: number[];
  places?: number[];
  sign: string;
  infix: boolean;
}
interface LiveData {
  nodes: (LiveLeaf | LiveOperation)[];
  /** The place of each edge's source among the operands of its target. */
  positions: number[];
  single?: true;
}
/** The picture with operands above results: by how much its parts move, as player_picture.py writes it. */
interface TallData {
  size: Point;
  legend: number;
  nodes: Point[];
  edges: [line: string, head: string, dx: number, dy: number][];
}
interface ScriptData {
  title: string;
  nodes: NodeData[];
  edges: EdgeData[];
  output: number;
  note: string;
  reverse: Told<Quantity | 1>[];
  forward: ForwardData | null;
  /** Whether a product replaces the sum at its node, = for +=. */
  overwriting?: boolean;
  code: { text: string; spans: [node: number, begin: number, end: number][] } | null;
  live: LiveData | null;
  /** The state in which the player starts, as a link writes it. */
  start: string;
  tall: TallData | null;
  /** The pictures of the groups, base64 of deflated JSON. */
  folds: string;
}

// ---- what the script makes of it ----

/** A node with all its names: with a bar for its adjoint, with a dot for its tangent. */
type Named = NodeData & { leaf: boolean; named: boolean; bar: string; dot: string };
interface Graph extends Omit<ScriptData, "nodes" | "edges" | "reverse"> {
  nodes: Named[];
  edges: (EdgeData & { partial: string })[];
  reverse: Told<Quantity>[];
}
type LiveGraph = Graph & { live: LiveData };

/** What arrives at a node: `total` is the sum afterwards, `before` the sum so far. */
interface Sums {
  product: Quantity;
  total: Quantity;
  before: Quantity | undefined;
}
type NoSums = { [key in keyof Sums]?: undefined };
type StartOrEnd = { kind: "start" | "end"; node?: undefined; edge?: undefined } & NoSums;
type ValueStep = { kind: "value" | "seeds"; node: number; edge?: undefined } & NoSums;
type SeedStep = { kind: "seed"; node: number; edge: null } & Sums;
type EdgeStep = { kind: "travel" | "sum"; node: number; edge: number } & Sums;
type Step = StartOrEnd | ValueStep | SeedStep | EdgeStep;

/** What is known after a step: values by nodes, sums by nodes, products by edges. */
interface State {
  values: Set<number>;
  totals: Map<number, Quantity>;
  /** How many products have arrived at a node. */
  arrived: Map<number, number>;
  carried: Map<number, Quantity>;
  products: number;
}
/** An equation in its parts: names, signs, numbers. */
type Equation = string[];
/** What a step says; `all` are the products of the whole sweep. */
interface Said {
  equation: Equation;
  caption: string;
  all: number;
}
/** `rate` names an adjoint or a tangent; `giver` is the node whose product an edge carries. */
interface SweepWords {
  backward: boolean;
  name: (node: number) => string;
  rate: (node: number) => string;
  giver: (edge: number) => number;
}
type Describe = (step: number) => Said;

/** What a player shows now. `sweep` is REVERSE or the number of an input; `data` changes with the leaves. */
interface Shown {
  readonly recorded: Graph;
  data: Graph;
  sweep: number;
  steps: Step[];
  describe: Describe;
  at: number;
}
/** Values of leaves, by their places. */
type Leaves = Map<number, Entries>;

type ZoomActions = { [name in "in" | "out" | "whole" | "screen"]: () => void };
type Controls = ReturnType<typeof addControls>;
type Picture = ReturnType<typeof pictureOf>;
type Table = ReturnType<typeof tableOf>;
type Texts = ReturnType<typeof textsOf>;

// ---- groups that unfold ----

type Point = [x: number, y: number];
/** The picture of what a group holds, as play.py writes it. */
interface GroupPicture {
  shapes: string;
  width: number;
  height: number;
  title: string;
  shows: string;
  holds: Holds;
}
/** How much each group holds, by its id. */
type Holds = { [id: string]: string | undefined };
interface Fold {
  element: SVGGElement;
  key: string;
  name: string;
  box: DOMRect | null;
  inside: { element: SVGGElement; size: () => Point } | null;
  open: boolean;
  turn: (open: boolean) => Promise<void>;
}
interface Layer {
  holds: Holds;
  /** The key of the group around this layer and a slash. */
  path: string;
  /** All groups, by their keys. */
  all: Map<string, Fold>;
  pictures: () => Promise<{ [key: string]: GroupPicture }>;
  redrawn: (grown: Point) => void;
  changed: (group: Element, before: DOMRect) => void;
}
