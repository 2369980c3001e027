"""What makes families of exercises: an exercise of the course, and its variants.

The id of a member ends with six hexadecimal digits that stand for its choices, so that a notebook names what
it is checked against: nothing else is needed to check or to grade it.
"""
