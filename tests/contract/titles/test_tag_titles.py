"""Tags that are named as programs name things are called in words."""

import pytest

from devportal.contract.titles.tag_titles import tag_titles
from tests.contract.inline import contract


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        (("ApiV1Account", "ApiV1PhoneNumber", "ApiV1IpAddress"), ("Account", "Phone number", "IP address")),
        (("AddOn", "PhoneNumber", "ShortCode", "Users"), ("Add on", "Phone number", "Short code", "Users")),
        (("code-scanning", "payment_intents", "opt-in"), ("Code scanning", "Payment intents", "Opt-in")),
        (("rate-limit", "repos", "codes-of-conduct"), ("Rate limit", "Repos", "Codes of conduct")),
        (("rate-limit", "repos", "opt-in", "Users"), ("Rate limit", "repos", "opt-in", "Users")),
        (("pets", "opt-in"), ("pets", "opt-in")),
        (("flowControl_v1beta2", "api_Keys"), ("Flow control v1beta2", "api_Keys")),
        (("PayPal", "GitHub", "Cards", "Refunds"), ("PayPal", "GitHub", "Cards", "Refunds")),
        (("Toll-Free Verification", "MFA", "pets"), ("Toll-Free Verification", "MFA", "pets")),
    ],
)
def test_names_of_programs_become_words(names: tuple[str, ...], titles: tuple[str, ...]) -> None:
    """What people wrote stays: words with spaces, brands, abbreviations, and hyphens of short words."""
    made = tag_titles(names)

    assert tuple(made.get(name, name) for name in names) == titles


def test_a_title_of_the_contract_stays() -> None:
    """Declared and undeclared tags have one title wherever they are shown, unless their author wrote one."""
    api = contract("""\
        paths:
          /a: {get: {tags: [user_groups], responses: {}}}
          /b: {get: {tags: [api_keys], responses: {}}}
          /c: {get: {tags: [tax_rates], responses: {}}}
        tags:
          - {name: user_groups, x-displayName: People}
          - {name: api_keys}
        """).api

    assert [group.title for group in api.groups] == ["People", "API keys", "Tax rates"]
    assert [tag.title for tag in api.tags] == ["People", "API keys"]
