"""What this table is: geometry, lens, plane mapping, colours, profile."""
