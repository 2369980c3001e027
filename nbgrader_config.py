"""An nbgrader course in this folder: what an instructor runs nbgrader with."""

from pathlib import Path

from nbgrader.converters import GenerateAssignment

from autograder.grading.course import find_own_programs
from autograder.grading.logs import show_names_safely

find_own_programs()  # of this environment, for nbgrader, which calls alembic by name
show_names_safely()  # in what nbgrader logs of files that students have named

c = get_config()  # noqa: F821 - nbgrader provides it

c.CourseDirectory.course_id = "write-your-own-backward"
c.CourseDirectory.root = str(Path(__file__).parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# zip_collect: before the first underscore of a file's name is the student, after the last the notebook, as in
# ada_04-exercises.ipynb or, as Canvas names them, quartzagate_1234_5678_04-exercises.ipynb. Of an archive
# or a folder its own name counts, such as quartzagate_1234_5678_homework.zip, and no name in it.
# What cannot be read, a damaged zip say, is named, and all others are collected.
c.ZipCollectApp.extractor_plugin = "autograder.grading.collect.NotebookExtractor"
c.ZipCollectApp.collector_plugin = "autograder.grading.collect.OutermostNameCollector"

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
preprocessors = [f"nbgrader.preprocessors.{p.__name__}" for p in GenerateAssignment.preprocessors.default()]
after = preprocessors.index("nbgrader.preprocessors.ClearSolutions") + 1
preprocessors.insert(after, "autograder.preprocessors.drop_top_level_stubs.DropTopLevelStubs")
c.GenerateAssignment.preprocessors = preprocessors

# Pages of feedback need no network; `autograder feedback` writes the same ones faster.
c.GenerateFeedback.preprocessors = ["nbgrader.preprocessors.GetGrades"]
c.GenerateFeedback.exporter_class = "autograder.feedback.exporter.FeedbackExporter"

# A submission is not executed as it is: see autograder/grading. `c.Grade.allow_weak_isolation = True` grades
# on machines that cannot isolate submissions, and notes it with each grade. With
# `c.Grade.time_limit = 120` each process of a submission has 120 seconds instead of 60.
c.Autograde.exporter_class = "autograder.grading.nbgrader_plugins.SubmissionExporter"
c.Autograde.pre_convert_hook = "autograder.grading.nbgrader_plugins.prepare"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "autograder.grading.nbgrader_plugins.Grade",
    "autograder.grading.nbgrader_plugins.SaveGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
]
