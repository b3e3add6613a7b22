"""What a run derives from a contract and a deployment: resources, valid requests and values for them."""
