"""The official score card of a match, as a page and on paper."""
