"""What explains many failures at once."""

from dataclasses import replace

import pytest

from devportal.conformance.hints import hints
from tests.conformance.running import subject_of
from tests.conformance.values import result


def hinted(statuses: tuple[tuple[int, int], ...], url: str = "http://127.0.0.1:1/api") -> list[str]:
    operation = replace(result().operations[0], statuses=statuses)
    return list(hints(subject_of(url=url), [operation]))


def test_a_base_url_that_may_be_wrong_is_asked_about() -> None:
    """Nearly all answers are 404; the path of the contract's server is named where it is another."""
    (hint,) = hinted(((401, 3), (404, 97)))

    assert hint.startswith("97 of 100 answers are 404. Is http://127.0.0.1:1/api the base URL?")
    assert hint.endswith("try http://127.0.0.1:1.")


def test_a_path_that_is_the_contracts_is_not_put_forward() -> None:
    """Only the question is left."""
    assert hinted(((404, 9),), url="http://127.0.0.1:1") == [
        "9 of 9 answers are 404. Is http://127.0.0.1:1 the base URL?"
    ]


@pytest.mark.parametrize("statuses", [(), ((0, 9),), ((200, 11), (404, 89))])
def test_a_run_that_found_something_is_not_asked(statuses: tuple[tuple[int, int], ...]) -> None:
    """Many 404 are right where identifiers are made up."""
    assert hinted(statuses) == []
