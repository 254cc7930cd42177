"""Who gets past the console's door."""

from pathlib import Path

import pytest

from calibration.refusal import Refusal
from controller.console.access import CSRF_HEADER, Denied, Gate, Keyring, Role

HOST = "127.0.0.1:8001"


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring.kept_in(tmp_path / "console.secret")


@pytest.fixture
def gate(keyring: Keyring) -> Gate:
    return Gate.at(keyring, "127.0.0.1", 8001)


@pytest.fixture
def visit(keyring: Keyring) -> str:
    return keyring.new_visit()


def own_page(keyring: Keyring, visit: str) -> dict[str, str]:
    """The headers our own page sends with a ruling."""
    return {
        "host": HOST,
        "origin": f"http://{HOST}",
        "sec-fetch-site": "same-origin",
        CSRF_HEADER: keyring.csrf(visit),
    }


def test_our_own_page_may_rule(gate: Gate, keyring: Keyring, visit: str) -> None:
    assert gate.refuses("POST", own_page(keyring, visit), visit) is None


def test_a_program_with_the_token_may_rule(gate: Gate, keyring: Keyring) -> None:
    headers = {"host": HOST, "authorization": f"Bearer {keyring.token}"}
    assert gate.refuses("POST", headers, "") is None


STRANGERS = {
    "no cookie": "",
    "an invented cookie": "abc.def",
    "a cookie with a changed name": "x",
}


@pytest.mark.parametrize("cookie", STRANGERS.values(), ids=STRANGERS.keys())
def test_a_stranger_may_not_even_read(gate: Gate, cookie: str) -> None:
    assert gate.refuses("GET", {"host": HOST}, cookie) is Denied.STRANGER


def test_a_wrong_token_opens_nothing(gate: Gate) -> None:
    headers = {"host": HOST, "authorization": "Bearer 00"}
    assert gate.refuses("POST", headers, "") is Denied.STRANGER


def test_a_name_that_leads_here_by_dns_rebinding_is_refused(
    gate: Gate, visit: str
) -> None:
    assert gate.refuses("GET", {"host": "evil.test:8001"}, visit) is Denied.HOST


CROSS_SITE = {
    "another origin": ({"origin": "http://evil.test"}, Denied.ORIGIN),
    "another port here": ({"origin": "http://127.0.0.1:9"}, Denied.ORIGIN),
    "a cross-site fetch": ({"sec-fetch-site": "cross-site"}, Denied.ORIGIN),
    "no csrf header": ({CSRF_HEADER: ""}, Denied.CSRF),
    "another visit's csrf": ({CSRF_HEADER: "0" * 43}, Denied.CSRF),
}


@pytest.mark.parametrize(
    ("changed", "denied"), CROSS_SITE.values(), ids=CROSS_SITE.keys()
)
def test_another_site_cannot_rule_in_the_umpires_name(
    gate: Gate, keyring: Keyring, visit: str, changed: dict[str, str], denied: Denied
) -> None:
    headers = own_page(keyring, visit) | changed
    assert gate.refuses("POST", headers, visit) is denied


def test_a_technician_may_calibrate_and_rule_nothing(
    gate: Gate, keyring: Keyring
) -> None:
    visit = keyring.new_visit(Role.TECHNICIAN)
    headers = own_page(keyring, visit)
    assert gate.refuses("POST", headers, visit, Role.TECHNICIAN) is None
    assert gate.refuses("POST", headers, visit) is Denied.ROLE
    assert gate.refuses("GET", headers, visit) is Denied.ROLE


def test_the_umpire_may_calibrate_too(gate: Gate, keyring: Keyring, visit: str) -> None:
    headers = own_page(keyring, visit)
    assert gate.refuses("POST", headers, visit, Role.TECHNICIAN) is None


def test_a_technicians_token_opens_no_ruling(gate: Gate, keyring: Keyring) -> None:
    token = keyring.token_of(Role.TECHNICIAN)
    headers = {"host": HOST, "authorization": f"Bearer {token}"}
    assert gate.refuses("POST", headers, "") is Denied.ROLE


def test_a_restarted_controller_still_knows_its_umpire(tmp_path: Path) -> None:
    before = Keyring.kept_in(tmp_path / "console.secret")
    after = Keyring.kept_in(tmp_path / "console.secret")
    assert after.by_visit(before.new_visit()) is Role.UMPIRE
    assert after.token == before.token


def test_the_secret_is_ours_alone(tmp_path: Path) -> None:
    Keyring.kept_in(tmp_path / "console.secret")
    assert (tmp_path / "console.secret").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("left", [b"", b"0" * 63, b"not a secret", b"\xff\xfe"])
def test_a_secret_file_cut_short_lets_nobody_in(tmp_path: Path, left: bytes) -> None:
    secret = tmp_path / "console.secret"
    secret.write_bytes(left)
    with pytest.raises(Refusal, match="is no 64 hex digits: remove it"):
        Keyring.kept_in(secret)


def test_a_secret_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"cannot be used .*: choose a file"):
        Keyring.kept_in(tmp_path)


def test_a_secret_made_at_the_first_start_is_read_again(tmp_path: Path) -> None:
    secret = tmp_path / "new" / "console.secret"
    made = Keyring.kept_in(secret)
    assert Keyring.kept_in(secret) == made
    assert secret.stat().st_mode & 0o077 == 0
