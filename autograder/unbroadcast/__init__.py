"""The exercise of summing a gradient back over what broadcasting repeated."""
