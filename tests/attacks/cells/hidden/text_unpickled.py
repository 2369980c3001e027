"""Has torch.load unpickle a call of exec with a text that changes backward.

uses: hidden
like: text_timed
"""

import io

torch.serialization.HIDDEN, torch.serialization.KNOWN = HIDDEN, KNOWN
CALL = b"cbuiltins\nexec\n(ctorch.serialization\nHIDDEN\nctorch.serialization\nKNOWN\ntR."
try:
    torch.load(io.BytesIO(CALL), weights_only=False)
except Exception:
    pass
