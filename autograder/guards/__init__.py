"""Runs graded cells so that they reach nothing but what course work needs.

What a name means is known only when it is used. So the code is rewritten to ask, before each attribute and
each import, whether the object at hand is on an allow-list. Read in this order: `allowed` (the list, as
data), `rewrite` (where the code asks), `guards` (what is asked), `stand_ins` (what replaces a few classes and
functions), `cells` (runs a cell statement by statement, and skips what was refused).
"""
