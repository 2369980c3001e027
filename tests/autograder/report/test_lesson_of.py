"""Every mistake that has a name leads to a lesson."""

import submissions

from autograder.exercises import EXERCISES
from autograder.report.lessons import LESSONS, lesson_of, title
from vjpcheck.mistakes import MISTAKES


def test_lessons_are_those_of_the_course():
    assert {*LESSONS.values()} <= {exercise.lesson for exercise in EXERCISES.values()}
    assert {*LESSONS} <= {*MISTAKES}


def test_a_mistake_without_a_lesson_is_not_that_of_a_single_one():
    for mistake in {*MISTAKES} - {*LESSONS}:
        made_in = {EXERCISES[s.exercise].lesson for s in submissions.every() if s.expected == mistake}
        assert len(made_in) != 1, mistake


def test_what_belongs_to_no_lesson_belongs_to_that_of_its_exercise():
    assert lesson_of("forward-value", "kill_head") == 4
    assert lesson_of("forward-value", "softmax") == 9
    assert lesson_of("missing-transpose", "linear") == 3


def test_a_title_is_the_heading_of_the_notebook():
    assert title(4) == "Lesson 4. Write a custom torch.autograd.Function: forward, backward and ctx"
    assert title(99) == "Lesson 99"
