"""forward_sweep and reverse_sweep: a sweep over a tape."""
