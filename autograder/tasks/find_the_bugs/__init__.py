"""find_the_bugs: name the mistake in each of eight Functions."""
