"""One module per command of the command line; heavy imports stay inside."""
