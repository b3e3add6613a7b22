"""Messages: accepted as queued, reported on later, read back one by one and as a list."""

import sqlalchemy as sa

from telecom.magic_numbers import destination
from telecom.receipts import Channel, MessageStatus
from telecom.sandbox.acceptance import Submission, check
from telecom.sandbox.exchange import Call, Reply, missing
from telecom.sandbox.filters import created_between, equal
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.messages import Message, Progress, add_message, course_of, find_message, replace_message
from telecom.sandbox.operations import Alone, Resources, carried_out
from telecom.sandbox.pacing import leaves_queue_at
from telecom.sandbox.pagination import read_page
from telecom.sandbox.reports import TIMED
from telecom.sandbox.resource import Resource, Seeding
from telecom.sandbox.tables import MESSAGES
from telecom.segments import segment


def send_message(call: Call, resources: Resources) -> Reply:
    """Accept a message: check it, and store it as queued until its turn comes."""
    submission = Submission(account=call.grant.account, asked=call.body)

    def accept(connection: sa.Connection) -> Reply:
        check(connection, submission)
        message = _accepted(submission, resources)
        starts_at = leaves_queue_at(
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
        return Reply(
            status=202,
            body={"id": message.id, "status": MessageStatus.QUEUED.value, "segments": message.segments},
            after_s=destination(message.asked["to"]).answered_after_s,
        )

    return carried_out(call, resources, accept, alone=Alone.NOWHERE)


def retrieve_message(call: Call, resources: Resources) -> Reply:
    """Return one message of the account."""
    message_id = call.path["message_id"]
    with resources.database.read() as connection:
        message = find_message(connection, call.grant.account, message_id)
    if message is None:
        raise missing("message", message_id)
    return Reply(status=200, body=message.document(resources.machines))


def list_messages(call: Call, resources: Resources) -> Reply:
    """Return a page of the account's messages that fit all filters."""
    columns = {"status": MESSAGES.c.status, "channel": MESSAGES.c.channel, "to": MESSAGES.c.to}
    query = sa.select(MESSAGES).where(
        MESSAGES.c.account == call.grant.account,
        *equal(call, columns),
        *created_between(call, MESSAGES.c.created_at),
    )
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=MESSAGES.c.created_at, key=MESSAGES.c.id)
    return Reply(status=200, body=page.body(lambda row: Message.of(row).document(resources.machines)))


def _accepted(submission: Submission, resources: Resources) -> Message:
    now = resources.clock()
    cut = segment(submission.asked["body"]) if submission.channel is Channel.SMS else None
    return Message(
        account=submission.account,
        id=new_id("msg_", now, resources.random_bytes),
        asked=submission.asked,
        segments=len(cut.segments) if cut is not None else 1,
        encoding=cut.encoding if cut is not None else None,
        created_at=now,
    )


def seed_messages(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the messages that the reference shows."""
    for document in seeding.shown("retrieveMessage"):
        replace_message(connection, Message.read(document, account=seeding.account))


RESOURCE = Resource(
    handlers={
        "sendMessage": send_message,
        "listMessages": list_messages,
        "retrieveMessage": retrieve_message,
    },
    timed=(TIMED,),
    seed=seed_messages,
)
