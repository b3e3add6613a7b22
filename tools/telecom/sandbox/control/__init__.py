"""The control API of the sandbox: its clock, what is due, and the reset.

It has its own contract, `control.yaml`, served next to the public one below `/_sandbox/`. No customer's token
has its only scope.
"""

from pathlib import Path

CONTRACT = Path(__file__).with_name("control.yaml")
"""The contract, as OpenAPI 3.0."""
SCOPE = "sandbox:control"
