"""The shapes of rate and coverage files and of the audit log: JSON Schemas kept beside this module."""

import json
from functools import lru_cache
from importlib.resources import files

from devportal.documents import Shape


@lru_cache(maxsize=4)
def shape_of(kind: str) -> Shape:
    """Return the shape in `schemas/KIND.json`."""
    schema = json.loads(files(__package__).joinpath("schemas", f"{kind}.json").read_text("utf-8"))
    return Shape(schema, rule="catalog-shape", root="the file")
