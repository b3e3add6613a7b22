"""The differ: what a change of an OpenAPI contract means for those who use it."""

from devportal.differ.change import Change, Subject, SubjectKind, Use
from devportal.differ.compare import Comparison, compare
from devportal.differ.policy import Policy
from devportal.differ.policy_file import load_policy, read_policy
from devportal.differ.rule import Direction, Verdict

__all__ = [
    "Change",
    "Comparison",
    "Direction",
    "Policy",
    "Subject",
    "SubjectKind",
    "Use",
    "Verdict",
    "compare",
    "load_policy",
    "read_policy",
]
