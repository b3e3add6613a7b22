"""Versions as CSV files for people who keep prices in spreadsheets, and back. They hold every state, so they
are internal.
"""

from devportal.catalog.spreadsheet.reading import read_csv
from devportal.catalog.spreadsheet.writing import coverage_versions_csv, rate_versions_csv, read_csv_text

__all__ = ["coverage_versions_csv", "rate_versions_csv", "read_csv", "read_csv_text"]
