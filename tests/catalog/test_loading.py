"""Reading records and log: every fault with its place, nothing left out silently."""

import json
import os
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import pytest

from devportal.catalog import AuditLog, Catalog, Published, check_catalog, load_catalog, published
from devportal.catalog.audit.lifecycle import Action, Role, State
from devportal.catalog.audit.log import parse_audit
from devportal.catalog.records.coverage import Availability, Support
from devportal.catalog.records.json_schemas import record_schema
from devportal.catalog.records.loading import PENDING
from devportal.catalog.records.text import yaml_text
from devportal.catalog.records.version_ref import Kind
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding
from tests.catalog.own_book import BOOK, Direction, NumberType

from .build import COVERAGE as COVERAGE_TERMS
from .build import RATE, TODAY, log_of, rate

GOOD = """\
rates:
  - id: no-sms
    version: 1
    status: draft
    product: sms
    direction: outbound
    country: NO
    network: {name: Fjord, mcc: 242, mnc: 010}
    unit: segment
    price: 0.10
    currency: EUR
    effective_from: 2026-02-01
"""
COVERAGE = """\
coverage:
  - id: no-sms
    version: 1
    status: draft
    country: NO
    dialling_code: 47
    channel: sms
    support: full
    features: {two_way: yes}
    registration: {scheme: none}
    reviewed_on: 2026-01-20
    effective_from: 2026-02-01
"""


