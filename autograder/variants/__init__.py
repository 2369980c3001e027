"""`autograder variant` makes a new assignment of a lesson, `autograder handout` packs what students get.

`draw` chooses the members of the families, `words` has for each lesson what the members' texts are filled in
with, `templates/` the texts and solutions, `assignment` puts them into the lesson's own notebook, `students`
makes one for each student, and `handout` packs.
"""
