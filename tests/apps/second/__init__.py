"""A second good server of our own contract, written from the contract and the guides alone.

The checks grew up with the sandbox; whatever they say of this server is a fault of it or a false alarm. So it
differs wherever the contract leaves room: the standard library's HTTP server with threads, no database, other
identifiers, cursors and words, another order of members and of checks, an answer that takes a moment. With
`CONTRARY` habits it differs in more. Its state is in memory; the same seed and clock give the same answers.
Rate administration is not offered.
"""

from tests.apps.second.access import Token
from tests.apps.second.habits import CONTRARY, PLAIN, Habits
from tests.apps.second.serving import serving_second

__all__ = ["CONTRARY", "PLAIN", "Habits", "Token", "serving_second"]
