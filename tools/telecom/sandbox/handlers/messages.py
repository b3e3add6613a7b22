"""Messages: send, retrieve and list."""

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


def send_message(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Accept a message: check it, and store it as queued until its turn comes."""
    submission = Submission(account=call.grant.account, request=call.body)

    def accept(connection: sa.Connection) -> SuccessResponse:
        check_submission(connection, submission)
        message = _new_message(submission, context)
        starts_at = enqueue_message(
            connection,
            message.account,
            message.segments,
            message.created_at,
            context.throughput_of(message.account),
        )
        progress = Progress(
            course=course_of(message.request), starts_at=starts_at, second=context.settles_after
        )
        add_message(connection, message, progress)
        return SuccessResponse(
            status=202,
            body={"id": message.id, "status": MessageStatus.QUEUED.value, "segments": message.segments},
            delay_s=destination_of(message.request["to"]).response_delay_s,
        )

    return run_in_transaction(call, context, accept, exclusive=ExclusiveScope.NOWHERE)


def retrieve_message(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return one message of the account."""
    message_id = call.path["message_id"]
    with context.database.read() as connection:
        message = find_message(connection, call.grant.account, message_id)
    if message is None:
        raise not_found("message", message_id)
    return SuccessResponse(status=200, body=message.document(context.machines))


def list_messages(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the account's messages that match all filters."""
    columns = {"status": MESSAGES.c.status, "channel": MESSAGES.c.channel, "to": MESSAGES.c.to}
    query = sa.select(MESSAGES).where(
        MESSAGES.c.account == call.grant.account,
        *equality_filters(call, columns),
        *created_between(call, MESSAGES.c.created_at),
    )
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=MESSAGES.c.created_at, key=MESSAGES.c.id)
    return SuccessResponse(status=200, body=page.body(lambda row: Message.of(row).document(context.machines)))


def _new_message(submission: Submission, context: HandlerContext) -> Message:
    now = context.clock()
    segmentation = (
        split_into_segments(submission.request["body"]) if submission.channel is Channel.SMS else None
    )
    return Message(
        account=submission.account,
        id=new_id("msg_", now, context.random_bytes),
        request=submission.request,
        segments=len(segmentation.segments) if segmentation is not None else 1,
        encoding=segmentation.encoding if segmentation is not None else None,
        created_at=now,
    )


def seed_messages(connection: sa.Connection, context: SeedContext) -> None:
    """Make the messages of the contract's examples."""
    for document in context.example_bodies("retrieveMessage"):
        replace_message(connection, Message.read(document, account=context.account))


RESOURCE = Resource(
    handlers={
        "sendMessage": send_message,
        "listMessages": list_messages,
        "retrieveMessage": retrieve_message,
    },
    timed=(TIMED_MESSAGES,),
    seed=seed_messages,
)
