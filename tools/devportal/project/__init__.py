"""A project: its settings, where its inputs are, and its caches, read once and handed on as one value."""

from devportal.project.settings import Settings

__all__ = ["Settings"]
