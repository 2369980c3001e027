"""Declares an encoding in which the comment that follows is code.

uses: hidden
first: # -*- coding: utf-7 -*-
like: patterns
"""

# +AAo-exec(HIDDEN, KNOWN)
