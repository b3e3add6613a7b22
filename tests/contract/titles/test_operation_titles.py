"""What operations are called: their summary, or words that a person would write."""

import pytest

from devportal.contract import read_contract
from devportal.contract.titles.operation_titles import event_title, make_title, operation_title
from devportal.documents import parse_document


@pytest.mark.parametrize(
    ("operation_id", "method", "path", "title"),
    [
        ("PostPaymentIntents", "POST", "/v1/payment_intents", "Create a payment intent"),
        ("GetPaymentIntents", "GET", "/v1/payment_intents", "List payment intents"),
        ("GetPaymentIntentsIntent", "GET", "/v1/payment_intents/{intent}", "Retrieve a payment intent"),
        ("", "POST", "/v1/payment_intents/{intent}", "Update a payment intent"),
        ("", "POST", "/v1/payment_intents/{intent}/cancel", "Cancel a payment intent"),
        ("", "POST", "/v1/invoices/{id}/mark_uncollectible", "Mark an invoice uncollectible"),
        ("", "POST", "/v1/intents/{id}/apply_customer_balance", "Apply customer balance for an intent"),
        ("", "POST", "/v1/readers/{id}/set_reader_display", "Set reader display for a reader"),
        ("", "GET", "/v1/customers/search", "Search customers"),
        ("", "POST", "/v1/accounts/{id}/login_links", "Create a login link for an account"),
        ("", "GET", "/v1/export_jobs", "List export jobs"),
        ("users_list", "GET", "/users.list", "List users"),
        ("groups_users_update", "POST", "/groups.users.update", "Update group users"),
        ("", "POST", "/users.profile.set", "Set user profile"),
        ("", "GET", "/files.json", "List files"),
        ("", "POST", "/kickChatMember", "Kick chat member"),
        ("", "GET", "/cards/{id}/pin", "Retrieve the pin of a card"),
        ("GetBucketCors", "GET", "/{Bucket}#cors", "Get bucket cors"),
        ("retrieve_retrieve", "GET", "/{id}", "GET /{id}"),
        ("DataFlows_Get", "GET", "/flows/{name}", "Get a data flow"),
        ("DataFlows_CreateOrUpdate", "PUT", "/flows('{name}')", "Create or update a data flow"),
        ("DataFlows_Create", "POST", "/flows", "Create a data flow"),
        ("DataFlows_ListByFactory", "GET", "/factories/{name}/flows", "List data flows by factory"),
        ("DataFlows_Start", "POST", "/flows/{name}/start", "Start a data flow"),
        ("DataFlows_GetStatus", "GET", "/flows/{name}/status", "Get data flow status"),
        ("Account_Login", "POST", "/account/login", "Account login"),
        ("Get_User", "GET", "/users/{id}", "Get user"),
        ("", "POST", "/v1/sessions/{id}/redact", "Redact a session"),
        ("", "GET", "/v1/issuing/cards/{card}", "Retrieve an issuing card"),
        ("", "GET", "/customers/{id}/addresses", "List addresses of a customer"),
        ("ListCallNotification", "GET", "/calls/{id}/Notifications.json", "List call notifications"),
        ("listTollFree", "GET", "/numbers/TollFree.json", "List toll free"),
        ("", "POST", "/customers/{id}/tax_ids", "Create a tax ID for a customer"),
        ("", "DELETE", "/subscriptions/{id}/discount", "Delete the discount of a subscription"),
        ("", "PUT", "/users/{id}/status", "Set the status of a user"),
        ("", "PATCH", "/universities/{id}", "Update a university"),
        ("", "GET", "/v1/balance", "Retrieve the balance"),
        ("", "GET", "/people/{id}", "Retrieve a person"),
        ("", "POST", "/loaves", "Create a loaf"),
        ("", "POST", "/archives", "Create an archive"),
        ("", "GET", "/skus/{id}", "Retrieve a SKU"),
        ("", "POST", "/2010-04-01/Accounts/{Sid}/PhoneNumbers.json", "Create a phone number for an account"),
        ("", "POST", "/v1/jobs/{id}:cancel", "Cancel a job"),
        ("UsersController_findAll", "GET", "/users", "List users"),
        ("users_partial_update", "PATCH", "/users/{id}/", "Update a user"),
        ("power_ports_read", "GET", "/power-ports/{id}/", "Retrieve a power port"),
        ("messages_read", "PUT", "/messages/{id}/read", "Messages read"),
        ("read_item_items__item_id__get", "GET", "/items/{item_id}", "Read item items item ID get"),
        ("list", "GET", "/api/orders", "List orders"),
        ("get_1", "GET", "/api/orders/{id}", "Retrieve an order"),
        ("findAll_2", "GET", "/api/customers", "List customers"),
        ("get", "GET", "/", "Get"),
        ("createOrderUsingPOST_1", "POST", "/api/orders", "Create order"),
        ("listUsingGET", "GET", "/api/orders", "List orders"),
        ("Widgets_createOrUpdate", "PATCH", "/widgets/{widgetName}", "Create or update a widget"),
        ("Widgets_analyze", "POST", "/widgets/{widgetName}:analyze", "Analyze a widget"),
        ("Widgets_name", "GET", "/widgets/{widgetName}/name", "Widgets name"),
        (
            "sheets.spreadsheets.batchUpdate",
            "POST",
            "/v4/spreadsheets/{id}:batchUpdate",
            "Batch update a spreadsheet",
        ),
        ("shop.orders.items.batchGet", "GET", "/v1/{parent}/items:batchGet", "Batch get items"),
        ("shop.orders.items.batchImport", "POST", "/v1/{parent}:batchImport", "Batch import items"),
        (
            "shop.orders.items.bulkUpdateStates",
            "POST",
            "/v1/{parent}/items:bulkUpdateStates",
            "Bulk update item states",
        ),
        (
            "shop.orders.items.batchCreateItems",
            "POST",
            "/v1/{parent}/items:batchCreateItems",
            "Batch create items",
        ),
        ("shop.photos.albums.batch", "POST", "/v1/albums:batch", "Shop photos albums batch"),
        ("directory.users.patch", "PATCH", "/admin/directory/v1/users/{userKey}", "Patch a user"),
        (
            "directory.users.aliases.delete",
            "DELETE",
            "/admin/directory/v1/users/{userKey}/aliases/{alias}",
            "Delete an alias",
        ),
        ("createChatCompletion", "POST", "/chat/completions", "Create chat completion"),
        ("", "POST", "/v1/top-ups", "Create a top-up"),
        ("", "GET", "/v1/accounts/{id}/add_ons", "List add-ons of an account"),
        ("ListSignIns", "GET", "/audit", "List sign-ins"),
        ("", "GET", "/", "GET /"),
        ("", "PURGE", "/caches", "PURGE /caches"),
        ("DELETE_NoteText_for_User", "DELETE", "/note/{id}", "Delete note text for user"),
        ("LIST_USERS", "GET", "/people", "List users"),
        ("GET", "GET", "/A", "Get"),
        ("getPDF", "GET", "/file", "Get PDF"),
        ("", "PUT", "/issues/{id}/lock", "Lock an issue"),
        ("", "DELETE", "/issues/{id}/lock", "Delete the lock of an issue"),
        ("", "HEAD", "/issues/{id}/lock", "Check the lock of an issue"),
        ("", "DELETE", "/issues/{id}:archive", "Delete the archive of an issue"),
        ("", "DELETE", "/orders/{id}/cancel", "Cancel an order"),
        ("", "DELETE", "/search", "Delete the search"),
        ("", "QUERY", "/books/search", "Search books"),
        ("", "POST", "/users/create", "Create a user"),
        ("", "POST", "/users/list", "List users"),
        ("", "GET", "/users/list", "Retrieve the user list"),
        ("", "POST", "/users/{id}/delete", "Delete a user"),
        ("", "POST", "/messages/delete", "Delete messages"),
        ("", "POST", "/accounts/{id}/create-invoice", "Create invoice for an account"),
        ("", "PURGE", "/search", "PURGE /search"),
        ("", "POST", "/updates/{id}/destroy", "Destroy an update"),
        ("", "GET", "/events/event-socket", "Retrieve the event socket"),
        ("NamedValue_ListValue", "POST", "/values/{name}/list", "List named value"),
        ("Inputs_CreateOrReplace", "PUT", "/inputs/{name}", "Create or replace an input"),
        ("UserService_GetUser", "GET", "/users/{id}", "Get user"),
        ("", "POST", "/firing.Service/StartFiring", "Start firing"),
        ("shop.v1.UserService.GetUser", "POST", "/shop.v1.UserService/GetUser", "Get user"),
        (
            "listAppsV1ReplicationController",
            "GET",
            "/apps/v1/controllers",
            "List apps v1 replication controllers",
        ),
        ("GetVm", "GET", "/machine", "Get VM"),
        ("jobs.projects.tasks.abortTaskUpgrade", "POST", "/v2/{name}:abortTaskUpgrade", "Abort task upgrade"),
        ("jobs.projects.tasks.rollback", "POST", "/v2/{name}:rollback", "Rollback a task"),
        ("jobs.projects.tasks.getIamPolicy", "GET", "/v2/{resource}:getIamPolicy", "Get task IAM policy"),
        ("Widgets_scheduleRepairs", "POST", "/widgets/{name}:schedule-repairs", "Schedule widget repairs"),
        ("GetCmd", "GET", "/command", "Get cmd"),
    ],
)
def test_made_titles_read_as_people_write_them(operation_id: str, method: str, path: str, title: str) -> None:
    """A title comes from the id, or from method and path if the id is made of those."""
    assert make_title(operation_id, method, path) == title


