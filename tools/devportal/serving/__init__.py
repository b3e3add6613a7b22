"""What servers of a contract have in common, a mock and a sandbox: HTTP/1.1 with limits, a clock that can be moved,
and rules for sending webhooks.
"""
