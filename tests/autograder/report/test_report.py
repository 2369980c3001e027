"""`autograder report` on a class whose mistakes are known."""

import csv
import json
import re
import shutil

import pytest
import submissions
from browser import PROGRAM, needs_browser
from made_course import ASSIGNMENT, EXERCISES, MadeCourse, run
from nbgrader.api import Gradebook
from playwright.sync_api import sync_playwright

STUDENTS = {
    "u01": ("Agate", "Quartz"),
    "u02": ("Beryl", "Zircon"),
    "u03": ("Citrine", "Olivine"),
    "u04": ("Diamond", "Halite"),
    "u05": ("Emerald", "Wolframite"),
    "u06": ("Feldspar", "Topaz"),
    "u07": ("Garnet", "Magnetite"),
    "u08": ("Hematite", "Vivianite"),
    "u09": ("Ilmenite", "Kunzite"),
    "u10": ("Jasper", "Pyrite"),
    "u11": ("Kaolinite", "Lazulite"),
    "u12": ("Lapis", "Barite"),
    "u13": ("Malachite", "Sodalite"),
    "u14": ("Nickeline", "Amethyst"),
}

UNDECIDED = ("u09", "u10", "u13")  # two by native autograd, and one that cannot be read

TELLING = '''
# written by Emerald Wolframite, u05
import torch


class KillHead(torch.autograd.Function):
    """The work of emerald@example.org."""

    @staticmethod
    def forward(ctx, x, n):
        note = "wolframite was here"
        emeralds_copy = x.clone()
        emeralds_copy[:, :n] = 0
        return emeralds_copy

    @staticmethod
    def backward(ctx, g):
        f"{u05} again" if False else None
        return g, None
'''

NATIVE = """
class AbsProduct(Function):
    @staticmethod
    def forward(ctx, u, v):
        ctx.save_for_backward(u, v)
        return (u * v).abs()

    @staticmethod
    def backward(ctx, grad_output):
        u, v = (t.detach().requires_grad_() for t in ctx.saved_tensors)
        with torch.enable_grad():
            y = (u * v).abs()
        return torch.autograd.grad(y, (u, v), grad_output)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Fourteen students: u11 hands in nothing, the others what is written here; graded and reported on."""
    made = MadeCourse(tmp_path_factory.mktemp("course"))
    made.add_students(STUDENTS)
    right = made.right
    for student in ("u01", "u02", "u03"):
        made.submit(student, right)
    made.submit("u04", {"kill_head": right["kill_head"]})
    made.submit("u05", right | {"kill_head": TELLING})
    made.submit("u06", right | {"kill_head": TELLING})  # copied
    one = {e: submissions.named(f"{e}/bad_one_gradient").source for e in ("kill_head", "abs_product")}
    made.submit("u07", right | one)
    made.submit("u08", {"affine": submissions.named("affine/bad_one_gradient").source})
    made.submit("u09", right | {"abs_product": NATIVE})
    made.submit("u10", '{"cells": [')
    made.submit("u12", {})
    made.submit("u13", right | {"kill_head": TELLING, "abs_product": NATIVE})
    made.submit("u14", right | {"linear": "def broken(:"})
    made.grade()
    run(made.folder, "autograder", "report", ASSIGNMENT)
    return made.folder


@pytest.fixture(scope="module")
def page(course):
    return (course / "reports" / ASSIGNMENT / "index.html").read_text()


