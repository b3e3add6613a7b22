"""Credentials, scopes and accounts: who may see and change what, and what stays private."""
