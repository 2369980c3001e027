"""my_gradcheck: a student's own gradcheck."""
