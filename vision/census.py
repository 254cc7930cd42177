"""One picture's census: what lies on a table whose place is known."""

from vision.detect import Detector
from vision.detect_picture import burnt, census_of_picture
from vision.detect_topview import TopView
from vision.frames import Image
from vision.located import Located
from vision.sightings import Census


def census_of(image: Image, located: Located) -> Census:
    """What lies on the table in one picture.

    A fixed camera's picture is compared with its empty table; any other says by
    itself how large and what colour the pieces are.
    """
    if located.fixed:
        detector = Detector(located.table, located.mapping, empty=located.empty)
        return detector.census([image], 0.0)
    return Census(0.0, census_of_picture(image, located.table, located.mapping).pieces)


def burnt_share(image: Image, located: Located) -> float:
    """The share of the table that is white to the limit: nothing there has a colour."""
    table, mapping = located.table, located.mapping
    return burnt(TopView.of(image, table, mapping, table.coin_height_mm).image)
