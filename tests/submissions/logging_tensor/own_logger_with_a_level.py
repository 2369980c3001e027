# expected: right
import logging

import torch

logger = logging.getLogger("logging_tensor")
logger.setLevel(logging.DEBUG)


class LoggingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        logger.debug("torch call: %s", torch.overrides.resolve_name(func))
        return super().__torch_function__(func, types, args, kwargs if kwargs else {})
