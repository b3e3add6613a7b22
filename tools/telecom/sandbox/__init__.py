"""The sandbox: a deployment of the contract on one machine, which sends nothing to any carrier."""
