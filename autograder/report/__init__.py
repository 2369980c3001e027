"""Reports on a graded class for its instructor: one page, and tables with all data.

Read in this order: `classroom` (the data), `read` (from the gradebook and autograded/), `item_analysis`
(which exercises separate strong from weak students), `mistakes` (the mistakes of a class), `lessons` (the
lesson for each mistake), `help_needed` (which students need help), `groups` (undecided work by exercise and
reason), `similar` (hand-ins that are alike), `anonymise` (examples without their authors), `charts` and
`page` (the page), `tables` (CSV), `cli` and `decide` (the commands).
"""
