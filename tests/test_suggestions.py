from devportal.suggestions import closest_name, suggest_name, suggest_names


def test_closest_name_is_found_whatever_the_case_of_letters() -> None:
    assert closest_name("titel", ["type", "title", "description"]) == "title"
    assert closest_name("listorders", ["createOrder", "listOrders"]) == "listOrders"


def test_name_that_is_like_no_other_has_no_closest_one() -> None:
    assert closest_name("type", ["title"]) == ""
    assert closest_name("type", []) == ""


def test_beginning_is_enough_if_one_name_has_it() -> None:
    assert closest_name("p95", ["p95_ms", "p99_ms"]) == "p95_ms"
    assert closest_name("auth", ["authorizationUrl", "authentication_scheme"]) == ""
    assert closest_name("la", ["language_of_pages"]) == ""
    assert closest_name("p95", ["p95_ms"], likeness=0.8) == ""


def test_likeness_can_be_higher_than_usual() -> None:
    assert closest_name("naem", ["name"]) == "name"
    assert closest_name("naem", ["name"], likeness=0.8) == ""


def test_closest_name_does_not_depend_on_the_order_of_the_known() -> None:
    known = ["name2", "name1", "Name1"]
    assert closest_name("name", known) == closest_name("name", reversed(known))


def test_name_that_is_no_text_is_compared_as_it_is_written() -> None:
    assert closest_name(404, ["403", "4040"]) == "4040"


def test_suggestion_is_a_question_or_another_advice() -> None:
    assert suggest_name("titel", ["title"], "remove it") == "did you mean 'title'?"
    assert suggest_name("zone", ["title"], "remove it") == "remove it"
    assert suggest_name("zone", ["title"]) == ""


def test_several_names_are_suggested_the_closest_first() -> None:
    known = ["listOrders", "createOrder", "listOrderItems", "getHealth", "listOrdersOfStore"]
    assert suggest_names("listorder", known, "search") == (
        "did you mean listOrders or listOrderItems or listOrdersOfStore?"
    )
    assert suggest_names("ping", known, "search") == "search"
