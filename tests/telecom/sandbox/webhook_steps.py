"""What tests of webhooks do first: make an endpoint, have something happen, look at what became of it."""

from typing import Any

from telecom.sandbox.delivery.deliveries import DELIVERIES
from telecom.sandbox.delivery.webhook_setup import ENDPOINT_ID

PATH = "/v1/webhook-endpoints"
RECEIPTS = {"url": "http://127.0.0.1:9000/hooks", "event_types": ["message.delivery_receipt"]}


def create(sandbox: Any, **members: Any) -> Any:
    """Make an endpoint for receipts, with other members where they are given; return the answer."""
    answer = sandbox.post(PATH, {**RECEIPTS, **members})
    assert answer.status_code == 201
    return answer.json()


def write_receipt(sandbox: Any) -> None:
    """Have a delivery receipt written."""
    sandbox.send()
    sandbox.clock.forward(seconds=1)


def deliveries_to(sandbox: Any, endpoint: Any) -> list[str]:
    """Return the states of the deliveries to an endpoint, newest first."""
    page = sandbox.get("/v1/events", params={"webhook_endpoint_id": endpoint["id"]}).json()
    found = [delivery for event in page["data"] for delivery in event["deliveries"]]
    return [item["state"] for item in found if item["webhook_endpoint_id"] == endpoint["id"]]


def rows_of_receiver(sandbox: Any) -> Any:
    """Return the deliveries to the receiver that a sandbox was started with, oldest first."""
    query = DELIVERIES.select().where(DELIVERIES.c.endpoint_id == ENDPOINT_ID).order_by(DELIVERIES.c.event_id)
    with sandbox.database.read() as connection:
        return connection.execute(query).all()


def row_of_receiver(sandbox: Any) -> Any:
    """Return the only delivery to the receiver that a sandbox was started with."""
    (only,) = rows_of_receiver(sandbox)
    return only
