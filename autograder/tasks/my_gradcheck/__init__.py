"""my_gradcheck: a gradcheck of one's own."""
