"""Shows the results of conformance runs on the pages of the portal, if there are reports.

A portal keeps the JSON reports of runs in a folder. They provide the status of each deployment, and a mark at
each operation with its last test and the result.
"""

from devportal.conformance.verification.index_page import INDEX, Guide
from devportal.conformance.verification.operation_marks import operation_marks, operation_results
from devportal.conformance.verification.pages import (
    ApiRuns,
    api_status_uri,
    conformance_pages,
    conformance_pages_of_apis,
)
from devportal.conformance.verification.runs import Run, read_runs
from devportal.conformance.verification.status_page import STATUS

__all__ = [
    "INDEX",
    "STATUS",
    "ApiRuns",
    "Guide",
    "Run",
    "api_status_uri",
    "conformance_pages",
    "conformance_pages_of_apis",
    "operation_marks",
    "operation_results",
    "read_runs",
]
