"""Tests webhooks against the contract: a receiver that the run starts, scenarios, and checks of the
deliveries.

`plan` reads the settings, `scenarios` derives the scenarios, `scenario_run` plays them, `checks` checks the
results, `background_run` does all that beside the other checks of a run.
"""
