"""What an instructor learns from a graded class: one page, and tables for everything else.

Read in this order: `classroom` (the data), `read` (from the gradebook and autograded/), `item_analysis`
(which exercises separate strong from weak students), `mistakes` (what was done wrong, by how many),
`lessons` (which lesson teaches it), `help_needed` (which students need help), `groups` (what is undecided, by
what it shares), `anonymise` (examples without their authors), `charts` and `page` (the page), `tables` (CSV),
`cli` and `decide` (the commands).
"""