def load_file(folder: Path, text: str, name: str = "rates/no.yaml") -> tuple[Catalog, tuple[Finding, ...]]:
    """Return the catalog of a folder with one file of records, and its findings."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_catalog(folder, name="data", book=BOOK)


def finding(folder: Path, text: str, name: str = "rates/no.yaml") -> Finding:
    """Return the one finding of a folder with one file, whose record is not in the catalog."""
    catalog, (found,) = load_file(folder, text, name)
    assert catalog.records.all() == ()
    return found


def write_active_rate(folder: Path) -> None:
    """Write a folder in which all is right and one rate is public."""
    (folder / "rates").mkdir()
    (folder / "rates" / "no.yaml").write_text(yaml_text([rate()], BOOK), encoding="utf-8")
    (folder / "audit.jsonl").write_text(log_of(RATE).text(), encoding="utf-8")
    grants = (f"  - {{actor: {actor}, roles: [{role}]}}\n" for actor, role in ACTORS.items())
    (folder / "roles.yaml").write_text("".join(["roles:\n", *grants]), encoding="utf-8")


ACTORS = {"ida": Role.EDITOR, "omar": Role.APPROVER, "lin": Role.PUBLISHER}


def replace_by_link(path: Path) -> None:
    """Put a link to a file in its place."""
    elsewhere = path.with_name(f"{path.name}.elsewhere")
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def replace_by_pipe(path: Path) -> None:
    """Put a pipe in the place of a file."""
    path.unlink()
    os.mkfifo(path)


def replace_by_file(path: Path) -> None:
    """Put a file in the place of a folder."""
    path.rename(path.with_name(f"{path.name}.elsewhere"))
    path.write_text("", encoding="utf-8")


def break_text(path: Path) -> None:
    """Make the bytes of a file no text."""
    path.write_bytes(b"\xff" + path.read_bytes())


def test_a_good_record_is_read(tmp_path: Path) -> None:
    """The small file that the other tests break is without findings."""
    catalog, findings = load_file(tmp_path, GOOD)

    assert findings == ()
    assert [str(version.ref) for version in catalog.records.rates] == ["rates/no-sms@1"]


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("", ["prepaid", "billed"]),
        ("\n    billing_terms: [billed, prepaid]", ["prepaid", "billed"]),
        ("\n    billing_terms: [billed]", ["billed"]),
    ],
)
def test_a_rate_is_offered_on_all_terms_unless_it_narrows_them(
    tmp_path: Path, written: str, offered: list[str]
) -> None:
    """Prepaid and billed is what holds for all; their order does not matter."""
    catalog, _ = load_file(tmp_path, GOOD.replace("currency: EUR", f"currency: EUR{written}"))

    (version,) = catalog.records.rates
    assert list(version.terms.offered_billing_terms(BOOK)) == offered
    assert bool(version.terms.billing_terms) == (len(offered) == 1), "naming both is naming none"


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "quoted"),
    [
        ("price: 0.10", "price: 0,10", 10, 5, "price` is '0,10'"),
        ("price: 0.10", "price: -0.10", 10, 5, "price` is '-0.10'"),
        ("price: 0.10", "price: 1e3", 10, 5, "price` is '1e3'"),
        ("price: 0.10", "price: ٠.10", 10, 5, "price` is '٠.10'"),
        ("price: 0.10", 'price: "0.10\\n"', 10, 5, r"price` is '0.10\n'"),
        ("price: 0.10", "price:", 10, 5, "price` is empty"),
        ("price: 0.10", "price: [1]", 10, 5, "price` is ['1']"),
        ("price: 0.10", "prize: 0.10", 2, 5, "the field 'price' is missing"),
        ("country: NO", "country: no", 7, 5, "country` is 'no'"),
        ("country: NO", "country: ZZ", 7, 5, "country is 'ZZ', which names no country"),
        ("currency: EUR", "currency: DEM", 11, 5, "currency is 'DEM', which names no current currency"),
        ("mnc: 010", "mnc: 1", 8, 38, "mnc` is '1'"),
        ("status: draft", "status: live", 4, 5, "status` is 'live'"),
        ("version: 1", "version: 0", 3, 5, "version` is '0'"),
        ("2026-02-01", "2026-02-30", 12, 5, "effective_from is '2026-02-30', which is not a day"),
        ("2026-02-01", "2026-02-01\n    effective_to: 2026-02-01", 13, 5, "not after effective_from"),
        ("unit: segment", "unit: minute", 9, 5, "the unit is 'minute', but no billing_increment"),
        ("unit: segment", "unit: segment\n    billing_increment: 1/1", 10, 5, "but the unit is 'segment'"),
        ("unit: segment", "unit: month", 9, 5, "unit is 'month', but the product 'sms' has 'segment'"),
        ("product: sms", "product: voice", 9, 5, "unit is 'segment', but the product 'voice' has 'minute'"),
        ("rates:", "rate:", 1, 1, "the field 'rates' is missing"),
    ],
)
def test_a_wrong_value_is_found_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, column: int, quoted: str
) -> None:
    """The message quotes the value, the place is that of its key, the help says how to write it."""
    catalog, findings = load_file(tmp_path, GOOD.replace(old, new, 1))

    (found,) = [each for each in findings if quoted in each.message]
    assert found.place == Place(file="data/rates/no.yaml", line=line, column=column)
    assert found.help
    assert catalog.records.rates == ()


def test_all_faults_are_found_and_good_neighbours_kept(tmp_path: Path) -> None:
    """Three faults in the first record are three findings; the second record is still read."""
    bad = (
        GOOD.replace("NO", "Norway")
        .replace("0.10", "free")
        .replace("sms\n    dir", "sms\n    extra: 1\n    dir")
    )
    good = GOOD.replace("rates:\n", "").replace("id: no-sms", "id: no-mms")

    catalog, findings = load_file(tmp_path, bad + good)

    assert sorted(found.message for found in findings) == [
        "`rates.0.country` is 'Norway', which does not fit",
        "`rates.0.price` is 'free', which does not fit",
        "the field 'extra' is not known here",
    ]
    assert [version.terms.id for version in catalog.records.rates] == ["no-mms"]


@pytest.mark.parametrize(
    ("old", "new", "quoted"),
    [
        ("support: full", "support: maybe", "support` is 'maybe'"),
        ("two_way: yes", "two_way: true", "two_way` is 'true'"),
        ("scheme: none", "lead_time_days: 3", "the field 'scheme' is missing"),
        ("dialling_code: 47", "dialling_code: +47", "dialling_code` is '+47'"),
        ("country: NO", "country: XX", "country is 'XX', which names no country"),
        ("2026-01-20", "2026-13-20", "reviewed_on is '2026-13-20', which is not a day"),
    ],
)
def test_a_wrong_coverage_record_is_found(tmp_path: Path, old: str, new: str, quoted: str) -> None:
    """Coverage records are held to their shape as well."""
    assert quoted in finding(tmp_path, COVERAGE.replace(old, new, 1), "coverage/no.yaml").message


@pytest.mark.parametrize("text", ["", "# nothing\n", "rates:\n", "rates: []\n", "- rates\n", "rates: 1\n"])
def test_a_file_without_records_is_found(tmp_path: Path, text: str) -> None:
    """A file that holds no record is a mistake, not an empty list."""
    assert finding(tmp_path, text).rule == "catalog-shape"


def test_a_file_that_is_no_yaml_is_found_at_its_line(tmp_path: Path) -> None:
    """The YAML parser's fault is a finding; other files are still read."""
    (tmp_path / "rates").mkdir()
    (tmp_path / "rates" / "gb.yaml").write_text(GOOD)

    catalog, (found,) = load_file(tmp_path, "rates:\n  - id: [\n", "rates/no.yaml")

    assert found.rule == "catalog-unreadable"
    assert found.place.file == "data/rates/no.yaml"
    assert found.place.line == 3
    assert len(catalog.records.rates) == 1


