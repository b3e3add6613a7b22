"""Rate versions under review: the steps, taken by Ada, who writes and publishes, and Bob, who approves."""

from hashlib import sha256
from typing import Any

ADA, BOB = "token-of-ada", "token-of-bob"
VERSIONS, LOG, RATES = "/v1/rate-versions", "/v1/audit-log", "/v1/rates"
TERMS = {
    "product": "sms",
    "direction": "outbound",
    "country": "SE",
    "network": {"name": "Example Mobil", "mcc": "999", "mnc": "010"},
    "unit": "segment",
    "price": "0.0520",
    "currency": "EUR",
    "effective_from": "2026-11-21",
}
WHY = {"reason": "Checked."}


def actor(token: str) -> str:
    """Return what a token is called on the audit log."""
    return f"key_{sha256(token.encode()).hexdigest()[:12]}"


def draft_version(sandbox: Any, rate_id: str = "se-sms", **terms: Any) -> str:
    """Draft a version as Ada and return its identifier."""
    answer = sandbox.post(VERSIONS, {"rate_id": rate_id, **TERMS, **terms})
    assert answer.status_code == 201, answer.text
    identifier: str = answer.json()["id"]
    return identifier


def revise_version(sandbox: Any, version: str, *, token: str = ADA, **terms: Any) -> Any:
    """Give a version other terms."""
    headers = {"Authorization": f"Bearer {token}"}
    return sandbox.request("PUT", f"{VERSIONS}/{version}", json={**TERMS, **terms}, headers=headers)


def step(sandbox: Any, version: str, action: str, *, token: str = ADA) -> Any:
    """Take a step, with a reason where it asks for one, and with the content as it is for an approval."""
    body = None if action in {"submit", "activate"} else WHY
    if action == "approve":
        body = {**WHY, "content_sha256": sandbox.get(f"{VERSIONS}/{version}").json()["content_sha256"]}
    return sandbox.post(f"{VERSIONS}/{version}/{action}", body, token=token)


def brought_to(sandbox: Any, state: str, rate_id: str = "se-sms", **terms: Any) -> str:
    """Draft a version and bring it to a state: Ada writes and publishes, Bob approves."""
    version = draft_version(sandbox, rate_id, **terms)
    ways = {
        "draft": (),
        "submitted": ("submit",),
        "rejected": ("submit", "reject"),
        "approved": ("submit", "approve"),
        "active": ("submit", "approve", "activate"),
        "withdrawn": ("submit", "approve", "withdraw"),
    }
    for action in ways[state]:
        token = BOB if action in {"approve", "reject"} else ADA
        assert step(sandbox, version, action, token=token).json()["status"]
    assert status(sandbox, version) == state
    return version


def status(sandbox: Any, version: str) -> str:
    """Return the status of a version."""
    found: str = sandbox.get(f"{VERSIONS}/{version}").json()["status"]
    return found


def log_of(sandbox: Any, version: str) -> list[dict[str, Any]]:
    """Return the entries of a version, oldest first."""
    page = sandbox.get(LOG, params={"rate_version_id": version, "limit": 100}).json()
    return list(reversed(page["data"]))


def public(sandbox: Any) -> list[str]:
    """Return the rates that anybody sees, each as `rate_id@version`."""
    found: list[str] = []
    params: dict[str, Any] | None = {"limit": 100}
    while params is not None:
        page = sandbox.request("GET", RATES, params=params).json()
        found += [f"{item['rate_id']}@{item['version']}" for item in page["data"]]
        params = {"limit": 100, "cursor": page["next_cursor"]} if page["next_cursor"] else None
    return found
