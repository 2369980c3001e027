"""Requests to a probe and its answers, in this process or over a pipe."""
