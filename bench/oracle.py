"""Asks how often the differ is wrong or overcautious about pairs of small schemas drawn at random.

Wrong is what it calls safe although a value is refused now that was allowed before: every such pair is shown.
Overcautious is what it calls breaking although all values that were allowed are allowed still; of that, the
share is told, and which rules say so most often. Whether they are allowed is asked of a validator that
decides inclusion of schemas, which cannot tell in some cases; those count for neither.

    python -m bench.oracle --pairs 5000 --seed 1 --edits 2
"""

import argparse
import random
import sys
from collections import Counter

from tests.differ.oracle import Judgement, judge_pair
from tests.differ.strategies import Pair, drawn_pair

from devportal.differ.rule import Direction, Verdict


def main() -> None:
    """Draw pairs, and print what was found out about them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2_000, help="how many pairs to draw")
    parser.add_argument("--seed", type=int, default=0, help="where to begin")
    parser.add_argument("--edits", type=int, default=1, help="edits between the two schemas of a pair")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    overcautious: Counter[str] = Counter()
    for seed in range(asked.seed, asked.seed + asked.pairs):
        pair = drawn_pair(random.Random(seed), asked.edits)  # noqa: S311 - nothing secret is drawn
        for direction in Direction:
            judgement = judge_pair(pair, direction)
            answer = _answer(judgement)
            counts[answer] += 1
            if answer == "wrong":
                _show(seed, pair, direction, judgement)
            if answer == "overcautious":
                rules = {rule for rule, verdict in judgement.findings if verdict is Verdict.BREAKING}
                overcautious.update(f"{direction}: {rule}" for rule in rules)
    _summarise(counts, overcautious)
    sys.exit(1 if counts["wrong"] else 0)


def _answer(judgement: Judgement) -> str:
    if judgement.is_safe:
        return "wrong" if judgement.is_refuted else "safe"
    if not judgement.is_breaking:
        return "risky"
    return "overcautious" if judgement.is_shown else "breaking"


def _show(seed: int, pair: Pair, direction: Direction, judgement: Judgement) -> None:
    print(f"seed {seed}, {direction}: {[(rule, verdict.value) for rule, verdict in judgement.findings]}")
    print(f"  old {pair.old}\n  new {pair.new}")
    for name, old in pair.old_shared.items():
        new = pair.new_shared[name]
        print(f"  {name}   {old}" + ("" if new == old else f"\n  to  {new}"))


def _summarise(counts: Counter[str], overcautious: Counter[str]) -> None:
    for answer, count in counts.most_common():
        print(f"{answer:<14}{count:>8}")
    breaking = counts["breaking"] + counts["overcautious"]
    print(f"overcautious among breaking: {counts['overcautious'] / max(1, breaking):.1%}")
    for rule, count in overcautious.most_common(15):
        print(f"  {count:>6}  {rule}")


if __name__ == "__main__":
    main()
