"""Reads constants.json: the constants that a picture in Python and the player's scripts share.

The scripts have them as `SHARED`. Each is named and explained in the module that draws with it.
"""

import json
from importlib import resources
from typing import Any

SHARED: dict[str, Any] = json.loads(
    resources.files("course.graph").joinpath("constants.json").read_text(encoding="utf-8")
)