def test_a_stray_file_is_found(tmp_path: Path) -> None:
    """A file that would not be read is not left out silently."""
    assert finding(tmp_path, GOOD, "rates/no.yml").rule == "catalog-unread"


def test_a_file_that_is_not_utf8_is_found(tmp_path: Path) -> None:
    """Bytes that are no text are a finding too."""
    (tmp_path / "coverage").mkdir()
    (tmp_path / "coverage" / "no.yaml").write_bytes(b"coverage: \xff\n")

    _catalog, (found,) = load_catalog(tmp_path, name="data", book=BOOK)

    assert "not UTF-8" in found.message


@pytest.mark.parametrize(
    "name", ["rates/l.yaml", "coverage/below/l.yaml", "rates/l", "rates", "audit.jsonl", "roles.yaml"]
)
@pytest.mark.parametrize("target", ["secret", "secrets", "nowhere"])
def test_a_link_is_found_and_nothing_of_what_it_leads_to_is_quoted(
    tmp_path: Path, name: str, target: str
) -> None:
    """To a file, to a folder or to nothing, in the place of a record, a folder, the log or the roles."""
    (tmp_path / "secrets").mkdir()
    for secret in (tmp_path / "secret", tmp_path / "secrets" / "no.yaml"):
        secret.write_text("hunter2: {rates: [\n", encoding="utf-8")
    link = tmp_path / "data" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / target)

    catalog, (found,) = load_catalog(tmp_path / "data", name="data", book=BOOK)

    assert (found.rule, found.place, found.message) == (
        "catalog-unread",
        Place(file=f"data/{name}"),
        "this is not read: it is a link",
    )
    assert catalog.records.all() == ()
    assert catalog.audit.complete == (name not in {"audit.jsonl", "roles.yaml"})


@pytest.mark.parametrize("name", ["rates/pipe.yaml", "audit.jsonl", "roles.yaml"])
def test_a_pipe_is_found_and_not_waited_for(tmp_path: Path, name: str) -> None:
    """Whoever opened it would wait for ever."""
    (tmp_path / "rates").mkdir()
    os.mkfifo(tmp_path / name)

    _, (found,) = load_catalog(tmp_path, name="data", book=BOOK)

    assert str(found).startswith(
        f"data/{name}: error: this is not read: it is not a regular file [catalog-unread]"
    )


