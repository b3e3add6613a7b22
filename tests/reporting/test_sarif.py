"""The parts of SARIF that are shared."""

from devportal.errors import Place
from devportal.reporting import escape_message, sarif_location, sarif_log


def test_braces_with_a_number_are_no_placeholder() -> None:
    """A reader would put an argument there; a path template stays as it is."""
    assert escape_message("{0} of /parcels/{id}, see [a](b)") == "{{0}} of /parcels/{id}, see [a\\](b)"


def test_a_file_name_becomes_a_uri() -> None:
    """What a URI cannot hold is percent-encoded; a whole file has no region."""
    assert sarif_location(Place(file="a b/ü.yaml")) == {
        "physicalLocation": {"artifactLocation": {"uri": "a%20b/%C3%BC.yaml"}}
    }


def test_a_log_has_one_run() -> None:
    """With the tool, its rules, its results."""
    log = sarif_log("tool", [{"id": "r"}], [{"ruleId": "r"}])

    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["tool"]["driver"]["rules"] == [{"id": "r"}]
    assert run["results"] == [{"ruleId": "r"}]
