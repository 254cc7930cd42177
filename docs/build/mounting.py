"""The mounting drawing: a pocket cut along the table's diagonal, and from above."""

from circuit import Build
from svg import SOFT, arrow, box, dashed, drawing, line, shape, text

SCALE = 5
WOOD, RING, LIGHT, NET = "#e3c48f", "#3d3d3d", "#c0392b", "#8a8a8a"
HOLE_MM, COIN_MM, COIN_THICK_MM = 44.5, 31.8, 9
BODY_MM = 9


def mounting(build: Build) -> str:
    """The drawing as SVG."""
    parts = [
        text(30, 42, "A pocket's ring: beam and light spot", size=24, bold=True),
        text(
            30,
            68,
            "All lengths in mm. Left: cut along the table's diagonal. Right: the ring "
            "from above.",
            colour=SOFT,
        ),
        *section(build, 430, 190),
        *plan(build, 1090, 400),
    ]
    return drawing(1330, 730, "How beam and spot sit in a pocket's ring", parts)


def section(build: Build, middle: float, top: float) -> list[str]:
    """Board, ring, bores, net, and a coin on its way."""
    m, s = build.table["mounting"], SCALE
    under = top + m["board_thick"] * s
    inner, wall = m["ring_inside"] / 2 * s, m["ring_wall"] * s
    spot = under + m["spot_below_board"] * s
    beam = spot + build.spacing_mm * s
    bottom = under + m["ring_high"] * s
    floor = beam + m["net_below_beam"] * s
    hole = HOLE_MM / 2 * s
    tube, left, right = m["tube"] * s, middle - inner, middle + inner
    parts = [
        box(middle - 205, top, 205 - hole, under - top, fill=WOOD),
        box(middle + hole, top, 200 - hole, under - top, fill=WOOD),
        text(middle - 205, top - 10, "← middle of the table", size=13),
        text(middle + 118, top - 10, "corner →", size=13),
        box(left - wall, under, wall, bottom - under, fill=RING),
        box(right, under, wall, bottom - under, fill=RING),
    ]
    parts += beam_row(m, beam, (left, right), (wall, tube))
    parts += spot_row(m, spot, (right, wall))
    coin = COIN_MM / 2 * s
    thick = COIN_THICK_MM * s
    parts += [
        box(
            middle - thick / 2 + 20,
            under - coin * 1.55,
            thick,
            2 * coin,
            fill="#f7efe0",
            round_by=3,
        ),
        text(middle + 20, under - coin * 1.55 + 20, "coin", size=12, anchor="middle"),
        arrow((middle + 20, under + 60), (middle + 20, under + 92)),
        *net(middle, inner, (bottom, floor)),
        *lengths(build, (top, under, spot, beam, bottom, floor), middle),
    ]
    return parts


def beam_row(
    m: dict[str, float],
    y: float,
    ends: tuple[float, float],
    deep: tuple[float, float],
) -> list[str]:
    """Emitter on the table's side, receiver on the corner's, light between."""
    (left, right), (wall, tube) = ends, deep
    bore, hole = m["emitter_bore"] / 2 * SCALE, m["beam_hole"] / 2 * SCALE
    body = BODY_MM * SCALE
    return [
        shape(
            (left - tube, y - bore),
            (left - tube, y + bore),
            (right + wall, y + hole),
            (right + wall, y - hole),
            fill="#f6c9c3",
            edge="none",
        ),
        box(left - wall - tube, y - bore - 6, tube, 6, fill=RING),
        box(left - wall - tube, y + bore, tube, 6, fill=RING),
        box(left - wall - tube, y - bore, body, 2 * bore, fill="#9db7d5", round_by=4),
        box(right + wall, y - bore - 6, tube, 6, fill=RING),
        box(right + wall, y + bore, tube, 6, fill=RING),
        box(right, y - bore, wall, bore - hole, fill=RING),
        box(right, y + hole, wall, bore - hole, fill=RING),
        box(
            right + wall + tube - body,
            y - bore,
            body,
            2 * bore,
            fill="#4a4a4a",
            round_by=4,
        ),
        text(left - wall - 6, y + 38, "beam emitter", size=13, anchor="end", bold=True),
        text(right + wall + tube + 8, y + 8, "beam receiver,", size=13, bold=True),
        text(
            right + wall + tube + 8,
            y + 24,
            f"behind a {m['beam_hole']:g} mm hole",
            size=13,
        ),
    ]


def spot_row(m: dict[str, float], y: float, side: tuple[float, float]) -> list[str]:
    """The pair beside each other, seen from its edge, looking into the ring."""
    right, wall = side
    bore, body = m["emitter_bore"] / 2 * SCALE, BODY_MM * SCALE
    back = right + m["recess"] * SCALE
    far = right - 30 * SCALE
    return [
        shape(
            (back, y - 6),
            (back, y + 6),
            (far, y + 15),
            (far, y - 15),
            fill="#fde3a7",
            edge="none",
        ),
        box(
            right + wall, y - bore - 6, m["recess"] * SCALE + body - wall, 6, fill=RING
        ),
        box(right + wall, y + bore, m["recess"] * SCALE + body - wall, 6, fill=RING),
        box(back, y - bore, body, 2 * bore, fill="#9db7d5", round_by=4),
        text(back + body + 10, y - 8, "spot: emitter and", size=13, bold=True),
        text(back + body + 10, y + 8, "receiver side by side,", size=13),
        text(back + body + 10, y + 24, f"{m['recess']:g} mm back", size=13),
    ]