@pytest.mark.parametrize(
    ("summary", "title", "is_text"),
    [
        ("Parcel `lost`", "Parcel lost", False),
        ("Parcel is *lost*\nfor good", "Parcel is lost for good", False),
        ("Parcel **lost** by [someone](/x)", "Parcel lost by someone", True),
        ("**Something was lost.**", "parcel.lost", True),
        (f"Parcel [lost](https://a.example/{'a' * 40})", "Parcel lost", True),
        ("Parcel snake_case < b", "Parcel snake_case < b", False),
        ("", "parcel.lost", False),
    ],
)
def test_titles_of_events_are_plain_text(summary: str, title: str, *, is_text: bool) -> None:
    """Links and strong words are kept as text of the event."""
    named = event_title(summary, "parcel.lost")

    assert (named.title, named.text) == (title, summary if is_text else "")


@pytest.mark.parametrize(
    ("summary", "title", "text"),
    [
        ("List all pets.", "List all pets", ""),
        ("Tax rules of the U.S.", "Tax rules of the U.S.", ""),
        ("List files, folders, etc.", "List files, folders, etc.", ""),
        ("Wait...", "Wait...", ""),
        ("getPetById", "Get pet by ID", ""),
        ("get_pet_by_id", "Get pet by ID", ""),
        ("PayPal", "PayPal", ""),
        ("createChatCompletion", "Create chat completion", ""),
        ("Set U.S. state taxes", "Set U.S. state taxes", ""),
        ("Create a reply. It is sent at once, to everybody.", "Create a reply", "whole"),
        ("**Starting a project?** Use [Responses](https://a.example).", "Create chat completion", "whole"),
        ("Creates *one* [reply](https://a.example). Slow.", "Creates one reply", "whole"),
        (f"Creates {'a very ' * 20}long thing", "Create chat completion", "whole"),
        ("Erste Zeile\nzweite Zeile", "Erste Zeile zweite Zeile", ""),
        ("Redact the `body` of *one* message", "Redact the body of one message", ""),
        ("Compare a < b and snake_case", "Compare a < b and snake_case", ""),
        (
            "Returns the temperature of the oven, as older clients of the bakery want it.",
            "Create chat completion",
            "whole",
        ),
        (
            "Redact the `body` of a message, or remove the message with everything in it",
            "Create chat completion",
            "whole",
        ),
        ("DEPRECATED", "Create chat completion", "whole"),
        ("**[Beta]**", "Create chat completion", "whole"),
        ("Preview", "Create chat completion", "whole"),
        ("Deprecated calls", "Deprecated calls", ""),
        ("一覧を返す。詳細は別。", "一覧を返す。", "whole"),
    ],
)
def test_a_summary_that_is_a_text_is_not_the_title(summary: str, title: str, text: str) -> None:
    """Only a short plain sentence is a title; what says more is kept as text."""
    named = operation_title(summary, "createChatCompletion", "POST", "/chat/completions")

    assert (named.title, named.text) == (title, summary if text else "")


