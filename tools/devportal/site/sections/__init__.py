"""The sections of a site beside the reference: rates and coverage, changelog, results of conformance runs.

`section.py` says what a section is, `registry.py` lists them; each has its own module, which is imported
only for a project that has the section.
"""
