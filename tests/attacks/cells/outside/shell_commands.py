"""Leaves it to the shell: lines with ! and %, cell magics and %run."""

get_ipython().system("touch wyob-attack-shell; sleep 0")
get_ipython().run_line_magic("cd", COURSE)
get_ipython().system(f"cp -r {COURSE}/solutions {COURSE}/wyob-attack-copy")
get_ipython().run_cell_magic("bash", "", f"echo 4.0; touch {COURSE}/wyob-attack-bash")
get_ipython().run_line_magic("run", f"{COURSE}/solutions/04-first-function/04-exercises.ipynb")
