"""The contract as reference pages: operations, groups, events, errors, schemas, code samples."""

from devportal.reference.pages import operation_uris, reference_pages

__all__ = ["operation_uris", "reference_pages"]
