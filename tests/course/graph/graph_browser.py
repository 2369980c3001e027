"""What a player in a browser shows."""


def place(player):
    """Return the number of the step that a player shows."""
    return int(player.locator(".place").inner_text().split(" / ")[0])


def row(player, name):
    """Return what the table says of a node: value and adjoint, as far as they are known."""
    cells = player.locator("tbody tr").filter(has=player.page.get_by_text(name, exact=True)).locator("td")
    return tuple(cell.inner_text() if cell.is_visible() else "" for cell in cells.all())
