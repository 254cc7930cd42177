"""What lies on the table now: frames, detection, tracks, census."""
