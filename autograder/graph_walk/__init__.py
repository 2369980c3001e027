"""Exercises whose object is a walk over the engine's graph: its order, and the backward pass itself."""
