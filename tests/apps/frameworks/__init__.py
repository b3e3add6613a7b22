"""Right servers with the habits of common frameworks: their error bodies, paging, media types and tokens."""

from tests.apps.frameworks.apps import FRAMEWORKS, FrameworkApp

__all__ = ["FRAMEWORKS", "FrameworkApp"]
