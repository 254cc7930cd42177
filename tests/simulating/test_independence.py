"""The simulator must not repeat a mistake of the product it tests."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIMULATOR = (
    *(ROOT / "vision/sources").glob("render*.py"),
    *(
        ROOT / "controller/simulator" / f"{name}.py"
        for name in (
            "beams",
            "friction",
            "hands",
            "handwork",
            "match",
            "motion",
            "phases",
            "play",
            "players",
            "recording",
            "referee",
            "stage",
            "truth",
            "counting_play",
            "counting_referee",
            "tableside",
            "world",
        )
    ),
)
SHARED = (
    "calibration.table",
    "calibration.charuco_board",
    "calibration.kernels",
    "vision.frames",
    "vision.sources.render",
)
"""What both sides look at: the table's and the printed board's own measures; and
where machine code is kept."""


def _imports(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    froms = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    plain = {
        alias.name
        for n in ast.walk(tree)
        if isinstance(n, ast.Import)
        for alias in n.names
    }
    return {name for name in froms | plain if name}


def test_world_and_renderer_share_only_the_tables_measures_with_the_product() -> None:
    for file in SIMULATOR:
        for name in _imports(file):
            ours = name.split(".")[0] in ("calibration", "vision", "controller")
            allowed = name == "vision.sources" or name.startswith(
                (*SHARED, "controller.simulator")
            )
            assert allowed or not ours, f"{file.name} imports {name}"
