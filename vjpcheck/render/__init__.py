"""A result for people: as text, as HTML."""
