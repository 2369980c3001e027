"""Write Your Own Backward: the course, its engine and its pictures."""

import warnings

# What PyTorch's own modules call, and a later release will not have, is nothing that a reader can change:
# in PyTorch 2.15, torch.func.jvp calls torch.jit.script. Warnings about a reader's own line are shown.
warnings.filterwarnings("ignore", category=FutureWarning, module=r"torch\.")
