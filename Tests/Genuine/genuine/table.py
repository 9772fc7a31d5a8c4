"""The table of a run: medians and 90th percentiles per story, and the callbacks in their order."""

from __future__ import annotations

import math
import statistics
from collections import Counter

from .lines import Line

COLUMNS = ("connected", "both_hear", "noticed", "reconnected", "disconnected", "client_back", "agent_back", "both_back")
QUIET = {"token_refreshed", "track_published", "track_unpublished", "connection_state_changed",
         "local_track_published", "local_track_unpublished"}
"""Callbacks that accompany others; the results have them all."""


def percentile(values: list[float], share: float) -> float:
    """Returns the nearest-rank percentile."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def figures(records: list[Line], name: str) -> list[float]:
    return [r["figures"][name] for r in records if r["figures"].get(name) is not None]


def by_story(records: list[Line]) -> dict[str, list[Line]]:
    stories: dict[str, list[Line]] = {}
    for record in records:
        stories.setdefault(record["story"], []).append(record)
    return stories


def callbacks(record: Line) -> str:
    names = [f"{name}({detail})" if detail else name for _, name, detail in record["callbacks"] if name not in QUIET]
    return " → ".join(names) or "none"


def table(records: list[Line]) -> str:
    lines = ["median/p90 in s; each with the number of repetitions that have it, if not all"]
    for story, group in by_story(records).items():
        cells = []
        for column in COLUMNS:
            values = figures(group, column)
            if values:
                count = "" if len(values) == len(group) else f" ({len(values)} of {len(group)})"
                cells.append(f"{column} {statistics.median(values):.2f}/{percentile(values, 0.9):.2f}{count}")
        lines.append(f"{story}  n={len(group)}  " + "  ".join(cells))
        for sequence, times in Counter(callbacks(r) for r in group).most_common():
            lines.append(f"    {times}×  {sequence}")
    return "\n".join(lines)
