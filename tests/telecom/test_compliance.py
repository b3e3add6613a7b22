"""What decides on registrations and texts."""

import re

import pytest

from devportal.contract import Api
from telecom.compliance import (
    MISMATCHED_TAX_ID,
    OPTED_OUT_NUMBERS,
    PUBLIC_SHORTENERS,
    REGISTERED_ROUTES,
    BrandRefusal,
    CampaignRefusal,
    RegistrationStatus,
    decide_brand,
    decide_campaign,
    find_link_shortener,
)


@pytest.mark.parametrize(
    ("tax_id", "website", "status", "reason"),
    [
        ("12-3456789", "https://parcels.example/", "approved", None),
        (MISMATCHED_TAX_ID, "https://parcels.example/", "rejected", "name_does_not_match_tax_id"),
        ("12-3456789", "https://unreachable.example/us", "rejected", "website_not_reachable"),
        ("12-3456789", "https://UNREACHABLE.example:8443", "rejected", "website_not_reachable"),
        ("12-3456789", "https://not.unreachable.example.org/", "approved", None),
    ],
)
def test_brand_is_decided_on(tax_id: str, website: str, status: str, reason: str | None) -> None:
    """Tax identifier and website decide, whatever the case and port."""
    decision = decide_brand(tax_id=tax_id, website=website)

    assert (decision.status, decision.reason, decision.later) == (status, reason, None)


def test_brand_can_be_suspended_later() -> None:
    """It is approved first."""
    decision = decide_brand(tax_id="12-3456789", website="https://suspended.example/")

    assert (decision.status, decision.later) == (RegistrationStatus.APPROVED, RegistrationStatus.SUSPENDED)


@pytest.mark.parametrize(
    ("samples", "help_message", "reason"),
    [
        (["Hello. Reply STOP to stop."], "Reply stop to stop.", None),
        (["Hello.", "See bit.ly/3x"], "Reply STOP to stop.", CampaignRefusal.PUBLIC_LINK_SHORTENER),
        (["Hello."], "Write to help@parcels.example, it never stops.", CampaignRefusal.OPT_OUT_MISSING),
    ],
)
def test_campaign_is_decided_on(samples: list[str], help_message: str, reason: str | None) -> None:
    """Every sample and the help message are looked at; a word that only contains STOP is none."""
    decision = decide_campaign(sample_messages=samples, help_message=help_message)

    assert decision.reason == reason
    assert (decision.status is RegistrationStatus.REJECTED) is (reason is not None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://bit.ly/3xample", "bit.ly"),
        ("Look: HTTP://WWW.TinyURL.com/x", "tinyurl.com"),
        ("t.co", "t.co"),
        ("bit.ly.", "bit.ly"),
        ("https://habit.ly/x", None),
        ("https://bit.lyceum.example/", None),
        ("https://bit.ly.example/", None),
        ("a bit. Lying down", None),
        ("", None),
    ],
)
def test_public_shorteners_are_found(text: str, found: str | None) -> None:
    """By whole host, in any case, with or without a scheme; not inside of other hosts."""
    assert find_link_shortener(text) == found


def test_every_shortener_is_found() -> None:
    """Each of the list, as a link."""
    assert [find_link_shortener(f"See https://{host}/x.") for host in PUBLIC_SHORTENERS] == list(
        PUBLIC_SHORTENERS
    )


def test_magic_numbers_are_for_fiction() -> None:
    """They belong to nobody: NANP 555-0100 to 555-0199."""
    for number in (*REGISTERED_ROUTES, *OPTED_OUT_NUMBERS):
        assert re.fullmatch(r"\+1[2-9][0-9]{2}55501[0-9]{2}", number)


def test_code_and_contract_name_the_same_reasons(api: Api) -> None:
    """The statuses and reasons of the code are the enums of the contract."""
    schemas = {location.pointer[-1]: schema for location, schema in api.schemas.items()}

    for name, refusals in (("Brand", BrandRefusal), ("Campaign", CampaignRefusal)):
        reason = next(
            property_ for property_ in schemas[name].properties if property_.name == "rejection_reason"
        )
        assert list(reason.schema.enum) == [*refusals, None]
        assert list(schemas[f"{name}Status"].enum) == list(RegistrationStatus)
