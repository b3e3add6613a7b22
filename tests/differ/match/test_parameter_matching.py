"""Which parameters of an operation are the same in both contracts."""

from devportal.contract import Location, Parameter, ParameterLocation
from devportal.differ.match.parameters import match_parameters


def parameter(name: str, location: ParameterLocation = ParameterLocation.QUERY) -> Parameter:
    """Return a parameter without a schema."""
    return Parameter(
        name=name,
        location_in=location,
        style="form",
        explode=True,
        location=Location("", (location.value, name)),
    )


def never(old: Parameter, new: Parameter) -> bool:  # noqa: ARG001 - as the callers ask
    """Say of no parameter that it is renamed."""
    return False


def always(old: Parameter, new: Parameter) -> bool:  # noqa: ARG001 - as the callers ask
    """Say of all parameters that they are renamed."""
    return True


def test_path_parameters_belong_together_by_position() -> None:
    """Two placeholders that swap their names are still the first and the second."""
    one, two = parameter("a", ParameterLocation.PATH), parameter("b", ParameterLocation.PATH)

    matching = match_parameters(([one, two], "/{a}/{b}"), ([one, two], "/{b}/{a}"), never)

    assert [(old.name, new.name) for old, new in matching.kept] == [("a", "b"), ("b", "a")]


def test_headers_belong_together_in_any_case() -> None:
    """Names of headers have no case, names in the query do."""
    old = [parameter("X-Id", ParameterLocation.HEADER), parameter("Id")]
    new = [parameter("x-id", ParameterLocation.HEADER), parameter("id")]

    matching = match_parameters((old, "/"), (new, "/"), never)

    assert [one.name for one, _ in matching.kept] == ["X-Id"]
    assert ([one.name for one in matching.removed], [one.name for one in matching.added]) == (["Id"], ["id"])


def test_a_name_that_travels_elsewhere_is_relocated() -> None:
    """It is neither removed nor added."""
    matching = match_parameters(
        ([parameter("id")], "/"), ([parameter("id", ParameterLocation.HEADER)], "/"), always
    )

    assert len(matching.relocated) == 1
    assert (matching.renamed, matching.removed, matching.added) == ((), (), ())


def test_each_parameter_is_renamed_once() -> None:
    """Two that went and one that came are one renaming and one removal."""
    matching = match_parameters(
        ([parameter("page"), parameter("offset")], "/"), ([parameter("pages")], "/"), always
    )

    assert [(old.name, new.name) for old, new in matching.renamed] == [("page", "pages")]
    assert [one.name for one in matching.removed] == ["offset"]
