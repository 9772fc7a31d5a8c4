"""Holds the model's distributions against the native client's: distance of medians, Kolmogorov-Smirnov, verdict.

    Tests/Genuine/compare RESULTS… --kodama PROGRAM [--planted NAME=VALUE]… [--notes FILE] [--output PAGE]
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import dataclass
from pathlib import Path

from .__main__ import write_text
from .lines import Line
from .model import POLICIES, Model, Question, questions
from .table import by_story, figures, table

SHARE = 0.10
LEAST_S = 0.05
"""Medians agree within 10 % of the measured one, or within 50 ms."""


@dataclass(frozen=True)
class Verdict:
    """One figure of one story, measured and modelled."""

    question: Question
    measured: list[float]
    modelled: list[float]

    @property
    def distance_s(self) -> float | None:
        if not self.measured or not self.modelled:
            return None
        return statistics.median(self.modelled) - statistics.median(self.measured)

    @property
    def agrees(self) -> bool | None:
        """Whether the medians agree; None if either side has no figure."""
        if self.distance_s is None:
            return None
        return abs(self.distance_s) <= max(LEAST_S, SHARE * abs(statistics.median(self.measured)))

    @property
    def word(self) -> str:
        return {True: "agrees", False: "differs", None: "no figure"}[self.agrees]


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
        return [max(r["figures"]["client_silent"], r["figures"]["agent_silent"]) for r in group]
    return figures(group, question.figure)


def verdicts(records: list[Line], model: Model) -> list[Verdict]:
    stories = by_story(records)
    return [Verdict(q, measured(records, q), model.answer(q)) for q in questions() if q.story in stories]


def row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def seconds(values: list[float]) -> str:
    return f"{statistics.median(values):.2f}" if values else "–"


def comparison(records: list[Line], models: dict[str, Model]) -> list[str]:
    """A table with a row for each figure, and the medians and verdicts of each policy."""
    heads = ["story", "figure", "measured s", "n"]
    for name in models:
        heads += [f"model, {name} s", "KS", "verdict"]
    lines = [row(heads), row(["---"] * len(heads))]
    judged = {name: verdicts(records, model) for name, model in models.items()}
    for index, first in enumerate(next(iter(judged.values()))):
        cells = [first.question.story, first.question.figure, seconds(first.measured), str(len(first.measured))]
        for found in judged.values():
            verdict = found[index]
            distance = ks(verdict.measured, verdict.modelled) if verdict.agrees is not None else None
            cells += [seconds(verdict.modelled), "–" if distance is None else f"{distance:.2f}", verdict.word]
        lines.append(row(cells))
    return lines + ["", summary(judged)]


def summary(judged: dict[str, list[Verdict]]) -> str:
    counts = [f"{sum(v.agrees is True for v in found)} of {len(found)} with the {name} policy"
              for name, found in judged.items()]
    return f"Figures that agree: {', '.join(counts)}."


def planted(records: list[Line], kodama: Path, settings: list[str]) -> list[str]:
    """For each setting that is wrong on purpose: the figures that agreed and don't with it."""
    lines = [row(["planted", "figures that agreed and now differ"]), row(["---"] * 2)]
    sound = verdicts(records, Model(kodama, POLICIES["rust"]))
    for setting in settings:
        name, _, value = setting.partition("=")
        wrong = verdicts(records, Model(kodama, POLICIES["rust"] | {name: value}))
        told = [f"{v.question.story} {v.question.figure}" for v, w in zip(sound, wrong, strict=True)
                if v.agrees is True and w.agrees is not True]
        lines.append(row([setting, ", ".join(told) or "none: the comparison can't tell"]))
    return lines


def page(headers: list[Line], records: list[Line], kodama: Path, settings: list[str]) -> str:
    late = sorted(w["late_p99_ms"] for r in records for w in r["wires"])
    loads = sorted(r["load"] for r in records)
    models = {name: Model(kodama, policy) for name, policy in POLICIES.items()}
    errors = ["", "## Planted errors", "", *planted(records, kodama, settings)] if settings else []
    lines = ["## Measured and modelled", "", *comparison(records, models), *errors, "",
             "## Measured", "", "```text", table(records), "```", "", "## Conditions", ""]
    for header in headers:
        versions = ", ".join(f"{name} {version}" for name, version in header["versions"].items())
        lines.append(f"- {header['date']}, {header['machine']}: {versions}; {header['repeat']} repetitions, "
                     f"{header['parallel']} benches side by side, seeds from {header['seed']}.")
    lines.append(f"- Load average {loads[0]:.1f} to {loads[-1]:.1f}; 99 % of a wire's packets were at most "
                 f"{late[-1]:.1f} ms late in the worst repetition, {statistics.median(late):.1f} ms in the median one.")
    return "\n".join(lines) + "\n"


def read(paths: list[Path]) -> tuple[list[Line], list[Line]]:
    headers, records = [], []
    for path in paths:
        first, *rest = (json.loads(line) for line in path.read_text().splitlines())
        headers.append(first)
        records += rest
    return headers, records


def main() -> None:
    parser = argparse.ArgumentParser(prog="Tests/Genuine/compare")
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="what Tests/Genuine/run wrote")
    parser.add_argument("--kodama", type=Path, required=True, metavar="PROGRAM", help="the simulator, a release build")
    parser.add_argument("--planted", action="append", default=[], metavar="NAME=VALUE", help="a parameter set wrongly")
    parser.add_argument("--notes", type=Path, metavar="FILE", help="what stands above the tables")
    parser.add_argument("--output", type=Path, metavar="PAGE", help="also write the page there, whole or not at all")
    arguments = parser.parse_args()
    headers, records = read(arguments.results)
    notes = arguments.notes.read_text() + "\n" if arguments.notes else ""
    text = notes + page(headers, records, arguments.kodama, arguments.planted)
    print(text)
    if arguments.output:
        write_text(arguments.output, text)
        print(next(line for line in text.splitlines() if line.startswith("Figures that agree")))


if __name__ == "__main__":
    main()
