"""What it means and whom to tell: pockets, laws, journal, feed, pages."""