@pytest.mark.parametrize("name", ["audit.jsonl", "roles.yaml"])
@pytest.mark.parametrize("spoil", [replace_by_link, replace_by_pipe, break_text])
def test_log_or_roles_that_cannot_be_read_are_reported_alone(
    tmp_path: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    """No record is reported as unknown to a log that was not read, and no actor as without a role."""
    write_active_rate(tmp_path)
    spoil(tmp_path / name)

    catalog, (found,) = load_catalog(tmp_path, name="data", book=BOOK)

    assert (found.rule, found.place.file) in {
        ("catalog-unread", f"data/{name}"),
        ("catalog-unreadable", f"data/{name}"),
    }
    assert list(check_catalog(catalog, today=TODAY)) == []
    assert published(catalog.records, catalog.audit, TODAY) == Published(on=TODAY)
    assert not catalog.is_readable


@pytest.mark.parametrize("spoil", [replace_by_link, replace_by_file])
def test_folder_of_a_kind_that_cannot_be_read_is_reported_alone(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """No record that the log knows is reported as lost, and a record of the other kind still is."""
    write_active_rate(tmp_path)
    (tmp_path / "audit.jsonl").write_text(log_of(RATE, COVERAGE_TERMS).text(), encoding="utf-8")
    spoil(tmp_path / "rates")

    catalog, (found,) = load_catalog(tmp_path, name="data", book=BOOK)
    (lost,) = check_catalog(catalog, today=TODAY)

    assert (found.rule, found.place.file) == ("catalog-unread", "data/rates")
    assert lost.message.startswith("the log knows coverage/no-sms@1, but no file holds it")


def test_roles_of_a_wrong_shape_are_reported_alone(tmp_path: Path) -> None:
    """Nobody is reported as without a role if the file is read and does not fit."""
    write_active_rate(tmp_path)
    (tmp_path / "roles.yaml").write_text("roles: [ida]\n", encoding="utf-8")

    catalog, (found,) = load_catalog(tmp_path, name="data", book=BOOK)

    assert found.place.file == "data/roles.yaml"
    assert list(check_catalog(catalog, today=TODAY)) == []
    assert published(catalog.records, catalog.audit, TODAY) == Published(on=TODAY)


def test_what_is_wrong_besides_unreadable_roles_is_reported_after_them(tmp_path: Path) -> None:
    """Only what follows from the roles is left out: a record that does not fit is still found."""
    write_active_rate(tmp_path)
    replace_by_link(tmp_path / "roles.yaml")

    catalog, findings = load_file(tmp_path, GOOD.replace("price: 0.10", "price: free"), "rates/se.yaml")

    assert [found.place.file for found in findings] == ["data/roles.yaml", "data/rates/se.yaml"]
    assert list(check_catalog(catalog, today=TODAY)) == []


def test_readable_records_are_sound_and_public(tmp_path: Path) -> None:
    """The folder that the tests above spoil has no findings and publishes its rate."""
    write_active_rate(tmp_path)

    catalog, findings = load_catalog(tmp_path, name="data", book=BOOK)

    assert (findings, list(check_catalog(catalog, today=TODAY))) == ((), [])
    assert len(published(catalog.records, catalog.audit, TODAY).rates) == 1
    assert catalog.is_readable


def test_a_file_in_place_of_a_folder_is_found(tmp_path: Path) -> None:
    """Its records would be missed by nobody else."""
    assert finding(tmp_path, GOOD, "rates").message == "this is not read: it is not a folder"


@pytest.mark.parametrize("is_link", [False, True])
def test_an_interrupted_write_is_found_alone(tmp_path: Path, *, is_link: bool) -> None:
    """Nothing is published, as the log is not complete; what may follow from it is not reported."""
    load_file(tmp_path, GOOD.replace("price", "prize"))
    pending = tmp_path / PENDING
    pending.symlink_to("/etc/passwd") if is_link else pending.write_text("hunter2", encoding="utf-8")

    catalog, (found,) = load_catalog(tmp_path, name="my data", book=BOOK)

    assert (found.rule, found.place) == ("catalog-interrupted", Place(file="my data/.pending.json"))
    assert "run devportal rates recover --records 'my data'" in found.help
    assert (catalog.is_interrupted, catalog.audit.complete) == (True, False)
    assert list(check_catalog(catalog, today=date(2026, 12, 1))) == []


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """A misspelt setting must not look like a portal without rates."""
    with pytest.raises(UnreadableInput, match="there is no such folder of records"):
        load_catalog(tmp_path / "dtaa", name="dtaa", book=BOOK)


def test_the_log_reads_what_it_writes() -> None:
    """Text to entries to text gives the same bytes, hashes and lines."""
    log = log_of(RATE)

    again, findings = parse_audit(log.text(), name="audit.jsonl")

    assert findings == ()
    assert again == log
    assert again.text() == log.text()
    assert [entry.line_sha256 for entry in again.entries] == [entry.line_sha256 for entry in log.entries]


@pytest.mark.parametrize(
    ("old", "new", "quoted"),
    [
        ('"ida"', '"Ida"', "actor` is 'Ida'"),
        ('"ida"', '"ida\\n"', r"actor` is 'ida\n'"),
        ('"create"', '"invent"', "action` is 'invent'"),
        ('"reason": ""', '"reason": 1', "reason` is 1"),
        ('"reason": ""', '"reason": "", "extra": 1', "the field 'extra' is not known here"),
        ('"reason": ""', '"reason": "", "reason": ""', "the key 'reason' occurs twice"),
        ("T09:00:00Z", "T25:00:00Z", "at is '2026-01-05T25:00:00Z', which is not a time"),
        ("T09:00:00Z", "T09:00:00+01:00", "at` is '2026-01-05T09:00:00+01:00'"),
        ('{"at"', '{"at', "this is not JSON"),
        ('{"at"', '["at"', "this line is not a JSON object"),
    ],
)
def test_a_line_that_cannot_be_read_is_found_and_spoils_the_log(old: str, new: str, quoted: str) -> None:
    """The log is then not complete, so that nothing is published by it."""
    log, (found,) = parse_audit(log_of(RATE).text().replace(old, new, 1), name="audit.jsonl")

    assert quoted in found.message
    assert (found.place.file, found.place.line) == ("audit.jsonl", 1)
    assert not log.complete


def test_a_torn_last_line_is_found() -> None:
    """A writer that was killed in the middle of a line leaves one without an end."""
    log, (found,) = parse_audit(log_of(RATE).text()[:-10], name="audit.jsonl")

    assert "the last line does not end" in found.message
    assert found.place.line == 4
    assert not log.complete


def test_an_empty_line_is_found() -> None:
    """Even an empty line is no entry."""
    assert not parse_audit(log_of(RATE).text() + "\n", name="audit.jsonl")[0].complete


def test_an_empty_log_is_complete() -> None:
    """A log to which nothing was written yet."""
    assert parse_audit("", name="audit.jsonl") == (AuditLog(), ())


@pytest.mark.parametrize(
    ("kind", "path", "keys"),
    [
        (Kind.RATE, "rate/properties/product", [*BOOK.product]),
        (Kind.RATE, "rate/properties/direction", [*Direction]),
        (Kind.RATE, "rate/properties/unit", [*BOOK.unit]),
        (Kind.RATE, "rate/properties/number_type", [*NumberType]),
        (Kind.RATE, "rate/properties/billing_terms/items", [*BOOK.billing_terms]),
        (Kind.COVERAGE, "coverage/properties/channel", [*BOOK.channel]),
        (Kind.COVERAGE, "coverage/properties/number_types/items", [*NumberType]),
        (Kind.COVERAGE, "coverage/properties/registration/properties/scheme", [*BOOK.scheme]),
    ],
)
def test_the_shape_lets_through_what_the_book_declares(kind: Kind, path: str, keys: list[str]) -> None:
    """And nothing else: what the shape lets through can be read."""
    node = record_schema(kind, BOOK)["$defs"]
    for name in path.split("/"):
        node = node[name]

    assert node["enum"] == keys


@pytest.mark.parametrize(
    ("schema", "path", "members"),
    [
        ("rates", "$defs/status", State),
        ("coverage", "$defs/status", State),
        ("coverage", "$defs/coverage/properties/support", Support),
        ("coverage", "$defs/availability", Availability),
        ("audit-entry", "properties/action", Action),
        ("audit-entry", "properties/role", Role),
        ("audit-entry", "properties/to", State),
    ],
)
def test_the_schemas_and_the_types_know_the_same_words(
    schema: str, path: str, members: type[StrEnum]
) -> None:
    """What the shape lets through can be read, and what can be read is let through."""
    node = json.loads(
        files("devportal.catalog.records").joinpath("schemas", f"{schema}.json").read_text("utf-8")
    )
    for name in path.split("/"):
        node = node[name]

    assert node["enum"] == [member.value for member in members]


def test_the_shape_knows_every_feature() -> None:
    """Each that the book declares, in its order."""
    schema = record_schema(Kind.COVERAGE, BOOK)
    known = schema["$defs"]["coverage"]["properties"]["features"]["properties"]

    assert [*known] == [feature.key for feature in BOOK.coverage.features]
