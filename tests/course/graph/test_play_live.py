"""Other values of the leaves, without a kernel: the player shows what would have been recorded with them."""

import math
import re

import hard_cases
import numpy as np
import pytest
import torch
from browser import needs_browser
from graph_browser import moved, place, row, watch
from graph_pictures import number, seed_graph
from playwright.sync_api import expect
from tiers import first_now

from course.engine import Tensor, exp, grad, sigmoid, sin
from course.graph import explore, play, record

pytestmark = needs_browser
TYPED = 0.7
# all that a reader sees of a player but its handles; the sums of a table are read where they are seen
SEEN = """player => [
  ...[...player.querySelectorAll('svg text:not(.token *), svg tspan:not(.token *)')]
    .filter(text => getComputedStyle(text).visibility === 'visible')
    .flatMap(text => [...text.childNodes].map(part => part.nodeType === Node.TEXT_NODE && part.data)),
  ...[...player.querySelectorAll('td')].map(cell => (cell.querySelector('.now') ?? cell).textContent),
  ...['.equation', '.caption', '.count', '.place'].map(part => player.querySelector(part).textContent),
]"""

# at each step of a player the leaf is set to its new value and back: the steps at which what is shown differs
# from what another player shows, or the player leaves its step
FOLLOWED = (
    """([steps, typed, [start, end]]) => {
  const seen = SEEN, wrong = [];
  const [changed, recorded] = steps.map(slider => slider.closest('.backward-player'));
  const fill = (field, value) => {
    field.focus();
    field.value = value;
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  fill(typed, start);
  for (let step = 0; step <= Number(steps[0].max); step += 1) {
    steps.forEach(slider => fill(slider, step));
    fill(typed, end);
    if (JSON.stringify(seen(changed)) !== JSON.stringify(seen(recorded))) wrong.push(step);
    fill(typed, start);
    if (Number(steps[0].value) !== step) wrong.push(step);
  }
  return wrong;
}"""
).replace("SEEN", SEEN)


def opened(page, folder, *players, state=""):
    text = "".join(player.html() for player in players)
    path = folder / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>p</title><body>{text}", encoding="utf-8")
    page.goto("about:blank")
    page.goto(path.as_uri() + state)
    return page.locator(".backward-player")


def field(player, name):
    return player.get_by_role("spinbutton", name=f"{name} =", exact=True)


def leaf_slider(player, name):
    return player.get_by_role("slider", name=f"Value of {name}", exact=True)


def five_nodes(x):
    w1, w2 = number(x), number(3.0)
    w3, w4 = w1 * w2, sin(w1)
    return record(w3 + w4, names={"w1": w1, "w2": w2, "w3": w3, "w4": w4})


def constants(x):
    a = number(x)
    return record(sigmoid(2 ** (a + 0.1) - a / 3) * exp(-a) + a**3, names={"a": a})


def arrays(x):
    a = Tensor(np.array([[x, 2.0, 3.0], [4.0, 5.0, 6.0]]), requires_grad=True)
    b = Tensor(np.array([10.0, 20.0, 30.0]), requires_grad=True)
    shifted = a + b
    return record(
        (shifted[:, 1:] * np.array([[2.0, 3.0], [20.0, 30.0]])).sum() + (a @ b).sum(),
        names={"a": a, "b": b, "shifted": shifted},
    )


def second_order(x):
    a = number(x)
    y = sin(a) * a
    loss = y * y
    (slope,) = grad(loss, a, create_graph=True)
    return record(slope, names={"a": a, "y": y, "loss": loss}, of=loss)


def of_pytorch(x):
    a = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = 2 * a.sin() + a**3
    (slope,) = torch.autograd.grad(y, a, create_graph=True)
    return record(slope, names={"a": a, "y": y}, of=y)


@pytest.mark.parametrize(
    ("graph", "name", "start"),
    first_now(
        [
            (five_nodes, "w₁", 2.0),
            (arrays, "a[0, 0]", 1.0),
            (of_pytorch, "a", 1.5),
            (constants, "a", 1.5),
            (second_order, "a", 1.5),
        ],
        3,
    ),
    ids=lambda x: getattr(x, "__name__", None),
)
def test_all_that_is_shown_follows_a_leaf_at_each_step_of_each_sweep(page, tmp_path, graph, name, start):
    # The last players are as if the others had never been touched.
    players = opened(page, tmp_path, play(graph(start)), play(graph(TYPED)))
    changed, recorded = players.all()
    for sweep in range(changed.locator("option").count()):
        for player in (changed, recorded):
            if changed.locator("option").count() > 1:
                player.get_by_role("combobox").select_option(index=sweep)
        steps = [player.get_by_role("slider", name="Step").element_handle() for player in (changed, recorded)]
        assert int(steps[0].get_attribute("max")) > 0
        typed = field(changed, name).element_handle()
        wrong = page.evaluate(FOLLOWED, [steps, typed, [start, TYPED]])
        assert wrong == [], f"in sweep {sweep}"


