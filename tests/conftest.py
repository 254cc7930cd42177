"""What holds for every test: a busy machine must fail no property test."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
