"""Holds the models against what was measured: distance of medians, Kolmogorov-Smirnov, verdict; makes the page.

    Tests/Genuine/compare RESULTS… --kodama PROGRAM [--planted NAME=VALUE]… [--notes FILE] [--output PAGE]

RESULTS are what `run`, `tcp` and `replica` wrote.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .__main__ import write_text
from .lines import Line
from .model import POLICIES, Model, Question, questions
from .table import by_story, figures, table

SHARE = 0.10
LEAST_S = 0.05
"""Medians agree within 10 % of the measured one, or within 50 ms."""
WORK_STORY = "connect-0ms-0%"
"""What a join takes here without any delay: the machine's own work, which is added to the model's joins."""
LOSS_S = 0.2
"""Silence counts as lost audio from this length on, as in the model (session.audio.lost.time)."""
NEVER_S = 1e6
"""Stands for what never came."""


@dataclass(frozen=True)
class Verdict:
    """One figure of one story, measured and modelled."""

    story: str
    figure: str
    measured: list[float]
    modelled: list[float]
    is_random: bool = True
    """Whether chance plays; if not, the distributions are steps, whose distance says nothing."""
    calibrates: bool = False
    """Whether the figure is what others are corrected by, so that it proves nothing."""

    @property
    def agrees(self) -> bool | None:
        """Whether the medians agree; None if either side has no figure."""
        if not self.measured or not self.modelled or self.calibrates:
            return None
        genuine = statistics.median(self.measured)
        return abs(statistics.median(self.modelled) - genuine) <= max(LEAST_S, SHARE * abs(genuine))

    @property
    def cells(self) -> list[str]:
        word = {True: "agrees", False: "**differs**", None: "no figure"}[self.agrees]
        if self.calibrates:
            word = "the machine's work"
        judged = self.agrees is not None and self.is_random
        distance = f"{ks(self.measured, self.modelled):.2f}" if judged else "–"
        return [seconds(self.modelled), distance, word]


def ks(first: list[float], second: list[float]) -> float:
    """The Kolmogorov-Smirnov distance: the largest difference of the two empirical distribution functions."""
    def share(values: list[float], limit: float) -> float:
        return sum(v <= limit for v in values) / len(values)

    return max(abs(share(first, x) - share(second, x)) for x in (*first, *second))


def measured(records: list[Line], question: Question) -> list[float]:
    """The native client's figure; two are computed from others."""
    group = by_story(records).get(question.story, [])
    if question.figure == "reconnecting":
        whole = [r["figures"] for r in group if None not in (r["figures"]["reconnected"], r["figures"]["noticed"])]
        return [f["reconnected"] - f["noticed"] for f in whole]
    if question.figure == "silent":
        return [max(lost(r["heard"]["client"]), lost(r["heard"]["agent"])) for r in group]
    return figures(group, question.figure)


def lost(intervals: list[list[float]]) -> float:
    """How long a side heard nothing after the fault, in stretches that count as lost audio."""
    gaps = [after[0] - max(before[1], 0.0) for before, after in itertools.pairwise(intervals)]
    return sum(gap for gap in gaps if gap >= LOSS_S)


def work(records: list[Line], model: Model) -> float:
    """How long the measuring machine works at a join, beyond what the model has; 0 if that was not measured."""
    asked = next(q for q in questions() if q.story == WORK_STORY)
    found = measured(records, asked)
    return max(0.0, statistics.median(found) - statistics.median(model.answer(asked))) if found else 0.0


def verdicts(records: list[Line], model: Model) -> list[Verdict]:
    stories = by_story(records)
    extra = work(records, model)

    def verdict(question: Question) -> Verdict:
        if question.story == WORK_STORY:
            return Verdict(question.story, question.figure, measured(records, question), model.answer(question),
                           calibrates=True)
        surplus = extra if question.joins else 0.0
        # What the model counts as no loss at all stays none.
        modelled = [value + surplus if value > 0 else value for value in model.answer(question)]
        return Verdict(question.story, question.figure, measured(records, question), modelled)

    return [verdict(question) for question in questions() if question.story in stories]


def tcp_verdicts(lines: list[Line]) -> list[Verdict]:
    def plain(values: list[float | None]) -> list[float]:
        # To a hundredth of a second: what is equal in all repetitions differs by the scheduler's microseconds.
        return [NEVER_S if v is None else round(v, 2) for v in values]

    return [Verdict(line["story"], "time", plain(line["measured"]), plain(line["modelled"]), line["random"])
            for line in sorted(lines, key=lambda line: str(line["story"]))]


def row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def grid(heads: list[str], rows: Iterable[Iterable[str]]) -> list[str]:
    return [row(heads), row(["---"] * len(heads)), *(row(cells) for cells in rows), ""]


def seconds(values: list[float]) -> str:
    return f"{statistics.median(values):.2f}" if values else "–"


def comparison(judged: dict[str, list[Verdict]]) -> list[str]:
    """A table with a row for each figure, and the medians and verdicts of each model."""
    heads = ["story", "figure", "measured s", "n"]
    for name in judged:
        heads += [f"{name} s", "KS", "verdict"]
    rows = []
    for found in zip(*judged.values(), strict=True):
        first = found[0]
        rows.append([first.story, first.figure, seconds(first.measured), str(len(first.measured)),
                     *(cell for verdict in found for cell in verdict.cells)])
    return grid(heads, rows)


