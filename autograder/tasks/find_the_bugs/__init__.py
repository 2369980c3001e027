"""find_the_bugs: which mistake each of eight Functions has."""
