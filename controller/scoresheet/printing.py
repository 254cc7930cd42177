"""A page on paper: HTML to PDF by the browser that is installed anyway."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from calibration.refusal import Refusal

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LIMIT_S = 120.0
"""A Pi takes some seconds to print a page; a browser that hangs is ended."""


def print_page(html: str, pdf: Path) -> None:
    """Print a page to a PDF file.

    Raises Refusal when no browser is installed or it prints nothing.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise Refusal(
            "no browser prints the PDF: install chromium, or take --html and print it"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, printed = Path(folder) / "card.html", Path(folder) / "card.pdf"
        source.write_text(html, encoding="utf-8")
        _run(_command(browser, source, printed, folder))
        if not printed.is_file():
            raise Refusal(f"{browser} printed nothing; take --html and print that")
        _keep(printed.read_bytes(), pdf)


def _command(browser: str, source: Path, printed: Path, folder: str) -> list[str]:
    command = [
        browser,
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--no-pdf-header-footer",
        f"--user-data-dir={folder}/profile",
        f"--print-to-pdf={printed}",
    ]
    # Chromium's sandbox refuses to run as root; the page is our own and has no script.
    if os.geteuid() == 0:
        command.append("--no-sandbox")
    return [*command, source.as_uri()]


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise Refusal(
            f"{command[0]} did not print within {LIMIT_S:.0f} s; take --html instead"
        ) from error
    except OSError as error:
        raise Refusal(f"cannot start {command[0]}: {error.strerror}") from error


def _keep(content: bytes, pdf: Path) -> None:
    try:
        pdf.write_bytes(content)
    except OSError as error:
        raise Refusal(f"cannot write {pdf}: {error.strerror}") from error
