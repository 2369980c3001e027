// The keys of a player. In a ring of buttons one is a stop of the Tab key, and the arrows lead to the others.

/** @typedef {(HTMLElement | SVGElement)[]} Ring */

// The groups that are seen and unfold.
/** @type {(picture: Picture) => Ring} */
const foldButtons = ({ svg }) => findAll(svg, ".node[role=button]").filter((each) => each.getClientRects().length);

/** @type {(root: HTMLElement, keys: { [key: string]: () => void }, rings: () => Ring[]) => void} */
function listenToKeys(root, keys, rings) {
  for (const ring of rings()) ring.forEach((each, place) => { each.tabIndex = place ? -1 : 0; });

  // Notebooks listen at the document before the player would: listen at the window, while focus is inside.
  /** @type {(event: KeyboardEvent) => void} */
  function onKey(event) {
    const target = /** @type {HTMLElement | SVGElement} */ (event.target);
    if (!root.contains(target)) return window.removeEventListener("keydown", onKey, true);
    const key = event.shiftKey && event.key !== "+" ? `Shift+${event.key}` : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !(key in keys))) return;
    const fold = target.closest(".node[role=button]");
    if (fold && (key === "Enter" || key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      fold.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    if (target.closest(".handles")) return event.stopPropagation(); // a notebook has meanings for digits, too
    const kind = target.tagName, vertical = key === "ArrowUp" || key === "ArrowDown";
    const native = kind === "SELECT" ? vertical || key in keys || key === "Enter"
      : kind === "BUTTON" ? key === " " || key === "Enter"
      : kind === "INPUT" && vertical;
    const ring = vertical && rings().find((each) => each.includes(target));
    if (!native && !ring && !(key in keys)) return;
    event.stopPropagation();
    if (native) return;
    event.preventDefault();
    if (!ring) return keys[key]();
    const next = ring[ring.indexOf(target) + (key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  root.addEventListener("focusin", () => window.addEventListener("keydown", onKey, true));
  root.addEventListener("focusout", ({ relatedTarget }) =>
    root.contains(/** @type {Node | null} */ (relatedTarget)) || window.removeEventListener("keydown", onKey, true));
}
