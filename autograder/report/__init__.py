"""What an instructor learns from a graded class: one page, and tables for everything else.

Read in this order: `classroom` (the data), `read` (where it comes from: the gradebook and autograded/),
`items` (which exercises separate strong from weak students), `mistakes` (what was done wrong, by how many,
and which lesson teaches it), `pupils` (who needs help), `anonymise` (examples without their authors),
`charts` and `page` (the page), `tables` (CSV), `command` (the command line).
"""
