"""What nbgrader runs in this course beyond its own preprocessors; `nbgrader_config.py` names them."""
