"""What the world is told, and how it gets there."""