def rows(course, name):
    with (course / "reports" / ASSIGNMENT / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def section(page, name):
    return re.search(rf'<section aria-labelledby="{name}">.*?</section>', page, re.DOTALL)[0]


def plain(fragment):
    return " ".join(re.sub(r"<[^>]+>", " ", fragment).split())


def test_copies_are_listed_for_the_instructor_alone(course, page):
    said = run(course, "autograder", "similar", ASSIGNMENT).stdout
    (group,) = [line for line in said.splitlines() if line.startswith("solutions/, ")]
    assert {"u01", "u02", "u03"} <= {*re.findall(r"u\d\d", group)}
    assert "100 %" in group
    assert "u04" not in group  # who has copied one of five
    assert "lines ### BEGIN SOLUTION" in said
    assert "No points depend on this." in said
    assert "no assignment 05-x" in run(course, "autograder", "similar", "05-x", expect=2).stderr
    shown = plain(section(page, "alike"))
    assert "solutions/, Agate Quartz, Beryl Zircon, Citrine Olivine" in shown
    run(course, "autograder", "report", ASSIGNMENT, "--for-class")
    assert "solutions/, " not in (course / "reports" / ASSIGNMENT / "class.html").read_text()


def test_there_is_a_row_for_each_student_and_exercise(course):
    found = {(row["student"], row["exercise"]): row for row in rows(course, "results.csv")}
    assert set(found) == {(student, exercise) for student in STUDENTS for exercise in EXERCISES}
    assert found["u01", "linear"]["verdict"] == "right"
    assert (found["u01", "linear"]["points"], found["u01", "linear"]["max_points"]) == ("5", "5")
    assert found["u05", "kill_head"]["mistakes"] == "missing-mask"
    assert found["u05", "kill_head"]["verdict"] == "partly right"
    assert found["u04", "linear"]["verdict"] == "not attempted"
    assert found["u11", "linear"]["verdict"] == "not handed in"
    assert found["u10", "linear"]["verdict"] == "could not be read"
    assert "not JSON" in found["u10", "linear"]["note"]
    assert found["u09", "abs_product"]["verdict"] == "for a person to decide"


def test_points_are_those_of_nbgraders_own_export(course):
    run(course, "nbgrader", "export", "--to=scores.csv")
    with (course / "scores.csv").open() as file:
        exported = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    found = dict.fromkeys(STUDENTS, 0.0)
    for row in rows(course, "results.csv"):
        found[row["student"]] += float(row["points"])
    assert found == exported


def test_mistakes_are_ranked_by_the_students_who_made_them(course, page):
    found = {row["mistake"]: row for row in rows(course, "mistakes.csv")}
    assert found["missing-mask"]["students"] == "3"
    assert found["syntax error"]["exercises"] == "linear"
    assert found["too-few-gradients"]["students"] == "2"
    assert found["too-few-gradients"]["exercises"] == "kill_head;abs_product;affine"
    counts = [int(n) for n in re.findall(r"<span>(\d+) students?</span>", section(page, "mistakes"))]
    named = [row for row in rows(course, "mistakes.csv") if "without a name" not in row["mistake"]]
    assert counts[: len(named)] == sorted(counts[: len(named)], reverse=True)


def test_correlations_are_scipys_of_an_exercise_with_the_rest(course):
    from scipy.stats import pearsonr  # takes a second, in every process that reads this file

    points = {}
    for row in rows(course, "results.csv"):
        if row["student"] not in (*UNDECIDED, "u11"):  # u11 has handed in nothing
            points.setdefault(row["exercise"], []).append(float(row["points"]))
    for row in rows(course, "exercises.csv"):
        own = points[row["exercise"]]
        others = [sum(points[e][i] for e in points if e != row["exercise"]) for i in range(len(own))]
        known = pearsonr(own, others)
        interval = known.confidence_interval(0.95)
        said = [float(row[name]) for name in ("corrected_item_total_correlation", "low_95", "high_95")]
        assert said == pytest.approx([known.statistic, interval.low, interval.high], abs=1e-4)


def test_nobody_is_named_outside_the_last_sections(page):
    public = page
    for name in ("help", "decide", "alike"):
        public = public.replace(section(page, name), "")
    for names in STUDENTS.values():
        for name in names:
            assert name.lower() not in public.lower()
    assert not re.search(r"\bu\d\d\b", public)
    assert "emerald" not in public.lower()
    assert "return (name_" in public  # the example itself is there


def test_an_example_is_shown_only_where_three_share_the_mistake(page):
    mistakes = section(page, "mistakes")
    assert mistakes.count("<details>") == 1
    example = re.search(r'id="missing-mask".*?<pre>(.*?)</pre>', mistakes, re.DOTALL)[1]
    assert "return (name_" in example  # g, which is a student's own name
    assert "torch.autograd.Function" in example


def test_the_page_for_the_class_names_nobody(course):
    before = {path.name: path.read_bytes() for path in (course / "reports" / ASSIGNMENT).iterdir()}
    said = run(course, "autograder", "report", ASSIGNMENT, "--for-class").stdout
    public = (course / "reports" / ASSIGNMENT / "class.html").read_text().lower()
    assert said.strip().endswith("class.html")
    for student, names in STUDENTS.items():
        for name in (student, *names):
            assert name.lower() not in public
    assert ".csv" not in public
    assert "missing-mask" in public
    after = {path.name: path.read_bytes() for path in (course / "reports" / ASSIGNMENT).iterdir()}
    assert {name: after[name] for name in before} == before


def test_the_table_of_students_has_the_scores_of_the_summary(course):
    found = {row["student"]: row for row in rows(course, "students.csv")}
    said = run(course, "autograder", "grade", ASSIGNMENT, "--json").stdout
    summary = {row["student"]: row for row in map(json.loads, said.splitlines())}
    assert summary.keys() == found.keys()
    for student, row in summary.items():
        assert found[student]["score"] == ("" if row["score"] is None else f"{row['score']:g}")
        assert found[student]["undecided"] == ";".join(row["needs_person"])


def test_undecided_work_is_left_out_of_mean_and_histogram_and_counted(course, page):
    decided = [row for row in rows(course, "students.csv") if not row["undecided"] and row["score"]]
    assert {row["student"] for row in decided} == STUDENTS.keys() - {*UNDECIDED, "u11"}
    scores = [float(row["score"]) for row in decided]
    numbers = plain(page[: page.index("<section")])
    average = f"{sum(scores) / len(scores):.1f}"
    assert f"graded {len(scores)} undecided, left out 3 mean points {average}" in numbers
    shown = section(page, "scores")
    assert sum(map(int, re.findall(r"(?:to|under) \d+: (\d+)[;.]", shown))) == len(scores)
    assert "students who handed in nothing and 3 with undecided points are left out" in plain(shown)
    assert "and 3 whose points are not all decided" in plain(section(page, "exercises"))
    said = run(course, "autograder", "grade", ASSIGNMENT).stdout
    full = sum(score == 20 for score in scores)
    mean = f"Mean {average} of 20 points; {full} have all of them."
    assert f"{mean} Left out: 3 with undecided points.\n" in said


def test_those_who_need_help_are_named_with_the_reason(page):
    help_ = plain(section(page, "help"))
    assert "Kaolinite Lazulite u11 0 Handed in nothing." in help_
    assert "Lapis Barite u12 0 Handed in the assignment without changes." in help_
    assert "Jasper Pyrite u10 0 Could not be read:" in help_
    assert "Made too-few-gradients in kill_head and in abs_product." in help_
    assert "not attempted: abs_product, affine, scale_rows, linear." in help_
    assert "Agate" not in help_


def test_what_a_person_must_decide_is_listed(page):
    decide = plain(section(page, "decide"))
    assert re.search(r"abs_product Ilmenite Kunzite [\d.]+ of 4 , Malachite Sodalite [\d.]+ of 4", decide)
    assert decide.count("native autograd") == 1
    assert "Diamond" not in decide


def test_a_late_penalty_is_no_need_of_help_and_two_of_one_name_have_their_ids(course, tmp_path):
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    with Gradebook(f"sqlite:///{copy / 'gradebook.db'}", "write-your-own-backward") as book:
        for student in ("u01", "u04"):
            (notebook,) = book.find_submission(ASSIGNMENT, student).notebooks
            notebook.late_submission_penalty = 20.0
        book.update_or_create_student("u14", first_name="Malachite", last_name="Sodalite")
        book.db.commit()
    run(copy, "autograder", "report", ASSIGNMENT)
    page = (copy / "reports" / ASSIGNMENT / "index.html").read_text()
    help_, decide = (plain(section(page, name)) for name in ("help", "decide"))
    assert "Agate" not in help_
    assert "4 of 20 points before the late penalty" in help_
    assert "Malachite Sodalite (u13)" in decide
    assert "Ilmenite Kunzite (u09)" not in decide
    assert "Ilmenite Kunzite" in decide


def test_a_mistake_leads_to_its_lesson(page):
    teach = plain(section(page, "teach"))
    assert re.search(r"Lesson 4\. \D+ 6 .*missing-mask", teach)


@pytest.mark.long
def test_mistakes_of_other_assignments_repeat(course):
    other = course / "autograded" / "u06" / "03-other"
    other.mkdir()
    finding = {"mistake": "missing-mask", "check": "gradient", "message": ""}
    mime = "application/vnd.write-your-own-backward.result+json"
    output = {"output_type": "display_data", "metadata": {}, "data": {mime: {"findings": [finding]}}}
    graded = {
        "cell_type": "code",
        "metadata": {"nbgrader": {"grade": True, "grade_id": "other"}},
        "source": "",
        "outputs": [output],
    }
    (other / "other.ipynb").write_text(json.dumps({"cells": [graded], "metadata": {}}))
    run(course, "autograder", "report", ASSIGNMENT, "--into", "again")
    help_ = plain(section((course / "again" / "index.html").read_text(), "help"))
    assert "Made missing-mask in kill_head, and in assignment 03-other." in help_


def test_a_folder_that_no_id_can_name_is_listed_and_not_passed_over(course):
    (course / "submitted" / "u13<b>" / ASSIGNMENT).mkdir(parents=True)
    run(course, "autograder", "report", ASSIGNMENT, "--into", "misnamed")
    decide = section((course / "misnamed" / "index.html").read_text(), "decide")
    assert "u13&lt;b&gt;: it has the character &lt;" in decide


def test_where_nothing_can_be_written_there_is_one_sentence(course):
    done = run(course, "autograder", "report", ASSIGNMENT, "--into", "class.csv/report", expect=2)
    assert "class.csv/report cannot be written: Not a directory." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_one_decision_settles_a_group(course, tmp_path):
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    listed = run(copy, "autograder", "decide", ASSIGNMENT, expect=1).stdout
    named = re.escape("u09 (Ilmenite Kunzite), u13 (Malachite Sodalite)")
    group = re.search(rf"^(\w+)  abs_product, 2 students: {named}$", listed, re.MULTILINE)[1]
    for wrong in (["nothing", "--points", "1"], [group, "--points", "5"], [group, "--points", "x"], [group]):
        refused = run(copy, "autograder", "decide", ASSIGNMENT, *wrong, expect=2)
        assert refused.stderr.startswith("autograder: ")
        assert "Traceback" not in refused.stderr
    said = run(copy, "autograder", "decide", ASSIGNMENT, group, "--points", "1.5", expect=1).stdout
    assert "Decided for 2 students." in said
    unread = re.search(
        r"^(\w+)  all exercises, 1 students: u10 \(Jasper Pyrite\)\n.*not JSON", said, re.MULTILINE
    )[1]
    refused = run(copy, "autograder", "decide", ASSIGNMENT, unread, "--points", "4", expect=2)
    assert "affine has 0 to 3 points" in refused.stderr
    said = run(copy, "autograder", "decide", ASSIGNMENT, unread, "--points", "2").stdout
    assert "Decided for 1 students." in said
    assert "nothing is left to decide" in said
    row = json.loads(run(copy, "autograder", "grade", ASSIGNMENT, "--student", "u10", "--json").stdout)
    assert (row["score"], row["needs_person"]) == (10, [])
    one = ("--student", "u09", "--json")
    row = json.loads(run(copy, "autograder", "grade", ASSIGNMENT, *one).stdout)
    assert row["score"] == 17.5
    assert row["needs_person"] == []


def test_without_a_gradebook_or_assignment_there_is_one_sentence(course, tmp_path):
    done = run(course, "autograder", "report", "05-unknown", expect=2)
    assert "The gradebook has no assignment 05-unknown; it has: 04-first-function." in done.stderr
    done = run(tmp_path, "autograder", "report", ASSIGNMENT, expect=2)
    assert "Traceback" not in done.stderr
    assert "autograder: There is no" in done.stderr


@needs_browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 900), ("dark", 900), ("light", 400)])
def test_the_page_asks_for_nothing_and_fits(course, scheme, width):
    address = (course / "reports" / ASSIGNMENT / "index.html").as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert dark == (scheme == "dark")
        for table in page.locator(".wide").all():  # nothing that one would have to push aside
            assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
        drawn = page.get_by_role("img")
        assert drawn.count() == 2
        assert "18 to 20: 3" in drawn.first.get_attribute("aria-label")
        assert "kill_head: " in drawn.last.get_attribute("aria-label")
        browser.close()
    assert asked == [address]
    assert said == []
