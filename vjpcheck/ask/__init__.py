"""Carries requests to a probe and its answers back, in this process or over a pipe."""
