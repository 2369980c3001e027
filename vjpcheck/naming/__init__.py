"""What names a mistake: one file for each kind of evidence."""
