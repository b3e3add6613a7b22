"""The sandbox: a deployment of the contract on one machine, which sends nothing to any carrier."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # `logs` shows what a sandbox that runs logs
