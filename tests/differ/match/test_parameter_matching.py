"""Which parameters of an operation are the same in both contracts."""

from devportal.contract import Location, Parameter, ParameterLocation
from devportal.differ.match.parameters import match_parameters
from devportal.differ.policy import DeclaredRenames


def parameter(name: str, location: ParameterLocation = ParameterLocation.QUERY) -> Parameter:
    """Return a parameter without a schema."""
    return Parameter(
        name=name,
        location_in=location,
        style="form",
        explode=True,
        location=Location("", (location.value, name)),
    )


def are_never_alike(old: Parameter, new: Parameter) -> bool:  # noqa: ARG001 - as the callers ask
    """Return False for every two parameters."""
    return False


def are_always_alike(old: Parameter, new: Parameter) -> bool:  # noqa: ARG001 - as the callers ask
    """Return True for every two parameters."""
    return True


def test_path_parameters_belong_together_by_position() -> None:
    """Two placeholders that swap their names are still the first and the second."""
    one, two = parameter("a", ParameterLocation.PATH), parameter("b", ParameterLocation.PATH)

    matching = match_parameters(
        ([one, two], "/{a}/{b}"), ([one, two], "/{b}/{a}"), DeclaredRenames(), are_never_alike
    )

    assert [(old.name, new.name) for old, new in matching.kept] == [("a", "b"), ("b", "a")]


def test_headers_belong_together_in_any_case() -> None:
    """Names of headers have no case, names in the query do."""
    old = [parameter("X-Id", ParameterLocation.HEADER), parameter("Id")]
    new = [parameter("x-id", ParameterLocation.HEADER), parameter("id")]

    matching = match_parameters((old, "/"), (new, "/"), DeclaredRenames(), are_never_alike)

    assert [item.name for item, _ in matching.kept] == ["X-Id"]
    assert ([item.name for item in matching.removed], [item.name for item in matching.added]) == (
        ["Id"],
        ["id"],
    )


def test_a_name_that_travels_elsewhere_is_relocated() -> None:
    """It is neither removed nor added."""
    matching = match_parameters(
        ([parameter("id")], "/"),
        ([parameter("id", ParameterLocation.HEADER)], "/"),
        DeclaredRenames(),
        are_always_alike,
    )

    assert len(matching.relocated) == 1
    assert (matching.removed, matching.added) == ((), ())


def test_each_parameter_is_renamed_once() -> None:
    """Of two removed parameters, only the one with the similar name may be the added one."""
    removed, other, added = parameter("page"), parameter("offset"), parameter("pages")

    matching = match_parameters(([removed, other], "/"), ([added], "/"), DeclaredRenames(), are_always_alike)

    rename = matching.rename_of(removed)
    assert rename is not None
    assert (rename.new, rename.is_declared) == ("pages", False)
    assert matching.rename_of(added) is rename
    assert matching.rename_of(other) is None
    assert (matching.removed, matching.added) == ((removed, other), (added,))
