"""A comparison of two contracts, and the report of it."""

from devportal.differ.output.report import diff_report
from devportal.differ.output.result import ComparedContracts, DiffResult

__all__ = ["ComparedContracts", "DiffResult", "diff_report"]
