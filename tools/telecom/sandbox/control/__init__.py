"""The control API of the sandbox: its time, what is due in it, and the way back to its beginning.

It has a contract of its own, `control.yaml`, which is served beside the public one below `/_sandbox/`, and
whose only scope no token of a customer has.
"""

from pathlib import Path

CONTRACT = Path(__file__).with_name("control.yaml")
"""The contract, as OpenAPI 3.0."""
SCOPE = "sandbox:control"
