// A link to a state of a player: #w1=1.57&step=8&mode=forward. The numbers of an array are separated by commas;
// `mode=forward:w2` is forward mode with the tangent of w2, and `unfolded=g3,g3/g0` has the groups that are unfolded.
// Where a page has several players, a key begins with the player's name and a dot: w5.step=8. The name of the second
// player called w5 is w5-2.

const FORWARD = "forward", REPLACING = "overwriting";

/** @typedef {{ leaves: Leaves, sweep: number, step: number, unfolded: string[] }} LinkedState */

// The name of a player in links; empty where it is the only one.
/** @type {(root: HTMLElement, title: string) => string} */
function nameInLinks(root, title) {
  const players = findAll(document, ".backward-player");
  const called = players.filter((each) => each.dataset.title === title);
  return players.length < 2 ? "" : title + (called.indexOf(root) > 0 ? `-${called.indexOf(root) + 1}` : "");
}

// What a link says of a player: null where it says nothing.
/** @type {(hash: string, prefix: string, graph: Graph) => LinkedState | null} */
function readLink(hash, prefix, { nodes, forward, live, overwriting }) {
  const said = new Map([...new URLSearchParams(hash.replace(/^#/, ""))].flatMap(([key, text]) =>
    (!prefix ? [[key, text]] : key.startsWith(`${prefix}.`) ? [[key.slice(prefix.length + 1), text]] : [])));
  const recorded = live ? recordedLeaves(live) : new Map(), leaves = /** @type {Leaves} */ (new Map());
  for (const [leaf, { shape, entries }] of recorded) {
    const given = said.get(nodes[leaf].plain ?? "")?.split(",").map((text) => (text.trim() ? Number(text) : NaN));
    if (given && given.length === entries.length && given.every(Number.isFinite)) leaves.set(leaf, { shape, entries: given });
  }
  const [mode, by] = said.get("mode")?.split(/:(.*)/) ?? [];
  const input = by ? forward?.inputs.findIndex(({ leaf }) => nodes[leaf].plain === by) ?? REVERSE : 0;
  const replaces = overwriting && mode === REPLACING ? OVERWRITING : REVERSE;
  const sweep = mode === FORWARD && forward && input >= 0 ? input : replaces;
  const number = said.get("step") ?? "", step = /^\d+$/.test(number) ? Number(number) : null;
  const unfolded = said.get("unfolded")?.split(",") ?? [];
  return leaves.size || step !== null || mode || unfolded.length ? { leaves, sweep, step: step ?? 0, unfolded } : null;
}

/** @type {(prefix: string, graph: Graph, state: LinkedState) => string} */
function writeLink(prefix, { nodes, forward }, { leaves, sweep, step, unfolded }) {
  const dot = prefix && `${prefix}.`;
  /** @type {(text: string) => string} */
  const code = (text) => encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
  const parts = [...leaves].map(([leaf, { entries }]) => [String(nodes[leaf].plain), entries.map(typed).join(",")]);
  parts.push(["step", String(step)]);
  if (sweep === OVERWRITING) parts.push(["mode", REPLACING]);
  else if (sweep !== REVERSE) parts.push(["mode", sweep && forward ? `${FORWARD}:${nodes[forward.inputs[sweep].leaf].plain}` : FORWARD]);
  if (unfolded.length) parts.push(["unfolded", unfolded.join(",")]);
  return `#${parts.map(([key, text]) => `${code(dot + key)}=${code(text)}`).join("&")}`;
}

// Copies a link, or where that is not allowed writes it into the address bar; `copied` says which.
/** @type {(hash: string, copied: HTMLElement) => void} */
function copyLink(hash, copied) {
  /** @type {(text: string) => void} */
  const tell = (text) => {
    copied.textContent = text;
    setTimeout(() => { copied.textContent = ""; }, 3000);
  };
  const inAddress = () => {
    history.replaceState(null, "", hash);
    tell("The link is in the address bar");
  };
  (navigator.clipboard?.writeText(new URL(hash, location.href).href) ?? Promise.reject()).then(() => tell("Link copied"), inAddress);
}
