"""The points and comments of a notebook."""

from dataclasses import dataclass, field


@dataclass
class Marks:
    """The points and the maximum of each graded cell, and the comment of each solution cell, by grade_id.

    `comments` are Markdown: a person's comment, otherwise the autograder's.
    """

    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    late_penalty: float = 0.0

    @property
    def score(self) -> float:
        """Return the points after the late penalty."""
        return max(0.0, sum(points for points, _ in self.points.values()) - self.late_penalty)

    @property
    def max_score(self) -> float:
        """Return the maximum points of all cells."""
        return sum(at_most for _, at_most in self.points.values())
