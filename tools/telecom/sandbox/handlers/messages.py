"""Messages: accepted as queued, and reported later."""

import sqlalchemy as sa

from telecom.problems import Fault, Kind
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.messages import QUEUED, AcceptedMessage, add_message, next_settlement, settle_due
from telecom.sandbox.operations import Resources, carried_out
from telecom.sandbox.resource import Resource
from telecom.sandbox.timed import Timed
from telecom.segments import MAX_SEGMENTS, Segmentation, segment


def send_message(call: Call, resources: Resources) -> Reply:
    """Accept a message: count its segments, store it as queued, and plan its outcome."""
    segmentation = segment(call.body["body"])
    if len(segmentation.segments) > MAX_SEGMENTS:
        raise _too_long(segmentation)
    now = resources.clock()
    message = AcceptedMessage(
        id=new_id("msg_", now, resources.random_bytes),
        account=call.grant.account,
        to=call.body["to"],
        channel=call.body["channel"],
        body=call.body["body"],
        segments=len(segmentation.segments),
        accepted_at=now,
        settles_at=now + resources.settles_after,
    )
    reply = Reply(
        status=202, body={"id": message.id, "status": QUEUED, "segments": len(segmentation.segments)}
    )

    def accept(connection: sa.Connection) -> Reply:
        add_message(connection, message)
        return reply

    return carried_out(call, resources, accept)


def _too_long(segmentation: Segmentation) -> Refused:
    sentence = (
        f"The text takes {len(segmentation.segments)} segments in {segmentation.encoding.value}, "
        f"and {MAX_SEGMENTS} is the most."
    )
    return Refused(Kind.TOO_MANY_SEGMENTS, sentence, faults=(Fault(detail=sentence, pointer="#/body"),))


RESOURCE = Resource(
    handlers={"sendMessage": send_message},
    timed=(Timed(next_due=next_settlement, advance=settle_due),),
)
