"""The world as a map: outlines of countries from Natural Earth, drawn as SVG at build time.

Borders and names of areas are Natural Earth's (public domain, see NOTICE.md); the portal takes no position.
"""

from devportal.catalog.world.drawing import Mark, world_svg
from devportal.catalog.world.outlines import Outlines, read_outlines
from devportal.catalog.world.regions import Region, region_of

__all__ = ["Mark", "Outlines", "Region", "read_outlines", "region_of", "world_svg"]