@pytest.mark.parametrize(
    ("operation_id", "title"),
    [
        ("orgs/list-pat-grants", "whole"),
        ("migrations/list-repositories-of-organizations-for-the-user-who-signed-in", "whole"),
        ("listTokens", "List tokens"),
        ("tokenInfo", "Token info"),
    ],
)
def test_a_long_sentence_is_the_title_of_an_id_that_makes_none(operation_id: str, title: str) -> None:
    """A title made from an id is no sentence if its verb is behind a noun, or if it is as long."""
    summary = "List fine-grained personal access tokens with access to organization resources"

    named = operation_title(summary, operation_id, "GET", "/orgs/{org}/personal-access-tokens")

    assert (named.title, named.text) == ((summary, "") if title == "whole" else (title, summary))


def test_a_long_summary_is_rendered_below_the_title() -> None:
    """Nothing of a summary is lost: it comes before the description."""
    summary = f"Creates {'a very ' * 20}long thing"
    contract = read_contract(
        parse_document(
            f"""
openapi: 3.1.0
info: {{title: T, version: 1.0.0}}
paths:
  /things:
    post: {{summary: {summary}, description: More., responses: {{'200': {{description: OK}}}}}}
""",
            name="openapi.yaml",
        )
    )

    (operation,) = contract.api.operations

    assert (operation.title, operation.description) == ("Create a thing", f"{summary}\n\nMore.")


