"""Names the mistake behind a wrong result: one file for each kind of evidence."""
