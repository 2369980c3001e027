# expected: cannot run
import torch
import a_module_that_nobody_has


class KillHead(torch.autograd.Function):
    pass
