"""Debian's chromium, and the two screens the console is made for."""

import shutil

CHROMIUM = shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PATIENCE_MS = 20_000