def test_a_leaf_is_moved_by_the_keys_of_its_slider_and_the_player_stays_where_it_is(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()))
    player.get_by_role("slider", name="Step").fill("9")
    leaf_slider(player, "w₁").focus()
    for key, shown in (("ArrowRight", "2.1"), ("ArrowLeft", "2"), ("ArrowLeft", "1.9")):
        page.keyboard.press(key)
        expect(field(player, "w₁")).to_have_value(shown)
    assert row(player, "w₃") == ("5.7", "1")
    assert place(player) == 9
    page.keyboard.press("End")
    assert row(player, "w₁")[0] == "5"
    player.get_by_role("button", name="Reset").click()
    assert row(player, "w₁") == ("2", "2.584")
    expect(field(player, "w₁")).to_have_value("2")
    expect(field(player, "w₁").or_(leaf_slider(player, "w₁")).first).to_be_focused()


def test_the_picture_is_named_by_what_is_known_at_the_step(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()))
    player.get_by_role("slider", name="Step").fill("1")
    picture = player.get_by_role("img", name="Graph of w5: w₁ = 2, w₂ = 3, w₃ = 6.", exact=True)
    expect(picture).to_be_visible()
    player.get_by_role("slider", name="Step").fill("4")
    field(player, "w₁").fill("0")
    named = "Graph of w5: w₁ = 0, w₂ = 3, w₃ = 0, w₄ = 0, w₅ = 0; adjoints w₅ 1."
    expect(player.get_by_role("img", name=named, exact=True)).to_be_visible()


def test_what_is_no_number_changes_nothing(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()))
    field(player, "w₁").fill("")
    assert row(player, "w₁")[0] == "2"
    field(player, "w₁").press_sequentially("-")
    assert row(player, "w₁")[0] == "2"
    field(player, "w₁").press_sequentially("1e1")
    assert row(player, "w₁")[0] == "−10"
    assert place(player) == 0


@pytest.mark.parametrize("wide", [1180, 420])
def test_nothing_moves_while_a_leaf_is_dragged(page, tmp_path, wide):
    page.set_viewport_size({"width": wide, "height": 900})
    player = opened(page, tmp_path, play(seed_graph()))
    player.get_by_role("slider", name="Step").fill("9")
    slider = leaf_slider(player, "w₁")
    watch(player)
    for value in ("1.57", "-1.3", "0.02", "4.4"):
        slider.fill(value)
        # what says the value may change its width, and the slider's handle its place
        others = [each for each in moved(player) if "handles" not in each]
        assert others == [], value


def test_long_numbers_stay_in_their_cards(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()))
    player.get_by_role("slider", name="Step").fill("11")
    field(player, "w₁").fill("-123456789e-30")
    outside = """player => [...player.querySelectorAll('.node')].flatMap(node => {
      const card = node.querySelector('.body').getBoundingClientRect();
      return [...node.querySelectorAll('text')].filter(text => {
        const box = text.getBoundingClientRect();
        return box.left < card.left || box.right > card.right;
      }).map(text => text.textContent);
    })"""
    assert player.evaluate(outside) == []


def test_a_link_opens_the_state_that_it_was_copied_from(page, tmp_path, browser):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player = opened(page, tmp_path, play(seed_graph()))
    player.get_by_role("combobox").select_option(label="tangents for w₂ (forward mode)")
    field(player, "w₁").fill("1.57")
    player.get_by_role("slider", name="Step").fill("8")
    player.get_by_role("button", name="Copy a link to this state").click()
    expect(player.locator(".copied")).to_have_text(re.compile("."))
    before = player.evaluate(SEEN)
    assert row(player, "w₁")[0] == "1.57"
    opened(page, tmp_path, play(seed_graph()), state="#w1=1.57&step=8&mode=forward:w2")
    assert player.evaluate(SEEN) == before
    expect(field(player, "w₁")).to_have_value("1.57")


def test_a_link_that_is_copied_is_the_documented_one(page, tmp_path):
    page.add_init_script(
        "const writeText = async text => { window.copied = text };"
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText } });"
    )
    player = opened(page, tmp_path, play(seed_graph()))
    field(player, "w₂").fill("0.5")
    player.get_by_role("combobox").select_option(index=1)
    player.get_by_role("slider", name="Step").fill("3")
    player.get_by_role("button", name="Copy a link to this state").click()
    expect(player.locator(".copied")).to_have_text("Link copied")
    assert page.evaluate("copied").partition("#")[2] == "w2=0.5&step=3&mode=forward"


