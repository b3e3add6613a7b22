"""Examples beside fields."""

from devportal.reference.schema.examples import ExampleView, merge_equal_examples


def test_equal_examples_are_shown_once_with_their_names() -> None:
    """Names that are longer than a label are a quiet fact; examples that say more than a value stay as they are."""
    described = ExampleView(label="Why", text="1", description="It.")
    long_names = [f"Operations_Number{number}" for number in range(4)]

    views, facts = merge_equal_examples(
        (
            ExampleView(label="a", text="1"),
            *(ExampleView(label=name, text="2") for name in long_names),
            described,
            ExampleView(label="", text="1"),
            ExampleView(label="b", text="1"),
        )
    )

    assert views == (ExampleView(label="a, b", text="1"), ExampleView(text="2"), described)
    assert [(fact.text, fact.is_quiet) for fact in facts] == [(f"example {', '.join(long_names)} 2", True)]
