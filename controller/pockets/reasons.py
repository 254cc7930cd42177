"""Why a node's pockets are lost, with what to do, as every screen says it."""

UNANSWERED = "no pocket node answers: is this its port, and does the node run?"
GARBLED = (
    "what comes from this port is not a pocket node's: is it the right port? A node "
    "with other firmware needs carrom flash"
)
REPEATED = (
    "the pocket node restarted and counts its starts anew, so that new falls bear old "
    "numbers: its EEPROM keeps nothing; flash it again, else take another board, and "
    "look at the table"
)
RESTARTED = (
    "the pocket node restarted ({cause}): what it had not sent is gone, look at the "
    "table"
)
