"""This course's preprocessors for nbgrader; `nbgrader_config.py` names them."""
