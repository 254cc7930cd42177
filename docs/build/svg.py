"""The few strokes the drawings are made of, as SVG text."""

from xml.sax.saxutils import escape

INK = "#1b1b1b"
SOFT = "#6b6b6b"


def line(*points: tuple[float, float], colour: str = INK, width: float = 2) -> str:
    """A wire through these points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{width:g}" stroke-linejoin="round"/>'
    )


def dashed(*points: tuple[float, float], colour: str = SOFT) -> str:
    """A line that is no wire."""
    return line(*points, colour=colour, width=1).replace(
        "/>", ' stroke-dasharray="5 4"/>'
    )


def box(
    x: float,
    y: float,
    wide: float,
    high: float,
    *,
    fill: str = "#fff",
    edge: str = INK,
    round_by: float = 0,
) -> str:
    """A rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" '
        f'rx="{round_by:g}" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
    )


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: float = 14,
    anchor: str = "start",
    colour: str = INK,
    bold: bool = False,
) -> str:
    """Words on a base line."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{colour}"{weight}>{escape(words)}</text>'
    )


def dot(x: float, y: float) -> str:
    """Wires that meet here are joined."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{INK}"/>'


def shape(*points: tuple[float, float], fill: str, edge: str = INK) -> str:
    """A filled polygon."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polygon points="{path}" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
    )


def arrow(
    start: tuple[float, float], end: tuple[float, float], colour: str = INK
) -> str:
    """A line with a head at its end."""
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    back_x, back_y = x1 - 8 * ux, y1 - 8 * uy
    head = shape(
        (x1, y1),
        (back_x - 3.5 * uy, back_y + 3.5 * ux),
        (back_x + 3.5 * uy, back_y - 3.5 * ux),
        fill=colour,
        edge=colour,
    )
    return line(start, (back_x, back_y), colour=colour, width=1.5) + head


def drawing(wide: float, high: float, title: str, parts: list[str]) -> str:
    """A whole picture on white."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
        f'width="{wide:g}" height="{high:g}" font-family="DejaVu Sans, Arial, '
        f'sans-serif" role="img">\n<title>{escape(title)}</title>\n'
        f'<rect width="{wide:g}" height="{high:g}" fill="#fff"/>\n{body}\n</svg>\n'
    )
