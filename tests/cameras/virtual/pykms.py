"""Stands for kms++'s Python module, which Debian lacks and picamera2 imports.

Only the names of pixel formats are asked of it, and only for a preview window.
"""


class _Names:
    def __getattr__(self, name: str) -> str:
        return name


PixelFormat = _Names()
