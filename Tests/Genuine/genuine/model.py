"""What the simulator says of the same stories: runs its scenarios and reads their distributions."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .lines import Line

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"

ALONE = {"watchdog.enabled": "false", "session.probe.enabled": "false", "rooms.forgets_pairs_upon_restart": "true"}
"""The native client has no app around it that watches and probes; the test server drops the old pair, as pion does."""
POLICIES = {"rust": {"sdk.curve": "rust"}, "swift": {}}
"""The retry policies of the model's SDK that are held against the native client, which is the Rust SDK's."""

Settings = dict[str, str]


@dataclass(frozen=True)
class Question:
    """Which of the model's figures stands against which of the native client's."""

    story: str
    figure: str
    scenario: str
    point: Settings
    metric: str
    less_round_trips: int = 0
    """Round trips that the model has and the measured client hasn't."""
    rtt_ms: float = 50
    joins: bool = False
    """Whether the figure holds a join, whose work on the measuring machine the model hasn't."""


def questions() -> list[Question]:
    asked = [
        # The measured client is given an address: the look-up of the name, one round trip, is the model's alone.
        Question(f"connect-{rtt}ms-{loss}%", "connected", "connect", {"delay": f"{rtt // 2}ms", "loss": f"{loss}%"},
                 "session.room.connect.time", less_round_trips=1, rtt_ms=rtt, joins=True)
        for rtt in (0, 50, 200, 400) for loss in (0, 2, 5, 10)
    ]
    for length in (3, 8, 15, 30, 60):
        point = {"hole": f"{length}s"}
        asked.append(Question(f"hole-{length}s", "both_back", "hole", point, "session.recovery.time"))
        if length >= 15:
            asked.append(Question(f"hole-{length}s", "noticed", "hole", point, "session.reconnect.detection.time"))
    asked += [Question("reset", figure, "reset", {}, metric) for figure, metric in (
        ("reconnecting", "session.signalling.reconnect.time"), ("silent", "session.audio.lost.time"))]
    for action in ("resume", "reconnect"):
        point = {"action": action}
        joins = action == "reconnect"
        asked.append(Question(f"leave-{action}", "reconnecting", "leave", point, "session.signalling.reconnect.time",
                              joins=joins))
        asked.append(Question(f"leave-{action}", "silent", "leave", point, "session.audio.lost.time", joins=joins))
    return asked


class Model:
    """The simulator's answers under one set of settings; each scenario is run once."""

    def __init__(self, kodama: Path, settings: Settings) -> None:
        self._kodama = kodama
        self._settings = ALONE | settings
        self._reports: dict[str, list[Line]] = {}

    def answer(self, question: Question) -> list[float]:
        """Returns the samples in seconds of all points that match; none if the metric has none there."""
        points = [p for p in self._points(question.scenario) if _at(p, question.point)]
        if not points:
            raise SystemExit(f"error: {question.scenario}.yaml has no point {question.point}")
        surplus = question.less_round_trips * question.rtt_ms / 1e3
        return sorted(value - surplus for point in points for value in _metric(point, question.metric))

    def _points(self, scenario: str) -> list[Line]:
        if scenario not in self._reports:
            file = str(SCENARIOS / f"{scenario}.yaml")
            command = [str(self._kodama), "run", file, "--jobs", "1", "--quiet", "--json"]
            for name, value in self._settings.items():
                command += ["--set", f"{name}={value}"]
            # A gate that fails (1) or is undecided (4) is no error here: what is compared are the distributions.
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode not in (0, 1, 4):
                raise SystemExit(f"error: {' '.join(command)}\n{done.stderr}")
            self._reports[scenario] = json.loads(done.stdout)["scenarios"][0]["points"]
        return self._reports[scenario]


def _at(point: Line, wanted: Settings) -> bool:
    values = point["values"]
    named = values if isinstance(values, dict) else {v["name"]: v["value"] for v in values}
    return all(named.get(name) == value for name, value in wanted.items())


def _metric(point: Line, name: str) -> list[float]:
    found = [m for m in point["metrics"] if m["name"] == name and "cumulative" in m]
    return _samples(found[0]["cumulative"]) if found else []


def _samples(cumulative: dict[str, list[int]]) -> list[float]:
    samples: list[float] = []
    before = 0
    for count, value in zip(cumulative["counts"], cumulative["values"], strict=True):
        samples += [value / 1e9] * (count - before)
        before = count
    return samples
