"""Messages: accepted as queued, reported on later, read back one by one and as a list."""

import sqlalchemy as sa

from telecom.magic_numbers import destination_of
from telecom.receipts import Channel, MessageStatus
from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse, not_found
from telecom.sandbox.api.identifiers import new_id
from telecom.sandbox.api.operations import (
    ExclusiveScope,
    HandlerContext,
    Resource,
    SeedContext,
    run_in_transaction,
)
from telecom.sandbox.api.pagination import created_between, equality_filters, read_page
from telecom.sandbox.database.tables import MESSAGES
from telecom.sandbox.stores.message_checks import Submission, check_submission
from telecom.sandbox.stores.message_store import (
    TIMED_MESSAGES,
    Message,
    Progress,
    add_message,
    course_of,
    find_message,
    replace_message,
)
from telecom.sandbox.stores.pacing import enqueue_message
from telecom.segments import split_into_segments


def send_message(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Accept a message: check it, and store it as queued until its turn comes."""
    submission = Submission(account=call.grant.account, asked=call.body)

    def accept(connection: sa.Connection) -> SuccessResponse:
        check_submission(connection, submission)
        message = _new_message(submission, resources)
        starts_at = enqueue_message(
            connection,
            message.account,
            message.segments,
            message.created_at,
            resources.throughput_of(message.account),
        )
        progress = Progress(
            course=course_of(message.asked), starts_at=starts_at, second=resources.settles_after
        )
        add_message(connection, message, progress)
        return SuccessResponse(
            status=202,
            body={"id": message.id, "status": MessageStatus.QUEUED.value, "segments": message.segments},
            after_s=destination_of(message.asked["to"]).answered_after_s,
        )

    return run_in_transaction(call, resources, accept, alone=ExclusiveScope.NOWHERE)


def retrieve_message(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return one message of the account."""
    message_id = call.path["message_id"]
    with resources.database.read() as connection:
        message = find_message(connection, call.grant.account, message_id)
    if message is None:
        raise not_found("message", message_id)
    return SuccessResponse(status=200, body=message.document(resources.machines))


def list_messages(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return a page of the account's messages that fit all filters."""
    columns = {"status": MESSAGES.c.status, "channel": MESSAGES.c.channel, "to": MESSAGES.c.to}
    query = sa.select(MESSAGES).where(
        MESSAGES.c.account == call.grant.account,
        *equality_filters(call, columns),
        *created_between(call, MESSAGES.c.created_at),
    )
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=MESSAGES.c.created_at, key=MESSAGES.c.id)
    return SuccessResponse(
        status=200, body=page.body(lambda row: Message.of(row).document(resources.machines))
    )


def _new_message(submission: Submission, resources: HandlerContext) -> Message:
    now = resources.clock()
    cut = split_into_segments(submission.asked["body"]) if submission.channel is Channel.SMS else None
    return Message(
        account=submission.account,
        id=new_id("msg_", now, resources.random_bytes),
        asked=submission.asked,
        segments=len(cut.segments) if cut is not None else 1,
        encoding=cut.encoding if cut is not None else None,
        created_at=now,
    )


def seed_messages(connection: sa.Connection, seeding: SeedContext) -> None:
    """Make the messages that the reference shows."""
    for document in seeding.shown("retrieveMessage"):
        replace_message(connection, Message.read(document, account=seeding.account))


RESOURCE = Resource(
    handlers={
        "sendMessage": send_message,
        "listMessages": list_messages,
        "retrieveMessage": retrieve_message,
    },
    timed=(TIMED_MESSAGES,),
    seed=seed_messages,
)