def net(middle: float, inner: float, ends: tuple[float, float]) -> list[str]:
    """The net below the ring and what lies in it."""
    bottom, floor = ends
    coin = COIN_MM * SCALE
    return [
        line((middle - inner, bottom), (middle - inner + 40, floor), colour=NET),
        line((middle + inner, bottom), (middle + inner - 40, floor), colour=NET),
        line((middle - inner + 40, floor), (middle + inner - 40, floor), colour=NET),
        box(middle - coin / 2, floor - 45, coin, 43, fill="#f7efe0", round_by=3),
        text(middle, floor - 18, "fell before", size=12, anchor="middle"),
        text(middle + inner - 20, floor - 18, "net or tray", size=13),
    ]


def lengths(build: Build, levels: tuple[float, ...], middle: float) -> list[str]:
    """The dimensions on the left side."""
    m = build.table["mounting"]
    top, under, spot, beam, bottom, floor = levels
    inner = m["ring_inside"] / 2 * SCALE
    x = middle - inner - 125
    rows = (
        (top, under, f"board, {m['board_thick']:g}", x),
        (under, spot, f"{m['spot_below_board']:g}", x),
        (spot, beam, f"{build.spacing_mm:g}", x),
        (beam, floor, f"at least {m['net_below_beam']:g}", x),
        (under, bottom, f"ring, {m['ring_high']:g}", x - 105),
    )
    parts = []
    for start, end, words, at in rows:
        parts += [
            dashed((at - 6, start), (middle - inner - 92, start)),
            dashed((at - 6, end), (middle - inner - 88, end)),
            arrow((at, (start + end) / 2), (at, start)),
            arrow((at, (start + end) / 2), (at, end)),
            text(at - 8, (start + end) / 2 + 5, words, size=14, anchor="end"),
        ]
    y = floor + 34
    parts += [
        arrow((middle, y), (middle - inner, y)),
        arrow((middle, y), (middle + inner, y)),
        text(middle, y + 20, f"{m['ring_inside']:g} inside", anchor="middle"),
    ]
    return parts


def plan(build: Build, x: float, y: float) -> list[str]:
    """The ring from above, the corner to the right as in the section."""
    m, s = build.table["mounting"], SCALE
    inner, wall = m["ring_inside"] / 2 * s, m["ring_wall"] * s
    tube, bore = m["tube"] * s, m["emitter_bore"] / 2 * s
    body, apart = BODY_MM * s, m["between_spots"] / 2 * s
    back = x + inner + m["recess"] * s
    parts = [
        circle(x, y, inner + wall / 2, wall),
        shape(
            (x - inner - tube, y - bore),
            (x - inner - tube, y + bore),
            (x + inner, y + m["beam_hole"] / 2 * s),
            (x + inner, y - m["beam_hole"] / 2 * s),
            fill="#f6c9c3",
            edge="none",
        ),
        box(x - inner - wall - tube, y - bore, body, 2 * bore, fill="#9db7d5"),
        text(
            x - inner - wall - 20,
            y - 26,
            f"beam emitter, {build.spacing_mm:g} lower",
            size=13,
            anchor="end",
        ),
        *pair(back, (y - apart, y + apart), (bore, body)),
        text(back + body / 2, y - apart - 24, "spot emitter", size=13, anchor="middle"),
        text(
            back + body / 2, y + apart + 34, "spot receiver", size=13, anchor="middle"
        ),
        text(
            x,
            y - inner - 24,
            "← middle of the table | corner →",
            size=13,
            anchor="middle",
            colour=SOFT,
        ),
        text(
            x,
            y + inner + 40,
            "The beam's receiver sits below the spot's pair,",
            size=13,
            anchor="middle",
        ),
        text(
            x,
            y + inner + 60,
            "so beam, spot and diagonal are one line.",
            size=13,
            anchor="middle",
        ),
        text(
            x,
            y + inner + 90,
            f"spot pair: {m['between_spots']:g} mm apart, black wall between",
            size=13,
            anchor="middle",
        ),
    ]
    return parts


def circle(x: float, y: float, radius: float, wide: float) -> str:
    """The ring's wall."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="#fff" stroke="{RING}" '
        f'stroke-width="{wide:g}"/>'
    )


def pair(
    back: float, rows: tuple[float, float], part: tuple[float, float]
) -> list[str]:
    """The spot's emitter and receiver and what they see."""
    bore, body = part
    (up, down), parts = rows, []
    for row, fill in ((up, "#9db7d5"), (down, "#4a4a4a")):
        parts.append(box(back, row - bore, body, 2 * bore, fill=fill, round_by=4))
    aim = (back - 130, (up + down) / 2)
    parts.append(arrow((back, up), aim, LIGHT))
    parts.append(arrow(aim, (back, down), SOFT))
    return parts
