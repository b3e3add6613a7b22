"""The review of rates and coverage on the command line. Each write is complete or has no effect.

The record files and the audit log of a folder change together. Readers hold `lock.read_lock`.
"""
