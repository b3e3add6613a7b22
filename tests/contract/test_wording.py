"""Values in messages: any value, and never more of it than a line has room for."""

from devportal.contract import check_contract
from devportal.contract.wording import natural_order, quote_value, truncate_text
from tests.contract.inline import contract


def test_a_value_is_quoted_as_it_is_until_it_is_too_long() -> None:
    """Text has quotation marks; what is left out is told."""
    assert (quote_value("a"), quote_value(1.5), quote_value([1])) == ("'a'", "1.5", "[1]")
    assert truncate_text("a" * 60) == "a" * 60
    assert truncate_text("a" * 61) == "a" * 59 + "…"
    assert truncate_text("a\nb\t c", 4) == "a b…"


def test_values_are_quoted_in_the_words_of_contracts() -> None:
    """Python's words for them mean nothing to authors, at no depth."""
    assert [quote_value(item) for item in (None, True, False)] == ["null", "true", "false"]
    assert quote_value([{"a": None}, [True, "None"]]) == "[{'a': null}, [true, 'None']]"


def test_a_reference_in_place_of_text_is_named() -> None:
    """Other tools put in the file that it names; a value of another type gets no such advice."""
    found = check_contract(
        contract("tags: [{name: a, description: {$ref: intro.md}}, {name: b, description: {a: b}}]\n")
    )

    advice = {finding.message: finding.help for finding in found if "must be text" in finding.message}
    assert "redocly bundle" in advice["'description' must be text, found {'$ref': 'intro.md'}"]
    assert advice["'description' must be text, found {'a': 'b'}"] == "write text"


def test_no_name_makes_a_message_long() -> None:
    """Names are values too: of keys, paths, parameters, tags and schemes."""
    name = "n" * 300
    text = f"""\
        '{name}': 1
        tags: [{{name: {name}}}, {{name: {name}}}]
        components: {{schemas: {{'{name}': {{{name}: 1, $ref: '#/{name}'}}}}}}
        paths:
          '/{name}/{{{name}}}': {{get: {{operationId: {name}, security: [{{{name}: []}}], {name}: 1}}}}
          '/{name}/{{a}}': {{get: {{operationId: {name}, parameters: [{{name: {name}, in: path}}]}}}}
        """
    found = check_contract(contract(text, version="3.0.3", paths=""))

    assert len({finding.rule for finding in found}) >= 6
    assert max(len(finding.message) + len(finding.help) for finding in found) < 500


def test_numbers_in_names_are_in_their_order() -> None:
    """Whatever the case, and however long they are."""
    names = ["b", "Error10", "error2", "Error", "error02b", "a1b3", "A1b20", "9", "x" + "9" * 5000, "x1"]

    assert sorted(names, key=natural_order) == [
        "9", "a1b3", "A1b20", "b", "Error", "error2", "error02b", "Error10", "x1", "x" + "9" * 5000,
    ]  # fmt: skip
