"""What a run derives from a contract and a deployment: requests, resources, and rules that descriptions state."""
