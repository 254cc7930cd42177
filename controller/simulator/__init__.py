"""A table, players and pocket nodes that exist only in memory."""
