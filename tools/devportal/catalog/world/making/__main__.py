"""`python -m devportal.catalog.world.making countries-50m.json` writes `outlines.json` for the drawing."""

import sys
from pathlib import Path

from devportal.catalog.world.making.geometry import read_topology
from devportal.catalog.world.making.outlining import outline_countries, outlines_json

if __name__ == "__main__":
    text = outlines_json(outline_countries(read_topology(Path(sys.argv[1]))))
    (Path(__file__).parents[1] / "outlines.json").write_text(text, encoding="utf-8")
