"""The folder of the project, and its packages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKS = ("autograder", "vjpcheck")  # the packages that judge
PACKAGES = (*CHECKS, "course")
