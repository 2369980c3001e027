"""Lets an editable installation, too, install the data files that pyproject.toml names."""

from setuptools import Distribution, setup


class DistributionWithDataFiles(Distribution):
    """Tells setuptools that there are data files: it asks for `has_data`, which no class of its own has."""

    def has_data(self) -> bool:
        """Return whether there are data files."""
        return bool(self.data_files)


setup(distclass=DistributionWithDataFiles)
