"""Exercises whose object is a torch.autograd.Function: exercise, probe, verdict, explanation."""
