"""Where frames come from: recordings, cameras, the rendered table."""
