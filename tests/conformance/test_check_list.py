"""Every check has its words, and they stand where results say."""

import re

import schemathesis
from schemathesis.checks import CHECKS

from devportal.conformance.check_list import SCHEMATHESIS_CHECKS, checks_by_group, conformance_checks
from devportal.conformance.results.wording import check_anchor, check_page
from devportal.markup.page import InsertProblem
from tests.contract.inline import api

API = api("", version="3.1.0")


def test_every_check_of_schemathesis_is_explained() -> None:
    """A new version with another check turns this red. `max_response_time` is never on: latency is ours."""
    schemathesis.openapi.from_dict({"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {}})
    known = {item.__name__ for item in CHECKS.get_all()} - {"max_response_time"}

    assert known <= {schemathesis_check.name for schemathesis_check in SCHEMATHESIS_CHECKS}
    assert len(known) > 10


def test_every_check_has_a_place_of_its_own() -> None:
    """The address in a result leads to a heading of the page."""
    made = conformance_checks(API, ())
    assert isinstance(made, str)
    headings = re.findall(r"^### (\S+)$", made, flags=re.MULTILINE)
    names = [check.name for _, checks in checks_by_group(()) for check in checks]

    assert len(headings) == len(set(headings)) == len(names)
    assert {check_page("", name).partition("#")[2] for name in names} == set(headings)


def test_every_check_says_what_to_do() -> None:
    """A promise, how it is tested and what to do are sentences."""
    for _, checks in checks_by_group(()):
        for check in checks:
            for text in (check.words.promise, check.words.test, check.words.remedy):
                assert text[:1].isupper() or text.startswith(("`", "[")), (check.name, text)
                assert text.rstrip().endswith((".", "`")), (check.name, text)


def test_arguments_are_wrong() -> None:
    """The insert is the whole list."""
    assert isinstance(conformance_checks(API, ("unique-ids",)), InsertProblem)
    assert check_anchor("not_a_server_error") == "not-a-server-error"
