"""States of resources: actions, state machines and jobs."""
