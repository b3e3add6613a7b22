"""HTTP of a mock: requests and responses as values, read and written as the contract documents them. Nothing here knows
resources.
"""
