"""The display service: a subscriber that serves the scoreboard page."""
