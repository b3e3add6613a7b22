"""Rate and coverage records: lifecycle, approval, audit, the publication gate, public pages and files.

Only what `published` returns may be shown; pages and files take `PublishedRate` and `PublishedCoverage`.
"""

from devportal.catalog.audit.log import AuditEntry, AuditLog
from devportal.catalog.publication import (
    Published,
    PublishedCoverage,
    PublishedRate,
    ReplacedCoverage,
    ReplacedRate,
    published,
)
from devportal.catalog.records.check import check_catalog
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.loading import Catalog, load_catalog
from devportal.catalog.records.text import CoverageVersion, RateVersion, Records

__all__ = [
    "AuditEntry",
    "AuditLog",
    "Catalog",
    "CoverageVersion",
    "Published",
    "PublishedCoverage",
    "PublishedRate",
    "RateVersion",
    "Records",
    "ReplacedCoverage",
    "ReplacedRate",
    "check_catalog",
    "content_sha256",
    "load_catalog",
    "published",
]
