"""A record's fields, whose shape is right, to its version; None and findings where a value makes no sense."""

from devportal.catalog.coverage import (
    Availability,
    Channel,
    CoverageTerms,
    Features,
    Registration,
    Scheme,
    Support,
)
from devportal.catalog.fields import Fields
from devportal.catalog.lifecycle import State
from devportal.catalog.rate import (
    UNITS,
    BillingTerm,
    Direction,
    Increment,
    Network,
    NumberType,
    Product,
    RateTerms,
    Unit,
)
from devportal.catalog.version import CoverageVersion, RateVersion, Version


def parse_rate(fields: Fields) -> RateVersion | None:
    """Return the rate version, or None where its fields have findings."""
    terms = rate_terms(fields)
    return None if fields.findings else _version(fields, terms)


def rate_terms(fields: Fields) -> RateTerms:
    """Return the terms of a rate whose shape is right; what makes no sense in them is in the findings."""
    effective_from, effective_to = fields.window()
    network = fields.part("network")
    terms = RateTerms(
        id=fields.text("id"),
        version=fields.number("version"),
        product=fields.choice("product", Product),
        direction=fields.choice("direction", Direction),
        country=fields.country("country"),
        network=Network(name=network["name"], mcc=network["mcc"], mnc=network["mnc"]) if network else None,
        number_type=fields.optional("number_type", NumberType),
        prefixes=tuple(sorted(fields.items("prefixes"))),
        unit=fields.choice("unit", Unit),
        price=fields.amount("price"),
        currency=fields.currency("currency"),
        billing_increment=_increment(fields),
        billing_terms=_billing_terms(fields),
        effective_from=effective_from,
        effective_to=effective_to,
        sample=fields.flag("sample"),
    )
    _check_unit(fields, terms)
    _check_increment(fields, terms)
    return terms


def _version(fields: Fields, terms: RateTerms) -> RateVersion:
    return Version(
        terms=terms, status=fields.choice("status", State), note=fields.text("note"), source=fields.source
    )


def _billing_terms(fields: Fields) -> tuple[BillingTerm, ...]:
    """Return the terms to which a rate is narrowed; naming all of them says what naming none says."""
    items = fields.items("billing_terms")
    named = tuple(term for term in BillingTerm if term in items) if items else ()
    return named if len(named) < len(BillingTerm) else ()


def _increment(fields: Fields) -> Increment | None:
    initial, slash, subsequent = fields.text("billing_increment").partition("/")
    return Increment(initial_s=int(initial), subsequent_s=int(subsequent)) if slash else None


def _check_unit(fields: Fields, terms: RateTerms) -> None:
    """Report a unit in which the product is not sold, such as a call per segment."""
    unit = UNITS[terms.product]
    if terms.unit is not unit:
        message = f"the unit is '{terms.unit}', but the product '{terms.product}' has '{unit}'"
        fields.report("catalog-unit", "unit", message, f"write unit: {unit}, or another product")


def _check_increment(fields: Fields, terms: RateTerms) -> None:
    """Report a price per minute that does not say how seconds are billed, and the reverse."""
    is_timed = terms.unit is Unit.MINUTE
    if is_timed and terms.billing_increment is None:
        help_ = "add the initial and following seconds, such as billing_increment: 1/1"
        fields.report("catalog-increment", "unit", "the unit is 'minute', but no billing_increment", help_)
    if terms.billing_increment is not None and not is_timed:
        message = f"billing_increment is '{terms.billing_increment}', but the unit is '{terms.unit}'"
        help_ = "only a price per minute has a billing increment: remove it"
        fields.report("catalog-increment", "billing_increment", message, help_)


def parse_coverage(fields: Fields) -> CoverageVersion | None:
    """Return the coverage record, or None where its fields have findings."""
    effective_from, effective_to = fields.window()
    features = fields.part("features")
    terms = CoverageTerms(
        id=fields.text("id"),
        version=fields.number("version"),
        country=fields.country("country"),
        dialling_code=fields.text("dialling_code"),
        channel=fields.choice("channel", Channel),
        support=fields.choice("support", Support),
        number_types=tuple(NumberType(name) for name in fields.items("number_types")),
        features=Features(**{name: Availability(value) for name, value in features.items()}),
        registration=_registration(fields),
        restrictions=fields.items("restrictions"),
        reviewed_on=fields.required_day("reviewed_on"),
        effective_from=effective_from,
        effective_to=effective_to,
        sample=fields.flag("sample"),
    )
    if fields.findings:
        return None
    return Version(
        terms=terms, status=fields.choice("status", State), note=fields.text("note"), source=fields.source
    )


def _registration(fields: Fields) -> Registration:
    part = fields.part("registration")
    days = part.get("lead_time_days")
    return Registration(scheme=Scheme(part["scheme"]), lead_time_days=int(days) if days else None)
