"""Webhooks tested against the contract: a receiver that the run starts, scenarios, and checks on what came.

`plan` reads the settings, `scenarios` derives what to play, `stage` plays it, `checks` judges the stories,
`beside` runs all of that beside the other checks of a run.
"""
