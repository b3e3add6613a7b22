"""What an account has agreed on: how much it may ask for, and how fast its messages leave."""

from dataclasses import dataclass

from telecom.sandbox.limits import RateLimit
from telecom.sandbox.pacing import Throughput


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Quota of requests and throughput of an account."""

    rate_limit: RateLimit
    throughput: Throughput
