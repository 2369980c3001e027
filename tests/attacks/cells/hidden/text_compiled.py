"""Has codeop compile a text that changes backward, and makes a function of it.

uses: hidden
like: text_timed
"""

import codeop
import types

types.FunctionType(codeop.compile_command(HIDDEN, symbol="exec"), torch.nn.functional.__dict__ | KNOWN)()
