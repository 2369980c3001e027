"""Write Your Own Backward: the course, its engine and its pictures."""
