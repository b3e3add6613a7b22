"""A report as JUnit XML: a test case for each rule and what it was checked on, so that CI lists them."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from devportal.reporting.printable import printable_text
from devportal.reporting.report import CheckedCase, Report, ReportedResult


def to_junit(report: Report) -> str:
    """Return the report as JUnit XML. Results that make nothing fail are written as skipped, those that
    kept the command from a result as errors.
    """
    run = report.suite
    cases = [_test_case(case) for case in run.cases or _cases_of_results(report)]
    suite = Element("testsuite")
    suite.set("name", run.name or report.tool)
    if run.started_at is not None:
        suite.set("timestamp", run.started_at.isoformat(timespec="seconds"))
    if run.duration_s is not None:
        suite.set("time", f"{run.duration_s:.3f}")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(1 for case in cases if case.find("failure") is not None)))
    suite.set("skipped", str(sum(1 for case in cases if case.find("skipped") is not None)))
    suite.set("errors", str(sum(1 for case in cases if case.find("error") is not None)))
    if run.properties:
        properties = SubElement(suite, "properties")
        for name, value in run.properties:
            SubElement(properties, "property", name=name, value=printable_text(value))
    suite.extend(cases)
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _cases_of_results(report: Report) -> Iterator[CheckedCase]:
    """Yield a case for each rule and subject that has a result; one that passed where nothing was found."""
    found: dict[tuple[str, str], list[ReportedResult]] = {}
    for result in report.results:
        found.setdefault((result.subject or result.place.file, result.rule), []).append(result)
    for (subject, rule), results in found.items():
        yield CheckedCase(subject=subject, rule=rule, results=tuple(results))
    if not found:
        yield CheckedCase(subject=report.tool, rule=report.empty_message)


def _test_case(checked: CheckedCase) -> Element:
    case = Element("testcase", classname=printable_text(checked.subject), name=checked.rule)
    red = [result for result in checked.results if result.fails]
    stops = [result for result in checked.results if result.is_stop]
    if red or stops:
        _add_outcome(case, "failure" if red else "error", [*red, *stops])
    elif checked.results:
        first = checked.results[0]
        skipped = SubElement(case, "skipped", message=printable_text(_with_reason(first)))
        skipped.text = first.details or None
    elif checked.untested:
        SubElement(case, "skipped", message=printable_text(f"not tested: {checked.untested}"))
    return case


def _with_reason(result: ReportedResult) -> str:
    return f"{result.waiver.reason}: {result.message}" if result.waiver is not None else result.message


def _add_outcome(case: Element, kind: str, results: Sequence[ReportedResult]) -> None:
    """Add one outcome for all results: Azure Pipelines, Jenkins and others show only the first of several."""
    first = results[0]
    count = f"1 of {len(results)}: " if len(results) > 1 else ""
    outcome = SubElement(case, kind, message=printable_text(count + first.message))
    if first.code:
        outcome.set("type", first.code)
    outcome.text = (
        "\n\n".join(result.details or result.message for result in results)
        if count
        else first.details or None
    )
