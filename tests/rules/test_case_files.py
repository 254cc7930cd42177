"""`carrom judge FILE` refuses what it cannot understand, with line and remedy."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calibration.refusal import Refusal
from controller.__main__ import _app

TOP = Path(__file__).parents[2]
GOOD = "- {id: G, b: {x: 6}, st: {k: 1}, e: {turn: X}}\n"


def judged(file: Path) -> tuple[str, str]:
    """What `carrom judge FILE` printed, and why it refused the file."""
    words = ["judge", str(file)]
    result = CliRunner().invoke(_app(words), words)
    assert isinstance(result.exception, Refusal)
    return result.output, str(result.exception)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot read"),
        ("{id: A}", "is no list of law cases"),
        ("- [unclosed", "is not YAML"),
        ("- {? [a] : 3}", "line 1: this case has no id"),
        ("- {id: A, ? [a] : 3, e: {turn: Y}}", "is not YAML"),
        ("- {id: \0, e: {turn: Y}}", "is not YAML"),
        ("- [1, 2]", "line 1: is no law case but a list"),
        ("[]", "holds no law case: it would prove nothing"),
        ("- 3", "line 1: is no law case but '3'"),
        ("- {}", "line 1: this case has no id; give it one"),
        (GOOD + "- {b: {x: 6}, e: {turn: X}}", "line 2: this case has no id"),
        (GOOD + "- {id: A, st: {k: 1}}", "line 2: this case expects nothing"),
        (GOOD + GOOD, "line 2: the id 'G' is not its own, line 1 has it too"),
        (GOOD + "- id: A\n  b: {x: 6}\n  b: {y: 6}\n  e: {turn: X}", "line 4: 'b' is"),
        ("- {id: A, e: {turn: X, turn: Y}}", "line 1: 'turn' is said twice"),
        (GOOD + "- {id: A, b: {z: 1}, e: {turn: X}}", "line 2: A: no key 'b.z' is"),
        ("- id: A\n  st:\n    zz: 1\n  e: {turn: Y}", "line 3: A: no key 'st.zz'"),
        ("- {id: A, colour: red, e: {turn: Y}}", "no key 'colour' is known; docs/laws"),
        ("- &a {id: A, e: *a}", "line 1: A: no key 'e.id'"),
        ("- {id: A, b: {striker: 3}, e: {turn: Y}}", "'striker' must be a record"),
        ("- {id: A, e: {turn: Z}}", "line 1: A: e.turn is X, Y, over, got 'Z'"),
        ("- {id: A, e: {q: gone}}", "line 1: A: e.q is on, await, covX, covY"),
        ("- {id: A, e: {}}", "line 1: the e of this case is empty"),
        ("- {id: [A], e: {turn: X}}", "line 1: an id is one printable word"),
        ('- {id: "\\e[31mA", e: {turn: X}}', "line 1: an id is one printable word"),
        ("- {id: A, then: [3], e: {turn: Y}}", "A: 'then' is a record {st, e} or"),
        ("- {id: A, then: {s: 1}, e: {turn: Y}}", "A: 'then' has st and e, not 's'"),
        ("- {id: A, st: {imp: no}, e: {turn: Y}}", "imp is true or false, got 'no'"),
        ("- {id: A, st: {q: 2}, e: {turn: Y}}", "q is true or false, got 2"),
        ("- {id: A, b: {ever: no}, e: {turn: Y}}", "ever is true or false, got"),
        ("- {id: A, st: {seconds: -3}, e: {turn: Y}}", "seconds is a number from 0"),
        ("- {id: A, st: {seconds: .nan}, e: {turn: Y}}", "seconds is a number from"),
        ("- {id: A, b: {x: 1:30}, e: {turn: Y}}", "'x' must be a whole number"),
        ("- {id: A, b: {x: 010}, e: {turn: Y}}", "0 to 9 coins on the table, got 10"),
        ("- {id: A, b: {on_turn: Up}, e: {turn: Y}}", "a seat is South, East, North"),
        (
            "- {id: A, b: {striker: {both: true}}, e: {turn: Y}}",
            "no fact of the striker",
        ),
        (
            "- {id: A, b: {striker: {touches_both: no}}, e: {turn: Y}}",
            "touches_both is true or false, got 'no'",
        ),
        (GOOD + "- {id: A, rules: chess, e: {turn: X}}", "line 2: A: no rule set is"),
        ("- {id: A, b: {x: 10}, e: {turn: X}}", "line 1: A: a side has 0 to 9 coins"),
    ],
)
def test_an_unusable_file_is_refused_with_its_line_and_a_remedy(
    tmp_path: Path, text: str | None, complaint: str
) -> None:
    file = tmp_path / "cases.yaml"
    if text is not None:
        file.write_text(text)
    _, said = judged(file)
    assert complaint in said


def test_the_cases_beside_an_unknown_key_are_judged_all_the_same(
    tmp_path: Path,
) -> None:
    file = tmp_path / "cases.yaml"
    wrong = "- {id: A, b: {z: 1}, e: {turn: Y}}\n- {id: B, st: {w: 1}, e: {turn: Y}}\n"
    file.write_text(GOOD + wrong)
    printed, said = judged(file)
    assert printed.splitlines() == [
        "A FAILED ()",
        "  A: unknown key 'b.z'",
        "B FAILED ()",
        "  B: unknown key 'st.w'",
        "1 passed, 2 failed",
    ]
    assert "(and 1 more)" in said


def test_text_that_is_no_utf8_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_bytes(b"- {id: \xff}")
    assert "no UTF-8 text" in judged(file)[1]


def test_a_refusal_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text("- [unclosed")
    command = [sys.executable, "-m", "controller", "judge", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TOP, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_merged_record_may_say_one_of_its_keys_anew(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(
        "- {id: A, b: &six {x: 6, y: 7}, st: {s: 1}, e: {bx: 1}}\n"
        "- {id: B, b: {<<: *six, x: 9}, st: {s: 1}, e: {bx: 0, dx: 1}}\n"
    )
    words = ["judge", str(file)]
    assert CliRunner().invoke(_app(words), words).output == "2 passed, 0 failed\n"


def test_a_key_that_says_nothing_is_left_out_and_true_is_one(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(
        "- {id: A, b: , st: , e: {turn: Y}}\n"
        "- {id: B, st: {k: true}, then: , e: {turn: X, bx: 0}}\n"
    )
    words = ["judge", str(file)]
    assert CliRunner().invoke(_app(words), words).output == "2 passed, 0 failed\n"