def test_in_a_page_with_several_players_a_link_names_one(page, tmp_path):
    players = opened(
        page, tmp_path, play(seed_graph()), play(arrays(1.0)), play(seed_graph()),
        state="#w5-2.w1=1.5&w5-2.step=3&v4.a=1,2,3,4,5,6.5",
    )  # fmt: skip
    first, middle, last = players.all()
    assert [place(each) for each in (first, last)] == [0, 3]
    assert row(last, "w₁")[0] == "1.5"
    assert row(first, "w₁")[0] == "2"
    title = middle.get_attribute("data-title")
    page.evaluate("hash => { location.hash = hash }", f"#{title}.a=1,2,3,4,5,6.5&{title}.step=2")
    expect(middle.locator(".place")).to_have_text(re.compile("^2 /"))
    expect(field(middle, "a[1, 2]")).to_have_value("6.5")


@pytest.mark.parametrize("state", ["#w1=abc&step=x", "#section", "#w1=1,2", "#mode=sideways", "#step=99999"])
def test_a_link_that_says_nothing_right_does_no_harm(page, tmp_path, state):
    player = opened(page, tmp_path, play(seed_graph()), state=state)
    assert row(player, "w₁")[0] == "2"
    assert 0 <= place(player) <= 11


def test_a_sweep_that_overwrites_keeps_the_last_product_and_the_right_one_is_a_choice_away(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph(), mode="overwriting"))
    step = player.get_by_role("slider", name="Step")
    last = step.get_attribute("max")
    step.fill(last)
    expect(player.get_by_role("combobox").locator("option:checked")).to_have_text("adjoints with = for +=")
    assert row(player, "w₁") == ("2", "3")  # the cosine's share is lost
    step.fill(str(int(last) - 2))
    assert "replaces the −0.4161" in player.locator(".caption").inner_text()
    player.get_by_role("combobox").select_option(label="adjoints (reverse mode)")
    step.fill(last)
    assert row(player, "w₁") == ("2", "2.584")
    field(player, "w₁").fill(str(math.pi / 2))
    assert row(player, "w₁")[1] == "3"  # where that share is 0, nothing is lost
    player.get_by_role("combobox").select_option(label="adjoints with = for +=")
    field(player, "w₂").fill("0.5")
    step.fill(last)
    assert row(player, "w₁")[1] == "0.5"


def test_a_sweep_that_overwrites_needs_a_graph_that_the_page_can_compute():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output

    x = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(ValueError, match="mode 'overwriting': this player has 'reverse'"):
        play(Square.apply(x), mode="overwriting")


def test_a_number_of_single_precision_stands_as_it_was_typed(page, tmp_path):
    x = torch.tensor(0.1, requires_grad=True)
    player = opened(page, tmp_path, play(record(3 * x.sin())))
    expect(field(player, "x")).to_have_value("0.1")
    expect(player.locator(".still")).to_have_count(0)


def test_a_graph_with_code_of_its_own_has_no_handles_and_says_so(page, tmp_path):
    player = opened(page, tmp_path, play(hard_cases.multiply_twice()))
    assert player.get_by_role("spinbutton").count() == 0
    sentence = "The values cannot be changed here: Multiply has code of its own, which the page cannot run."
    expect(player.locator(".still")).to_have_text(sentence)
    player.get_by_role("button", name="Copy a link to this state").click()
    expect(player.locator(".copied")).to_have_text(re.compile("."))


def explored(fn):
    widget = explore(fn, x=(-1, 4, 2), y=(0, 6, 3))
    html = widget._repr_mimebundle_()["text/html"]

    class Page:
        def html(self):
            return html

    return Page()


def test_explore_is_live_without_a_kernel(page, tmp_path):
    player = opened(page, tmp_path, explored(lambda x, y: x * y + sin(x)))
    assert row(player, "x") == ("2", "2.584")
    slider = leaf_slider(player, "x")
    assert (slider.get_attribute("min"), slider.get_attribute("max")) == ("-1", "4")
    slider.fill("0.55")
    assert row(player, "x") == ("0.55", "3.853")


def test_explore_with_a_branch_is_a_picture_without_a_kernel(page, tmp_path):
    player = opened(page, tmp_path, explored(lambda x, y: sin(x) if x.item() > 0 else x * y))
    assert player.count() == 0
    assert page.get_by_role("img", name="Graph of").is_visible()
