"""The player in a page that was exported from a notebook, with the network cut off."""

import re

import hard_cases
import nbformat
import pytest
import torch
import uneven_font
from browser import needs_browser
from graph_browser import choose_sweep, place, row, wrong_while_stepped
from graph_pictures import number, seed_graph
from graph_programs import Program, truth
from nbconvert import HTMLExporter
from tiers import first_now

from course.engine import Tensor
from course.graph import play, record, words

pytestmark = needs_browser
FONTS = {"the machine's": "", "uneven": uneven_font.style("body .backward-player, body .backward-player *")}
FIRST_SUM, LAST = 9, 11  # steps of the five-node graph: three values, then the seed, five edges, one sum

PLACES = ("operand", "result")
# for each edge, the end of its line at which the head that is seen has its tip
TIPS = """[...document.querySelectorAll('.edge')].map(edge => {
  const seen = [...edge.querySelectorAll('polygon')].filter(e => getComputedStyle(e).visibility === 'visible')
  const line = edge.querySelector('path'), tip = seen[0].points[0]
  const away = at => Math.hypot(line.getPointAtLength(at).x - tip.x, line.getPointAtLength(at).y - tip.y)
  return seen.length > 1 ? 'both' : away(0) < away(line.getTotalLength()) ? 'operand' : 'result'
})"""


def exported(*players):
    """Export a notebook whose outputs these are, as nbconvert does."""
    notebook = nbformat.v4.new_notebook()
    for player in players:
        output = nbformat.v4.new_output("execute_result", player._repr_mimebundle_(), execution_count=1)
        notebook.cells.append(nbformat.v4.new_code_cell("play(w5)", outputs=[output], execution_count=1))
    return HTMLExporter().from_notebook_node(notebook)[0]


def opened(page, folder, text):
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri(), wait_until="domcontentloaded")
    return page.locator(".backward-player")


def network_of_numbers():
    """Record a graph whose sums are long, with more than nine products."""
    x, y = number(-1234.5), number(0.00012345)
    total = x * y
    for factor in (-1.5, -0.5, 0.5, 1.5):
        total = total * x + y.sin() * factor
    return record(total, names={"x": x, "y": y, "output": total})


