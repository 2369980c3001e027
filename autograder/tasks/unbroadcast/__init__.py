"""unbroadcast: a gradient summed back over what broadcasting repeated."""
