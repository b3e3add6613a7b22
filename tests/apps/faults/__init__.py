"""Faulty variants of the sandbox, one promise broken in each, and the check that has to name it.

A fault stands between the sandbox and whoever asks: `proxy` is that seam, `twists` are the usual ways to
break something there, the other modules hold the faults by what they break, and `catalogue` is all of them.
"""
