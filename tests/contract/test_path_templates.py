"""Paths with placeholders, and with a slash at their end."""

import pytest

from devportal.contract.path_templates import (
    action_name,
    address_segments,
    encoded_path,
    is_below,
    last_segment,
    parent_path,
    path_pattern,
    path_values_pattern,
    reference_names,
    sent_path,
    value_at_end,
)


@pytest.mark.parametrize(
    ("path", "sent"),
    [("/a/{b}", "/a/{b}"), ("a", "/a"), ("/a?b=c#d/{e}", "/a?b=c"), ("/#Action=A", "/"), ("#a", "/")],
)
def test_sent_path(path: str, sent: str) -> None:
    """A slash comes first, and a fragment is not sent."""
    assert sent_path(path) == sent


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/orders/{id}/cancel", "cancel"),
        ("/orders/{id}:cancel", "cancel"),
        ("/orders/{id}/a:b/", "a:b"),
        ("", ""),
    ],
)
def test_an_action_has_a_name(path: str, name: str) -> None:
    """A segment of its own, or behind a colon."""
    assert action_name(path) == name


@pytest.mark.parametrize("path", ["/pets/{petId}", "/pets/{petId}/"])
def test_a_slash_at_the_end_is_no_segment(path: str) -> None:
    """Some frameworks end every path with one."""
    assert last_segment(path) == "{petId}"
    assert parent_path(path) == "/pets"
    assert is_below(path, "/pets/")
    assert not is_below(path, path)
    assert not is_below("/petshops/", "/pets/")


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/authors/{authorId}", ("authorId",)),
        ("/authors/{id}", ("id", "author_id")),
        ("/v1/categories/{uuid}/", ("uuid", "category_uuid")),
        ("/boxes/{id}", ("id", "box_id")),
        ("/houses/{id}", ("id", "house_id")),
        ("/glass/{id}", ("id", "glass_id")),
        ("/a/{b}/{id}", ("id",)),
        ("/plans/{code}", ("code", "plan_code")),
        ("/plans/{planCode}", ("planCode",)),
        ("/promoCodes/{code}", ("code", "promoCode")),
        ("/api-keys/{key}", ("key", "api-key")),
        ("/plans/{sku}", ("sku",)),
        ("/Plans({Id})", ("Id", "Plan_id")),
    ],
)
def test_members_that_hold_an_identifier_have_the_name_of_its_parameter(
    path: str, names: tuple[str, ...]
) -> None:
    """A parameter that any collection may have gets the word for one of its collection."""
    assert reference_names(path) == names


@pytest.mark.parametrize(
    ("path", "is_meant"),
    [
        ("/pets/1.5/photos", True),
        ("/pets/{petId}/photos", True),
        ("/pets/1x5/photos/", False),
        ("/pets/1/2/photos", False),
        ("/pets//photos", False),
    ],
)
def test_a_placeholder_is_a_part_of_one_segment(path: str, is_meant: bool) -> None:  # noqa: FBT001 - a column
    """What stands around it is taken literally."""
    assert (path_pattern("/pets/{petId}/photos").fullmatch(path) is not None) == is_meant
    assert path_pattern("/a.b/{id}:cancel").fullmatch("/axb/1:cancel") is None


@pytest.mark.parametrize(
    ("template", "path", "values"),
    [
        ("/bücher/{isbn}", "/b%C3%BCcher/1", ("1",)),
        ("/bücher/{isbn}", "/b%c3%bccher/1", ("1",)),
        ("/bücher/{isbn}", "/bücher/1", ("1",)),
        ("/my files/{id}:open", "/my%20files/7%20a%3Aopen", ("7%20a",)),
        ("/my%20files/{id}", "/my%20files/7", ("7",)),
    ],
)
def test_what_requests_percent_encode_fits(template: str, path: str, values: tuple[str, ...]) -> None:
    """A contract names a path as people write it, and a request as a URL may have it (RFC 3986 §2.1)."""
    found = path_values_pattern(template).fullmatch(path)

    assert path_pattern(template).fullmatch(path) is not None
    assert found is not None
    assert found.groups() == values
    assert path_values_pattern("/bücher/{isbn}").fullmatch("/bucher/1") is None


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("/a b/{x}", "/a%20b/{x}"),
        ("/a%20b", "/a%20b"),
        ("/bücher", "/b%C3%BCcher"),
        ("/b%c3%bccher", "/b%C3%BCcher"),
        ("/%7Euser/%2f", "/~user/%2F"),
        ("/things:batch?x=1#y", "/things:batch?x=1#y"),
    ],
)
def test_a_path_is_encoded_as_urls_have_it(path: str, encoded: str) -> None:
    """Only what no path may have is percent-encoded, and a slash that is stays so."""
    assert encoded_path(path) == encoded


@pytest.mark.parametrize("path", ["/Pets({Id})", "/Pets('{Id}')", "/Pets(PetId={Id})"])
def test_a_key_in_parentheses_is_a_segment(path: str) -> None:
    """OData has keys there."""
    assert (last_segment(path), parent_path(path)) == ("{Id}", "/Pets")
    assert (last_segment(f"{path}/feed"), parent_path(f"{path}/feed")) == ("feed", path)
    assert is_below(path, "/Pets")
    assert is_below(f"{path}/feed", path)
    assert not is_below("/PetShops({Id})", "/Pets")


@pytest.mark.parametrize(
    ("template", "address", "value"),
    [
        ("/pets/{id}", "/v1/pets/7", "7"),
        ("/pets/{id}", "/v1/pets/a(7)", "a(7)"),
        ("/Pets({id})", "/v4/Pets(7)", "7"),
        ("/Pets('{id}')", "/v4/Pets('rex')", "rex"),
        ("/Pets('{id}')", "/v4/Pets(%27rex%27)", "rex"),
        ("/Pets({id})", "/v4/Dogs/7", "7"),
    ],
)
def test_the_value_at_the_end_of_an_address_is_that_of_its_template(
    template: str, address: str, value: str
) -> None:
    """Parentheses and quotes around it are part of the template."""
    assert value_at_end(template, address) == value


def test_segments_of_addresses_include_keys_in_parentheses() -> None:
    """A value may stand in them."""
    assert address_segments("/v4/Pets('rex')/feed") == ("v4", "Pets('rex')", "feed", "rex")
    assert address_segments("/pets/7") == ("pets", "7")
