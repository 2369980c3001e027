// A link to a state of a player: #w1=1.57&step=8&mode=forward. The numbers of an array are separated by commas;
// `mode=forward:w2` is forward mode with the tangent of w2, and `unfolded=g3,g3/g0` has the groups that are unfolded.
// Where a page has several players, a key begins with the player's name and a dot: w5.step=8. The name of the second
// player called w5 is w5-2.

const FORWARD = "forward";

// The name of a player in links; empty where it is the only one.
function nameInLinks(root, title) {
  const players = [...document.querySelectorAll(".backward-player")];
  const called = players.filter((each) => each.dataset.title === title);
  return players.length < 2 ? "" : title + (called.indexOf(root) > 0 ? `-${called.indexOf(root) + 1}` : "");
}

// What a link says of a player: null where it says nothing.
function readLink(hash, prefix, { nodes, forward, live }) {
  const said = new Map([...new URLSearchParams(hash.replace(/^#/, ""))].flatMap(([key, text]) =>
    (!prefix ? [[key, text]] : key.startsWith(`${prefix}.`) ? [[key.slice(prefix.length + 1), text]] : [])));
  const recorded = live ? recordedLeaves(live) : new Map(), leaves = new Map();
  for (const [leaf, { shape, entries }] of recorded) {
    const given = said.get(nodes[leaf].plain)?.split(",").map((text) => (text.trim() ? Number(text) : NaN));
    if (given?.length === entries.length && given.every(Number.isFinite)) leaves.set(leaf, { shape, entries: given });
  }
  const [mode, by] = said.get("mode")?.split(/:(.*)/) ?? [];
  const input = by ? forward?.inputs.findIndex(({ leaf }) => nodes[leaf].plain === by) : 0;
  const sweep = mode === FORWARD && forward && input >= 0 ? input : REVERSE;
  const step = /^\d+$/.test(said.get("step")) ? Number(said.get("step")) : null;
  const unfolded = said.get("unfolded")?.split(",") ?? [];
  return leaves.size || step !== null || mode || unfolded.length ? { leaves, sweep, step: step ?? 0, unfolded } : null;
}

function writeLink(prefix, { nodes, forward }, { leaves, sweep, step, unfolded }) {
  const dot = prefix && `${prefix}.`, code = (text) => encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
  const parts = [...leaves].map(([leaf, { entries }]) => [nodes[leaf].plain, entries.map(typed).join(",")]);
  parts.push(["step", step]);
  if (sweep !== REVERSE) {
    parts.push(["mode", sweep ? `${FORWARD}:${nodes[forward.inputs[sweep].leaf].plain}` : FORWARD]);
  }
  if (unfolded.length) parts.push(["unfolded", unfolded.join(",")]);
  return `#${parts.map(([key, text]) => `${code(dot + key)}=${code(text)}`).join("&")}`;
}
