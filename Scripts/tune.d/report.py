"""What a search comes to: tune.json, its sentences, the table and the preset files."""

import json
import re
from html import escape
from pathlib import Path

from door import shown
from search import compared, is_seldom, violations

# Figures of all settings that lie within so much of each other are told to be alike; an assumption.
DULL_PER_CENT = 5


class Report:
    """Everything that the page, the table and tune.json say, from one finished search."""

    def __init__(self, search, question, base, slices, importance):
        self.search, self.question, self.slices, self.importance = search, question, slices, importance
        # Where all seeds are one part, slices are whole: the front may be wider behind them than at their `base`.
        self.front, self.base = search.front(), base
        self.own = search.own
        self.chosen = chosen(search, self.front)

    def figures(self, evaluation):
        found = []
        for objective in self.search.objectives:
            figure = objective.of(evaluation)
            interval = figure.get("interval", {})
            found.append(
                {"value": figure.get("value"), "lower": interval.get("lower"), "upper": interval.get("upper")}
            )
        return found

    def units(self):
        return [o.of(self.own.whole)["unit"] for o in self.search.objectives]

    def trial(self, trial):
        entry = {
            "number": trial.number,
            "origin": trial.origin,
            "settings": dict(self.search.settings(trial.point)) if trial.point is not None else {},
            "runs": trial.runs,
        }
        if trial.refusal:
            return entry | {"refused": trial.refusal}
        if trial.stopped:
            entry["stopped"] = trial.stopped
        found = {name: v for name, v in violations(trial.last).items() if v > 0}
        gates = trial.last["gates"]
        tightest = min((g["slackPerMille"] for g in gates if "slackPerMille" in g), default=None)
        entry |= {
            "figures": self.figures(trial.last),
            "missed": sorted(found),
            "verdict": trial.last["verdict"],
            "digest": trial.last["digest"],
            "runsDigest": trial.last["runsDigest"],
        }
        if tightest is not None:
            entry["leastSlackPerMille"] = max(-1_000_000, min(tightest, 1_000_000))
        return entry

    def json(self):
        """The value of tune.json; equal questions give equal bytes, however many workers there were."""
        search = self.search
        return {
            "schemaVersion": 1,
            "question": self.question,
            "objectives": [
                {"metric": o.metric, "figure": o.figure, "isMaximized": o.is_maximized, "unit": unit}
                for o, unit in zip(search.objectives, self.units())
            ],
            "parameters": [
                {"name": p.name, "values": list(p.values), "own": p.own} for p in search.parameters
            ],
            "runs": search.runs,
            "lookSeeds": search.look,
            "own": self.own.number,
            "front": [{"trial": t.number, "same": t.same} for t in self.front],
            "chosen": self.chosen.number if self.chosen else None,
            "importance": self.importance,
            "slicedThrough": self.base.number if self.base else None,
            "slices": {
                name: [{"trial": t.number, "values": [o.of(t.look).get("value") for o in search.objectives]} for t in trials]
                for name, trials in self.slices.items()
            },
            "sentences": self.sentences(),
            "trials": [self.trial(t) for t in search.trials],
        }

    # Sentences

    def sentences(self):
        told = [self.of_the_front(), self.of_the_own(), *self.of_dull(), *self.of_one_objective(), *self.of_idle()]
        return [sentence for sentence in told if sentence]

    def of_the_front(self):
        search = self.search
        if not self.front:
            kept = min(
                (t for t in search.trials if t.whole), key=lambda t: (sum(v > 0 for v in violations(t.whole).values()))
            )
            missed = sorted(name for name, v in violations(kept.whole).items() if v > 0)
            return (
                f"No setting that was tried keeps every gate. Trial {kept.number} misses the fewest: "
                f"{'; '.join(missed)}. Widen --vary, or leave --keep-gates out."
            )
        if len(self.front) > 1 or len(search.objectives) == 1:
            return None
        only = self.front[0]
        return (
            f"The front is one point: trial {only.number} is best by every objective, so these do not pull against "
            "each other here. Leave one out, or vary a parameter that pays for one with the other."
        )

    def of_the_own(self):
        search, own = self.search, self.own
        if not self.front:
            return None
        missed = sorted(name for name, v in violations(own.whole).items() if v > 0) if search.keeps_gates else []
        if missed:
            return f"The file's own setting misses {'; '.join(missed)}."
        values = search.values(own.whole)
        if any(values == search.values(t.whole) for t in self.front):
            return "The file's own setting lies on the front: it costs nothing."
        better = [t for t in self.front if search.dominates(search.values(t.whole), values)]
        if not better:
            return "No point of the front is better than the file's own setting by every objective."
        best = chosen(search, better)
        parts = []
        for objective, unit in zip(search.objectives, self.units()):
            mine, theirs = (objective.of(t.whole)["value"] for t in (own, best))
            worse, good = compared(own.whole, best.whole, objective)
            if mine != theirs:
                sureness = "" if is_seldom(worse, good) else ", which chance may have done"
                parts.append(
                    f"{shown(abs(mine - theirs), unit)} of {objective.text} "
                    f"(worse in {worse}, better in {good} of {search.door.seeds} seeds{sureness})"
                )
        return f"The file's own setting costs {' and '.join(parts)} against trial {best.number}."

    def of_dull(self):
        """A sentence for each objective that all settings leave nearly alike, over the seeds that each of them ran."""
        found = []
        for objective, unit in zip(self.search.objectives, self.units()):
            values = [objective.of(t.look).get("value") for t in self.search.trials if t.look]
            values = [value for value in values if value is not None]
            least, most = min(values), max(values)
            if len(values) > 2 and (most - least) * 100 <= DULL_PER_CENT * max(abs(least), abs(most)):
                found.append(
                    f"{objective.text} hardly varies: from {shown(least, unit)} to {shown(most, unit)} over all "
                    f"{len(values)} settings, none of which moves it; weigh another figure, or vary what moves this one."
                )
        return found

    def of_one_objective(self):
        """Objectives that order all settings alike: those that are one."""
        search = self.search
        whole = [search.values(t.whole) for t in search.trials if t.whole and search.values(t.whole)]
        found = []
        for i, one in enumerate(search.objectives):
            for j, other in list(enumerate(search.objectives))[i + 1 :]:
                pairs = [(a, b) for k, a in enumerate(whole) for b in whole[:k]]
                is_same = all(
                    one.is_better(a[i], b[i]) == other.is_better(a[j], b[j])
                    and one.is_better(b[i], a[i]) == other.is_better(b[j], a[j])
                    for a, b in pairs
                )
                if is_same and len(set(whole)) > 2:
                    found.append(
                        f"{one.text} and {other.text} order all {len(whole)} settings alike: they are one "
                        "objective; leave one out."
                    )
        return found

    def of_idle(self):
        """A sentence for each parameter that moves no objective, or is not seen to, over all seeds that two values ran."""
        found = []
        for name, all_trials in self.slices.items():
            trials = [t for t in all_trials if not t.refusal]
            pairs = [(a, b) for k, a in enumerate(trials) for b in trials[:k]]
            if not pairs:
                continue
            counts = [compared(a.last, b.last, o) for a, b in pairs for o in self.search.objectives]
            place = self.search.parameters[[p.name for p in self.search.parameters].index(name)]
            ends = [dict(self.search.settings(t.point))[name] for t in (trials[0], trials[-1])]
            seeds = sorted({min(a.runs, b.runs) for a, b in pairs})
            over = f"{seeds[0]} seeds" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]} seeds"
            if all(counts_of == (0, 0) for counts_of in counts):
                digests = {t.look["runsDigest"] for t in trials}
                why = "no run differs" if len(digests) == 1 else "every run's figures are equal"
                found.append(
                    f"{name} moves no objective: from {ends[0]} to {ends[1]}, {why} over {over} "
                    f"(the others as in trial {self.base.number})."
                )
            elif not any(is_seldom(w, b) or is_seldom(b, w) for w, b in counts):
                found.append(
                    f"{name} is not seen to move any objective: from {ends[0]} to {ends[1]}, no two of "
                    f"{len(trials)} values differ surely over {over}; keep {place.own}, or give more seeds."
                )
        return found

    # For people

    def page(self, value):
        """The page: one file that opens anywhere, with the result in it."""
        search = self.search
        said = [
            f"{len(self.front)} of {len(search.by_point)} settings that were tried lie on the front; {search.runs} runs, each "
            f"setting over the same {search.door.seeds} seeds."
        ]
        said += value["sentences"]
        parts = {
            "TITLE": escape(f"{search.door.scenario}, tuned"),
            "SENTENCES": "\n".join(f'<p class="said">{escape(s)}</p>' for s in said),
            # Within a script nothing but the closing tag has to be hidden.
            "RESULT": json.dumps(value, sort_keys=True, ensure_ascii=False).replace("<", "\\u003c"),
        }
        text = (Path(__file__).parent / "page.html").read_text()
        return re.sub("|".join(parts), lambda match: parts[match[0]], text)

    def table(self):
        search = self.search
        head = ["trial", *(o.text for o in search.objectives), *(p.name for p in search.parameters), "verdict"]
        rows = []
        for place, trial in enumerate([*self.front, self.own]):
            is_own = place == len(self.front)
            cells = ["own" if is_own else f"{trial.number} *" if trial is self.chosen else f"{trial.number}"]
            for figure, unit in zip(self.figures(trial.whole), self.units()):
                ends = [shown(figure[key], unit) if figure[key] is not None else "?" for key in ("lower", "upper")]
                cells.append(f"{shown(figure['value'], unit)} ({ends[0]} to {ends[1]})")
            settings = dict(search.settings(trial.point))
            cells += [p.own if is_own else settings[p.name] for p in search.parameters]
            rows.append(cells + [trial.whole["verdict"]])
        widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in [head, *rows])

    def preset(self, place):
        """The tuned scenario at a point of the front, which runs wherever it lies: the file's name and its text."""
        trial, search, question = self.front[place], self.search, self.question
        whole = search.door.whole(search.settings(trial.point)).splitlines()
        lines = [
            f"# Point {place + 1} of {len(self.front)} on a front that Scripts/tune found, with every value; a scenario that extends it takes",
            "# its parameters.",
            "version: 2",
            f"scenario: {search.door.scenario}-tuned-{place + 1}",
            "x-tuned:",
            f"  program: {question['program']}",
            f"  file: {quoted(question['file'])}",
            f"  digest: {trial.whole['digest']}",
            f"  seeds: {search.door.seeds}",
            f"  runs: {search.runs}",
            f"  sampler: {question['sampler']}, seed {question['tunerSeed']}",
            *(f"  {key}: {quoted('; '.join(question[key]))}" for key in ("vary", "set", "only") if question[key]),
            f"  keeps_gates: {'true' if search.keeps_gates else 'false'}",
            "  figures:",
            *(
                f"    {o.text}: {shown(o.of(trial.whole)['value'], unit)}"
                for o, unit in zip(search.objectives, self.units())
            ),
            *(line for line in whole if not line.startswith(("version:", "scenario:"))),
        ]
        return f"preset-{place + 1}.yaml", "\n".join(lines) + "\n"


def quoted(text):
    """Words as a double-quoted scalar of YAML, which takes JSON's escapes."""
    return json.dumps(text, ensure_ascii=False)


def chosen(search, trials):
    """The point whose greatest regret, as a share of the front's range, is least; the first among equals."""
    if not trials:
        return None
    columns = list(zip(*(search.values(t.whole) for t in trials)))

    def regret(values):
        shares = []
        for objective, value, column in zip(search.objectives, values, columns):
            best, worst = (max(column), min(column)) if objective.is_maximized else (min(column), max(column))
            shares.append(abs(value - best) / abs(worst - best) if worst != best else 0)
        return max(shares)

    return min(trials, key=lambda t: regret(search.values(t.whole)))
