"""The contract as reference pages: operations, groups, events, errors, schemas, code samples."""

from devportal.reference.pages import reference_pages

__all__ = ["reference_pages"]
