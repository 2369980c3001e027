"""Settings for all tests."""

from hypothesis import settings

# An example may be slow on a busy machine without being wrong.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
