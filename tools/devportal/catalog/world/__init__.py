"""The world as a map: outlines of countries from Natural Earth, drawn as SVG at build time.

Borders and names of areas are Natural Earth's (public domain, see NOTICE.md); the portal takes no position.
"""

from devportal.catalog.world.map import MapMarket, Outlines, Region, read_outlines, region_of, world_svg

__all__ = ["MapMarket", "Outlines", "Region", "read_outlines", "region_of", "world_svg"]
