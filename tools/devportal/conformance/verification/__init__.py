"""What runs of conformance tests have shown, on the pages of the portal; without a report nothing is said.

A portal keeps the JSON reports of runs in a folder. From them come the page of all deployments, and a mark at
each operation that says when it was last tested and what came of it.
"""

from devportal.conformance.verification.runs import Run, read_runs
from devportal.conformance.verification.status_page import STATUS, status_pages
from devportal.conformance.verification.test_marks import operation_marks

__all__ = ["STATUS", "Run", "operation_marks", "read_runs", "status_pages"]
