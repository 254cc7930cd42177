"""The umpire's page and its API."""
