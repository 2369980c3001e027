"""fool_gradcheck: a wrong Function that gradcheck lets through."""
