"""The internal parts of a contract: found and removed before anything is published."""
