"""Seeing a computation: one model, one picture, one player."""