def test_equal_titles_name_what_the_resource_belongs_to() -> None:
    """The titles of two operations that would be equal name the parents of the resources."""
    paths = "\n".join(
        f"  {path}:\n    get: {{responses: {{'200': {{description: OK}}}}}}"
        for path in ("/shops/{shop}/orders/{id}", "/carts/{cart}/orders/{id}", "/users/{id}")
    )
    document = parse_document(
        f"openapi: 3.1.0\ninfo: {{title: T, version: 1.0.0}}\npaths:\n{paths}\n", name="openapi.yaml"
    )

    titles = [operation.title for operation in read_contract(document).api.operations]

    assert titles == ["Retrieve an order of a shop", "Retrieve an order of a cart", "Retrieve a user"]


@pytest.mark.parametrize(
    ("operation_id", "method", "path", "title"),
    [
        ("depot.crates.list", "GET", "/crates", "List crates"),
        ("depot.crates.get", "GET", "/crates/{crateId}", "Get a crate"),
        ("depot.crates.insert", "POST", "/crates", "Insert a crate"),
        ("depot.crates.copy", "POST", "/crates/{crateId}/copy", "Copy a crate"),
        ("depot.crates.getSealNumber", "GET", "/crates/{crateId}/sealNumber", "Get crate seal number"),
        ("depot.sites.crates.delete", "DELETE", "/v1/{name}", "Delete a crate"),
        ("depot.crates.list", "GET", "/depot/v1/crates", "List crates"),
        ("admin.crates.list", "GET", "/admin/crates", "Admin crates list"),
        ("depot.crates.weather", "GET", "/crates/weather", "Depot crates weather"),
        ("crates.list", "GET", "/boxes", "Crates list"),
    ],
)
def test_ids_of_api_resource_and_method_are_sentences(
    operation_id: str, method: str, path: str, title: str
) -> None:
    """As Google's discovery documents name them; a first word that the path has too is no name of the API."""
    assert make_title(operation_id, method, path) == title


def test_titles_of_dotted_ids_name_the_parent_if_two_are_alike() -> None:
    """Of all parents, as the nearest may be the same."""
    ids = (
        "depot.sites.floors.crates.list",
        "depot.ships.floors.crates.list",
        "depot.ships.floors.crates.create",
    )

    found = [make_title(operation_id, "GET", "/v1/{parent}/crates", with_parent=True) for operation_id in ids]

    assert found == [
        "List crates of a site floor",
        "List crates of a ship floor",
        "Create a crate for a ship floor",
    ]
