"""A folder of records: a British rate that is public, and its next version, which waits to become active."""

import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from devportal.catalog.audit.lifecycle import Action
from devportal.catalog.records.content import canonical_content
from devportal.catalog.records.rate import RateTerms
from tests.catalog.build import RATE, log_of
from tests.catalog.own_book import lay_book, net, replace

PUBLIC = replace(
    RATE, id="gb-sms-albion", country="GB", price=Decimal("0.0410"),
    network=net(name="Albion Cellular", mcc="234", mnc="099"),
)  # fmt: skip
NEXT = replace(PUBLIC, version=2, price=Decimal("0.03771"))
_RECORD = """\
  - id: {0.id}
    version: {0.version}
    status: {1}
    product: sms
    direction: outbound
    country: GB
    network: {{name: Albion Cellular, mcc: 234, mnc: 099}}
    unit: segment
    price: {0.price}
    currency: EUR
    effective_from: {0.effective_from}
"""


_ROLES = """\
roles:
  - {actor: ida, roles: [editor]}
  - {actor: omar, roles: [approver]}
  - {actor: lin, roles: [publisher]}
"""


def write_records(folder: Path) -> None:
    """Write the folder."""
    (folder / "rates").mkdir(parents=True)
    lay_book(folder)
    text = "rates:\n" + _RECORD.format(PUBLIC, "active") + _RECORD.format(NEXT, "approved")
    (folder / "rates" / "gb.yaml").write_text(text, encoding="utf-8")
    log = log_of(NEXT, steps=(Action.CREATE, Action.SUBMIT, Action.APPROVE), log=log_of(PUBLIC))
    (folder / "audit.jsonl").write_text(log.text(), encoding="utf-8")
    write_roles(folder)


def write_roles(folder: Path) -> None:
    """Write who holds which role."""
    (folder / "roles.yaml").write_text(_ROLES, encoding="utf-8")


def write_rates(folder: Path, rates: Iterable[tuple[RateTerms, bool, str]]) -> None:
    """Write rates, each with whether it is public and its note, and their log."""
    (folder / "rates").mkdir(parents=True)
    lay_book(folder)
    drawn, records = list(rates), []
    for terms, is_public, note in drawn:
        record = json.loads(canonical_content(terms)) | {"status": "active" if is_public else "draft"}
        del record["kind"]
        records.append(record | ({"note": note} if note else {}))
    (folder / "rates" / "all.yaml").write_text(json.dumps({"rates": records}), encoding="utf-8")
    log = log_of(*(terms for terms, is_public, _ in drawn if is_public))
    log = log_of(*(terms for terms, is_public, _ in drawn if not is_public), steps=(Action.CREATE,), log=log)
    (folder / "audit.jsonl").write_text(log.text(), encoding="utf-8")
    write_roles(folder)
