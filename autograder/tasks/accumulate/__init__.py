"""accumulate: the backward loop over the engine's graph."""
