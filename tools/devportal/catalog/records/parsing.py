"""Converts the fields of a record, whose shape is valid, to its version; None and findings for invalid
values.
"""

from decimal import Decimal
from functools import lru_cache

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Book, Field, GroupForm, ListForm, NumberForm
from devportal.catalog.records.coverage import Availability, CoverageTerms, Features, Registration, Support
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import CoverageVersion, RateVersion, Version
from devportal.catalog.records.values import Declared, FieldValue, Values


def parse_rate(fields: Fields, book: Book) -> RateVersion | None:
    """Return the rate version, or None if its fields have findings."""
    terms = rate_terms(fields, book)
    if fields.findings:
        return None
    return Version(
        terms=terms, status=fields.choice("status", State), note=fields.text("note"), source=fields.source
    )


def rate_terms(fields: Fields, book: Book) -> RateTerms:
    """Return the terms of a rate whose shape is valid. Invalid values are reported in the findings of the
    fields.
    """
    effective_from, effective_to = fields.window()
    terms = RateTerms(
        id=fields.text("id"),
        version=fields.number("version"),
        product=book.product[fields.text("product")],
        market=fields.market(book.markets),
        market_kind=book.markets.kind,
        declared=_parse_declared(fields, book.fields),
        unit=book.unit[fields.text("unit")],
        price=fields.amount("price"),
        currency=fields.currency("currency"),
        billing_terms=_parse_billing_terms(fields, book),
        effective_from=effective_from,
        effective_to=effective_to,
        sample=fields.flag("sample"),
    )
    _check_unit(fields, terms)
    _check_steps(fields, terms, book)
    _check_product(fields, terms)
    return terms


def _parse_declared(fields: Fields, declared: tuple[Field, ...]) -> Declared:
    """Return the values of the declared fields, in the form that an approval covers."""
    values: dict[str, FieldValue] = {}
    for field in declared:
        if field.name in fields.data:
            values[field.name] = _parse_value(fields, field)
    return Values(values)


@lru_cache(maxsize=4096)
def _group_values(parts: tuple[tuple[str, str], ...]) -> Values[str]:
    """Return the parts of a group. Records of one group, which stand together, share them."""
    return Values(dict(parts))


def _parse_value(fields: Fields, field: Field) -> FieldValue:
    match field.form:
        case ListForm():
            # a list that distinguishes prices has no order: the same items are the same price
            values = fields.items(field.name)
            return values if field.choices and not field.is_key else tuple(sorted(values))
        case GroupForm() as form:
            group = fields.mapping(field.name)
            return _group_values(tuple([(part.name, group[part.name]) for part in form.parts]))
        case NumberForm(least=least, most=most) if not least <= Decimal(fields.text(field.name)) <= most:
            message = f"{field.name} is {fields.text(field.name)!r}, which is not from {least:f} to {most:f}"
            fields.report("catalog-number", field.name, message, field.write)
    return fields.text(field.name)


def _parse_billing_terms(fields: Fields, book: Book) -> tuple[str, ...]:
    """Return the billing terms that a rate is limited to. Naming all of them is the same as naming none."""
    items = fields.items("billing_terms")
    terms = tuple(term for term in book.billing_terms if term in items) if items else ()
    return terms if len(terms) < len(book.billing_terms) else ()


def _check_unit(fields: Fields, terms: RateTerms) -> None:
    """Report a unit in which the product is not sold."""
    unit = terms.product.unit
    if terms.unit is not unit:
        message = f"the unit is '{terms.unit}', but the product '{terms.product}' has '{unit}'"
        fields.report("catalog-unit", "unit", message, f"write unit: {unit}, or another product")


def _check_steps(fields: Fields, terms: RateTerms, book: Book) -> None:
    """Report a price of an amount billed in steps that does not state the steps, and the reverse."""
    needed = terms.unit.steps.field if terms.unit.steps else ""
    for field in book.after_price:
        value = terms.declared.get(field.name)
        if field.name == needed and value is None:
            help_ = f"add the first and the following step, such as {field.name}: 1/1"
            message = f"the unit is '{terms.unit}', but no {field.name}"
            fields.report("catalog-increment", "unit", message, help_)
        if field.name != needed and value is not None:
            message = f"{field.name} is '{value}', but the unit is '{terms.unit}'"
            help_ = f"no price {terms.unit.title} has a {field.title.lower()}: remove it"
            fields.report("catalog-increment", field.name, message, help_)


def _check_product(fields: Fields, terms: RateTerms) -> None:
    """Report fields that the product does not take, and missing fields that it needs."""
    product = terms.product
    for name in terms.declared:
        if product.takes is not None and name not in product.takes:
            message = f"the product '{product}' takes no {name}"
            fields.report("catalog-field", name, message, f"remove it, or let {product} take it in book.yaml")
    for name in sorted(product.needs - terms.declared.keys()):
        message = f"the product is '{product}', but no {name}"
        fields.report("catalog-field", "product", message, f"add {name}, which the product needs")


def parse_coverage(fields: Fields, book: Book) -> CoverageVersion | None:
    """Return the coverage record, or None if its fields have findings."""
    effective_from, effective_to = fields.window()
    terms = CoverageTerms(
        id=fields.text("id"),
        version=fields.number("version"),
        market=fields.market(book.markets),
        market_kind=book.markets.kind,
        declared=_parse_declared(fields, book.coverage.fields),
        channel=book.channel[fields.text("channel")],
        support=fields.choice("support", Support),
        features=_parse_features(fields, book),
        registration=_parse_registration(fields, book),
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


def _parse_features(fields: Fields, book: Book) -> Features | None:
    """Return the stated features. A feature that a record calls unknown is not stated."""
    if not book.coverage.features:
        return None
    availability_texts = fields.mapping("features")
    stated: dict[str, Availability] = {}
    for feature in book.coverage.features:
        value = Availability(availability_texts.get(feature.key, Availability.UNKNOWN))
        if value is not Availability.UNKNOWN or feature.is_always_content:
            stated[feature.key] = value
    return Features(stated=Values(stated))


def _parse_registration(fields: Fields, book: Book) -> Registration | None:
    if not book.coverage.schemes:
        return None
    data = fields.mapping("registration")
    days = data.get("lead_time_days")
    return Registration(scheme=book.scheme[data["scheme"]], lead_time_days=int(days) if days else None)
