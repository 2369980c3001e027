"""An nbgrader course in this folder: what an instructor runs nbgrader with."""

from pathlib import Path

from nbgrader.converters import GenerateAssignment

from autograder.grading.course import find_own_programs

find_own_programs()  # of this environment, for nbgrader, which calls alembic by name

c = get_config()  # noqa: F821 - nbgrader provides it

c.CourseDirectory.course_id = "write-your-own-backward"
c.CourseDirectory.root = str(Path(__file__).parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# zip_collect: before the first underscore of a file's name is the student, after the last the notebook, as in
# ada_04-exercises.ipynb or, as Canvas names them, quinteroadela_1234_5678_04-exercises.ipynb
c.FileNameCollectorPlugin.named_regexp = r".*/(?P<student_id>[^/_]+)_([^/]*_)?(?P<file_id>[^/_]+\.ipynb)$"

c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
preprocessors = [f"nbgrader.preprocessors.{p.__name__}" for p in GenerateAssignment.preprocessors.default()]
after = preprocessors.index("nbgrader.preprocessors.ClearSolutions") + 1
preprocessors.insert(after, "autograder.preprocessors.drop_top_level_stubs.DropTopLevelStubs")
c.GenerateAssignment.preprocessors = preprocessors

# A submission is not executed as it is: see autograder/grading. `c.Grade.allow_weak_isolation = True` grades
# on machines that cannot isolate submissions, and notes it with each grade.
c.Autograde.exporter_class = "autograder.grading.nbgrader_plugins.SubmissionExporter"
c.Autograde.pre_convert_hook = "autograder.grading.nbgrader_plugins.prepare"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "autograder.grading.nbgrader_plugins.Grade",
    "autograder.grading.nbgrader_plugins.SaveGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
]
