"""Renders a result as text and as HTML."""
