"""The one error for input that cannot be used."""


class Refusal(ValueError):
    """Unusable input: the message names the thing, the value and the remedy.

    The command line shows it as one line on standard error and exits with 2.
    """
