"""What a player in a browser shows, and what of it moves."""

# All elements are watched but texts that change within the room they have, and the product that travels.
# An element is named by the way to it: tags, the first class, an id or a place, a row's node.
WATCH = """root => {
  const own = (element) => {
    const mark = element.classList[0] ?? [...element.parentElement.children].indexOf(element);
    const node = element.matches("tr") ? `(${element.cells[0].textContent})` : "";
    return `${element.tagName.toLowerCase()}.${mark}${element.dataset.id ?? ""}${node}`;
  };
  const name = (element) => (element === root ? "player" : `${name(element.parentElement)} ${own(element)}`);
  const box = (element) => {
    const origin = root.getBoundingClientRect();
    const { left, top, width, height } = element.getBoundingClientRect();
    const { scrollLeft, scrollTop } = element.parentElement.closest(".picture, .numbers") ?? root;
    return [left - origin.left + scrollLeft, top - origin.top + scrollTop, width, height];
  };
  const changing = ".seen, .now *, .room, .room *, .equation *, .token, .token *, g, text, text *";
  const watched = [root, ...root.querySelectorAll("*")]
    .filter((element) => !element.matches(changing) && element.getClientRects().length)
    .map((element) => [element, name(element), box(element)]);
  root.moved = () => watched.flatMap(([element, name, before]) => {
    const after = box(element);
    const still = after.every((side, at) => Math.abs(side - before[at]) < 0.01);
    return still ? [] : [`${name} was at ${before.map(Math.round)}, is at ${after.map(Math.round)}`];
  });
}"""

# in the page: a round trip to the browser for each step takes longer than the step
STEPPED = (
    """root => {
  (WATCH)(root);
  root.focus();
  const found = [], end = Number(root.querySelector('input[aria-label="Step"]').max);
  for (let step = 1; step <= end; step += 1) {
    root.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    const place = root.querySelector(".place").innerText;
    if (parseInt(place) !== step) found.push(`the player is at ${place} in place of step ${step}`);
    if (!root.querySelector(".caption").innerText) found.push(`nothing is said at step ${step}`);
    found.push(...root.moved().map((each) => `at step ${step} ${each}`));
  }
  return found;
}"""
).replace("WATCH", WATCH)


def place(player):
    """Return the number of the step that a player shows."""
    return int(player.locator(".place").inner_text().split(" / ")[0])


def choose_sweep(player, **option):
    """Choose an option of the menu of sweeps, which a narrow player folds away."""
    more = player.get_by_role("button", name="More")
    if more.is_visible():
        more.click()
    player.get_by_role("combobox").select_option(**option)
    if more.is_visible():
        player.page.keyboard.press("Escape")


def row(player, name):
    """Return what the table says of a node: value and adjoint, as far as they are known."""
    cells = player.locator("tbody tr").filter(has=player.page.get_by_text(name, exact=True)).locator("td")
    return tuple(cell.inner_text() if cell.is_visible() else "" for cell in cells.all())


def watch(player):
    """Note where everything in a player is."""
    player.evaluate(WATCH)


def wrong_while_stepped(player):
    """Go from the first step to the last by key; say what moves, and at which step nothing is said."""
    return player.evaluate(STEPPED)


def moved(player):
    """Say what in a player is not where `watch` saw it, or has another size."""
    return player.evaluate("root => root.moved()")
