"""What the templates of a lesson are filled in with: one module a lesson, one function a family."""