def test_it_steps_by_click_and_shows_the_right_numbers(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    step = player.get_by_role("button", name="Step", exact=True)
    assert row(player, "w₃") == ("", "")
    step.click()
    assert row(player, "w₃") == ("6", "")
    for _ in range(FIRST_SUM - 2):
        step.click()
    assert row(player, "w₁") == ("2", "−0.4161 + 3")
    step.click()
    assert row(player, "w₁") == ("2", "2.584")
    assert player.locator(".equation").inner_text().split() == ["w̄₁", "=", "−0.4161", "+", "3", "=", "2.584"]
    assert "−0.4161 and 3 add up to 2.584" in player.locator(".caption").inner_text()
    player.get_by_role("button", name="Step back").click()
    assert row(player, "w₁") == ("2", "−0.4161 + 3")


def test_it_steps_by_key_and_leaves_other_keys_alone(page, tmp_path):
    text = exported(play(seed_graph())).replace(
        "<body", "<script>seen = []; addEventListener('keydown', e => seen.push(e.key))</script><body", 1
    )
    player = opened(page, tmp_path, text)
    player.focus()
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", LAST), ("Home", 0)):
        page.keyboard.press(key)
        assert place(player) == expected
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+ArrowRight")
    assert place(player) == 0
    player.get_by_role("slider", name="Step").focus()
    page.keyboard.press("ArrowRight")
    assert place(player) == 1
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    assert place(player) == 1
    assert page.evaluate("seen") == ["ArrowDown", "Control", "ArrowRight", "ArrowRight"]


def test_it_plays_and_pauses_by_the_space_bar(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    player.focus()
    page.keyboard.press("Space")
    page.wait_for_function("document.querySelector('.place').textContent.startsWith('2 ')")
    page.keyboard.press("Space")
    assert player.get_by_role("button", name="Play").is_visible()


def test_a_click_on_a_node_leads_to_its_adjoint(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    player.locator('g[data-id="n0"]').click()
    assert place(player) == FIRST_SUM
    player.locator('g[data-id="n3"]').click()
    assert row(player, "w₄") == ("0.9093", "1")


def test_a_node_is_reached_by_keys_alone(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    player.focus()
    page.keyboard.press("Tab")
    for key in ("ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == "w₃"
    assert place(player) == 0
    page.keyboard.press("Enter")
    assert row(player, "w₃") == ("6", "1")
    assert "w₅ passes 1 to w₃" in player.locator(".caption").inner_text()
    page.keyboard.press("Space")
    assert "w₃ is computed from w₁ and w₂: 6." in player.locator(".caption").inner_text()
    page.keyboard.press("ArrowRight")
    assert "w₄ is computed" in player.locator(".caption").inner_text()


PROGRAM = Program(
    (1.25, -0.5), (("mul", 0, 1), ("sin", 0), ("add", 2, 3), ("mul", 4, 4), ("sub", 5, 0), ("tanh", 6))
)


def test_values_and_adjoints_are_those_of_torch_at_the_step_that_completes_them(page, tmp_path):
    tensors = PROGRAM.run("engine")
    graph = record(tensors[-1], names={f"t{at}": tensor for at, tensor in enumerate(tensors)})
    player = opened(page, tmp_path, exported(play(graph)))
    for at, (value, adjoint) in enumerate(truth(PROGRAM)):
        name = words.pretty(f"t{at}")
        expected = (words.number(value), words.number(adjoint))
        player.get_by_role("button", name=f"Jump to {name}").click()
        assert row(player, name) == expected
        page.keyboard.press("ArrowLeft")
        assert row(player, name) != expected
        page.keyboard.press("Home")


def test_the_product_travels_and_the_sum_grows_where_it_arrives(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    player.get_by_role("slider", name="Step").fill(str(FIRST_SUM - 1))
    assert player.locator(".token text").all_text_contents() == ["1", "3"]
    card, addend = (player.locator(f'g[data-id="n0"] {part}') for part in ("text.adjoint", ".addend"))
    assert (card.text_content(), addend.text_content()) == ("w̄₁ = −0.4161", "+ 3")
    assert addend.bounding_box()["y"] > card.bounding_box()["y"] + card.bounding_box()["height"] / 2
    assert page.evaluate("document.getAnimations().length") > 0
    player.get_by_role("slider", name="Step").fill(str(FIRST_SUM))
    assert (card.text_content(), addend.count()) == ("w̄₁ = 2.584", 0)


def test_an_edge_points_where_its_product_goes(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    slider, menu = player.get_by_role("slider", name="Step"), player.get_by_role("combobox")
    first, last = PLACES
    for sweep, points_at in ((0, first), (1, last)):
        menu.select_option(index=sweep)
        slider.fill(slider.get_attribute("max"))
        assert page.evaluate(TIPS) == [points_at] * 5
    menu.select_option(index=0)
    slider.fill("0")
    assert page.evaluate(TIPS) == [last] * 5  # values run forward


def test_a_value_that_nothing_kept_is_said_to_be_so(page, tmp_path):
    a = torch.tensor(2.0, requires_grad=True)
    freed, kept = opened(page, tmp_path, exported(play(((a * 3).sin() + a) ** 2), play(seed_graph()))).all()
    assert "not kept" in freed.locator(".numbers").inner_text()
    assert "not kept" not in kept.locator(".numbers").inner_text()


def test_nothing_is_animated_for_who_wants_no_motion(page, tmp_path):
    page.emulate_media(reduced_motion="reduce")
    player = opened(page, tmp_path, exported(play(seed_graph())))
    player.focus()
    for _ in range(LAST):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.getAnimations().length") == 0
    assert player.locator(".token").evaluate("token => getComputedStyle(token).opacity") == "0"


def test_text_has_the_colour_of_the_page(page, tmp_path):
    start = '<!doctype html><meta charset=utf-8><body style="color:#abcdef">'
    player = opened(page, tmp_path, start + play(seed_graph()).html())
    colours = "element => [getComputedStyle(element).color, getComputedStyle(element).fill]"
    assert player.locator('g[data-id="n0"] text.value').evaluate(colours) == ["rgb(171, 205, 239)"] * 2
    assert player.locator("tbody td").first.evaluate(colours)[0] == "rgb(171, 205, 239)"


def test_forward_mode_shows_one_derivative_a_sweep(page, tmp_path):
    player = opened(page, tmp_path, exported(play(seed_graph())))
    for name, derivative in (("w₁", "2.584"), ("w₂", "2")):
        player.get_by_role("combobox").select_option(label=f"tangents for {name} (forward mode)")
        player.focus()
        page.keyboard.press("End")
        assert row(player, "w₅") == ("6.909", derivative)
        assert player.locator(".count").inner_text() == "products 5 of 5"
        assert "10 products; reverse mode needs 5" in player.locator(".caption").inner_text()
        assert "w\N{COMBINING DOT ABOVE}₅ = " in player.locator('g[data-id="n4"]').text_content()


def test_a_player_starts_where_it_is_told(page, tmp_path):
    second, first = opened(
        page, tmp_path, exported(play(seed_graph(), "forward:w2", 3), play(seed_graph(), "forward", 99))
    ).all()
    assert place(second) == 3
    assert second.get_by_role("combobox").locator("option:checked").inner_text().startswith("tangents for w₂")
    assert row(second, "w₂") == ("3", "1")
    assert row(first, "w₅") == ("6.909", "2.584")
    with pytest.raises(ValueError, match="'reverse', 'forward', 'forward:w1', 'forward:w2'"):
        play(seed_graph(), "forward:w3")
    with pytest.raises(ValueError, match=r"this player has 'reverse'$"):
        play(record(Tensor([1.0, 2.0], requires_grad=True).sum()), "forward")


def test_two_players_do_not_disturb_each_other(page, tmp_path):
    x = number(3.0)
    y = x * x
    players = opened(page, tmp_path, exported(play(seed_graph()), play(y)))
    first, second = players.nth(0), players.nth(1)
    second.get_by_role("slider", name="Step").fill("4")
    assert (place(first), place(second)) == (0, 4)
    assert row(second, "x") == ("3", "3 + 3")
    first.focus()
    page.keyboard.press("End")
    assert (place(first), place(second)) == (LAST, 4)
    assert page.evaluate("document.querySelectorAll('.picture [id]').length") == 0


def test_it_asks_for_nothing_and_leaves_no_global_name(page, tmp_path):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, tmp_path, "<!doctype html>")
    names = page.evaluate("Object.getOwnPropertyNames(window)")
    player = opened(page, tmp_path, f"<!doctype html><meta charset=utf-8><body>{play(seed_graph()).html()}")
    player.get_by_role("button", name="Step", exact=True).click()
    assert [url.partition(":")[0] for url in asked] == ["file", "file"]
    assert set(page.evaluate("Object.getOwnPropertyNames(window)")) <= {*names}


@pytest.mark.parametrize(
    ("case", "width", "font"),
    [
        (hard_cases.five_nodes, 1200, "uneven"),
        (hard_cases.five_nodes, 390, "the machine's"),
        (network_of_numbers, 1200, "the machine's"),
        (network_of_numbers, 390, "uneven"),
    ],
)
def test_nothing_moves_while_it_is_stepped(page, tmp_path, case, width, font):
    page.set_viewport_size({"width": width, "height": 900})
    player = opened(page, tmp_path, exported(play(case())).replace("</head>", f"{FONTS[font]}</head>", 1))
    page.wait_for_function("document.fonts.status === 'loaded'")
    for sweep in range(player.locator("option").count()):
        if sweep:
            choose_sweep(player, index=sweep)
        assert wrong_while_stepped(player) == []


def test_arrays_are_told_entry_by_entry(page, tmp_path):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * x
    total = y.sum()
    player = opened(page, tmp_path, exported(play(total)))
    player.focus()
    page.keyboard.press("End")
    assert row(player, "x") == ("[1 2;\n3 4]", "[2 4;\n6 8]")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    shown = player.locator('g[data-id="n0"] g.adjoint text').all_text_contents()
    assert shown == ["1", "3", "2", "4"]


def test_it_says_that_rows_were_added_where_broadcasting_copied(page, tmp_path):
    a = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    b = Tensor([10.0, 20.0, 30.0], requires_grad=True)
    player = opened(page, tmp_path, exported(play((a + b).sum())))
    player.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert (
        "to b: the rows were added, because each row used a copy of b."
        in player.locator(".caption").inner_text()
    )
    assert player.locator("text.product").all_text_contents()[1] == "→ [2 2 2]"


def test_long_arrays_are_told_by_their_shape_and_their_numbers_on_demand(page, tmp_path):
    x = (torch.linspace(-1, 1, 6) / 3 + 0.01).reshape(2, 3).requires_grad_()
    y = x.sin()
    total = y.sum()
    player = opened(page, tmp_path, exported(play(total)))
    player.focus()
    page.keyboard.press("End")
    assert row(player, "x") == ("shape (2, 3)", "shape (2, 3)")
    numbers = [[words.number(entry) for entry in line] for line in x.detach().cos().tolist()]
    shown = ";\n".join(" ".join(line) for line in numbers)
    assert player.locator("tbody tr").first.locator("td").last.get_attribute("title") == f"[{shown}]"


@pytest.mark.parametrize("case", first_now(hard_cases.ALL, 4), ids=lambda case: case.__name__)
def test_hard_cases_are_stepped_to_their_end(page, tmp_path, case):
    graph = case()
    page.set_viewport_size({"width": 900, "height": 900})
    player = opened(page, tmp_path, exported(play(graph)))
    assert wrong_while_stepped(player) == []
    for node in filter(lambda node: node.name, graph.nodes):
        told = "None" if node.adjoint is None else words.quantity(node.adjoint)
        cell = player.locator(f'tr[data-node="{graph.nodes.index(node)}"] td').last
        shown = (cell.get_attribute("title") or cell.inner_text()).replace(";\n", "; ")
        assert shown in (told, words.told_shape(node.adjoint.shape) if node.adjoint else "None")
    assert player.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_without_scripts_it_is_a_picture_and_a_table(browser, tmp_path):
    context = browser.new_context(java_script_enabled=False)
    player = opened(context.new_page(), tmp_path, exported(play(seed_graph())))
    assert row(player, "w₁") == ("2", "2.584")
    assert "adjoints w1 2.584" in player.locator(".caption").inner_text()
    assert player.get_by_role("img", name="Graph of w5").is_visible()
    assert player.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    assert player.locator("button").count() == 0
    context.close()


def test_names_that_would_be_markup(page, tmp_path):
    x = number(2.0)
    name = "</script><b>&"
    player = opened(page, tmp_path, exported(play(record(x * x, names={name: x}))))
    player.focus()
    page.keyboard.press("End")
    assert row(player, name) == ("2", "4")


def test_a_page_for_100_nodes_of_matrices_is_small():
    y = x = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
    for _ in range(49):
        y = y.sin() * x
    graph = record(y.sum())
    assert len(graph.nodes) == 100
    assert len(play(graph).html().encode()) < 300_000


def test_a_page_for_100_nodes_is_small():
    leaves = [number(1 + at / 100) for at in range(50)]
    y = leaves[0]
    for each in leaves[1:]:
        y = y * each
    graph = record(y * leaves[0])
    assert len(graph.nodes) == 100
    text = play(graph).html()
    assert len(text.encode()) < 300_000
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
