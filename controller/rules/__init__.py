"""The laws of carrom, pure: no clock, camera, port or network."""
