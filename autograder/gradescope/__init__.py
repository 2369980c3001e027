"""The autograder as a zip for Gradescope.

Read in this order: `cli` and `export` (which files go in), `bundle` (the assignment as data, without its
solutions), `setup.sh` and `run_autograder` (Gradescope starts them), `harness` (grades one submission in
the container), `results` (Gradescope's results.json). The format is Gradescope's own, as documented at
https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""
