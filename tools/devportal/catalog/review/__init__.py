"""The review of rates and coverage from the command line, with writes that are whole or not at all.

The record files and the audit log of a folder change together. Whoever only reads them does it inside
`lock.read_lock`.
"""
