"""Searches a built site for values that only unpublished records hold. A leak stops the build.

This is a second check after the publication gate and does not depend on how pages are made. It searches the
bytes that would be delivered, including hand-written pages and files from elsewhere.
"""