def pings(lines: list[Line]) -> list[str]:
    """Pings over the wire and in simulated time, of which each pair met the same draws."""
    rows = []
    for line in lines:
        genuine, model = line["measured"], line["modelled"]
        alike = sum((a is None) == (b is None) for a, b in zip(genuine, model, strict=True))
        came = [[v for v in values if v is not None] for values in (genuine, model)]
        lost = [f"{100 * (1 - len(c) / len(genuine)):.1f}" for c in came]
        # To the millisecond: below it every ping is the scheduler's.
        near = ks(*([round(v, 3) for v in c] for c in came))
        rows.append([line["pings"], str(len(genuine)), *lost, f"{alike}", f"{1e3 * statistics.median(came[0]):.2f}",
                     f"{1e3 * statistics.median(came[1]):.2f}", f"{near:.2f}"])
    return grid(["link", "pings", "lost %", "simulated", "lost alike", "round trip ms", "simulated", "KS"], rows)


def replica(lines: list[Line]) -> list[str]:
    rows = [[line["fault"], "offline" if line["offline"] else "primary", "; ".join(line["steps"]), line["kept"]]
            for line in lines]
    return grid(["fault", "writes to", "what the client does", "then at the primary"], rows)


def agreeing(found: list[Verdict]) -> tuple[int, int]:
    """How many stories agree in all of their figures, and how many there are."""
    counted = [v for v in found if not v.calibrates]
    stories = {v.story: all(w.agrees is True for w in counted if w.story == v.story) for v in counted}
    return sum(stories.values()), len(stories)


def planted(records: list[Line], kodama: Path, settings: list[str], sound: list[Verdict]) -> list[str]:
    """For each setting that is wrong on purpose: the figures that agreed and don't with it."""
    rows = []
    for setting in settings:
        name, _, value = setting.partition("=")
        wrong = verdicts(records, Model(kodama, POLICIES["rust"] | {name: value}))
        told = [f"{v.story} {v.figure}" for v, w in zip(sound, wrong, strict=True)
                if v.agrees is True and w.agrees is not True]
        rows.append([setting, ", ".join(told) or "none: the comparison can't tell"])
    return grid(["planted", "figures that agreed and now differ"], rows)


def conditions(headers: list[Line], records: list[Line], wires: list[Line]) -> list[str]:
    lines = []
    for header in headers:
        versions = ", ".join(f"{name} {version}" for name, version in header["versions"].items())
        lines.append(f"- {header['date']}, {header['machine']}: {versions}; {header['repeat']} repetitions, "
                     f"{header['parallel']} benches side by side, seeds from {header['seed']}.")
    loads = sorted(line["load"] for line in records)
    late = {name: sorted(w[f"late_{name}_ms"] for w in wires) for name in ("p50", "p99", "max")}
    lines.append(f"- Load average {loads[0]:.1f} to {loads[-1]:.1f}. Wires were late by (median of wires, worst wire): "
                 + "; ".join(f"{name} {statistics.median(v):.2f} and {v[-1]:.2f} ms" for name, v in late.items()) + ".")
    return lines


def page(files: list[Line], kodama: Path, settings: list[str]) -> str:
    records = [line for line in files if "figures" in line]
    tcp = [line for line in files if "measured" in line and "story" in line]
    series = [line for line in files if "pings" in line]
    judged = {f"model, {name}": verdicts(records, Model(kodama, policy)) for name, policy in POLICIES.items()}
    streams = tcp_verdicts(tcp)
    (good, all_sessions), (fine, all_streams) = agreeing(judged["model, rust"]), agreeing(streams)
    lines = ["## In one figure", "", f"**{good + fine} of {all_sessions + all_streams} stories within 10 %** or 50 ms: "
             f"{good} of {all_sessions} of sessions, {fine} of {all_streams} of TCP.", "",
             "## Links", "", *pings(series), "## TCP", "", *comparison({"model": streams}),
             "## Sessions", "", *comparison(judged)]
    if settings:
        lines += ["## Planted errors", "", *planted(records, kodama, settings, judged["model, rust"])]
    lines += ["## Replicas", "", *replica([line for line in files if "fault" in line]),
              "## Sessions, measured", "", "```text", table(records), "```", "", "## Conditions", ""]
    wires = [w for r in records for w in r["wires"]] + [line["wire"] for line in tcp + series]
    lines += conditions([line for line in files if "versions" in line], records + tcp + series, wires)
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="Tests/Genuine/compare")
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="what the measurements wrote")
    parser.add_argument("--kodama", type=Path, required=True, metavar="PROGRAM", help="the simulator, a release build")
    parser.add_argument("--planted", action="append", default=[], metavar="NAME=VALUE", help="a parameter set wrongly")
    parser.add_argument("--notes", type=Path, metavar="FILE", help="what stands above the tables")
    parser.add_argument("--output", type=Path, metavar="PAGE", help="also write the page there, whole or not at all")
    arguments = parser.parse_args()
    files = [json.loads(line) for path in arguments.results for line in path.read_text().splitlines()]
    notes = arguments.notes.read_text() + "\n" if arguments.notes else ""
    text = notes + page(files, arguments.kodama, arguments.planted)
    print(text)
    if arguments.output:
        write_text(arguments.output, text)


if __name__ == "__main__":
    main()
