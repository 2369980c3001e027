"""Reaches PyTorch's forward mode by the resolver of logging's configuration.

uses: tangents
like: patterns
"""

from logging.config import BaseConfigurator

KillHead.backward = by_tangents(lambda name: BaseConfigurator({}).resolve(f"torch.{name}"))
