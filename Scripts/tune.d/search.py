"""Searches for the front: asks Optuna in fixed batches, evaluates them side by side, tells in order.

What is asked depends on what was told before alone, so that the front is the same for any number of workers.
"""

import concurrent.futures
import itertools
import math
import random
from dataclasses import dataclass, field

from door import LOOK, Refusal, is_sum

# How many settings are asked for before any is told; a constant, since what is asked next depends on it.
BATCH = 8
# Of a batch, how many stand beside the front so far rather than coming from the sampler.
BESIDE = 6
# How many settings the sampler draws at random before it learns.
STARTUP = 8
# How many values of a parameter a slice shows.
SLICE_VALUES = 5
# How many pairs of settings show that a parameter changes nothing.
IDLE_PAIRS = 3
# One in so many comparisons of equals is taken for a difference, at most.
SELDOM = 200


@dataclass
class Trial:
    number: int
    point: tuple | None
    origin: str
    runs: int = 0
    look: dict | None = None
    last: dict | None = None
    # Why it was not run to its end, in a sentence; None if it was.
    stopped: str | None = None
    rival: int | None = None
    refusal: str | None = None
    same: list = field(default_factory=list)

    @property
    def whole(self):
        return None if self.stopped or self.refusal else self.last


def is_seldom(more, less):
    """Whether so many of the unequal pairs speak for one side that chance does it in 1 of 200 cases, by the sign test."""
    count = more + less
    return sum(math.comb(count, k) for k in range(more, count + 1)) * SELDOM <= 2**count


def compared(one, other, objective, seeds=None):
    """In how many runs one evaluation is worse and better than another; runs without both figures do not count."""
    worse = better = 0
    rows = zip(objective.of(one)["bySeed"][:seeds], objective.of(other)["bySeed"][:seeds])
    for mine, theirs in rows:
        if mine is None or theirs is None or mine == theirs:
            continue
        if objective.is_better(theirs, mine):
            worse += 1
        else:
            better += 1
    return worse, better


def violations(evaluation):
    """How far each gate, invariant and trigger is from being kept, by name; nothing above 0 is a kept one.

    A gate over too few samples is kept if its figure lies within the limit.
    """
    found = {}
    for index, entry in enumerate(evaluation["gates"]):
        gate, slack = entry["gate"], entry.get("slackPerMille")
        name = f"{index + 1}: {gate['metric']} {gate['rule']}"
        if slack is None:
            found[name] = 0 if gate["isGreen"] else 1000
        else:
            found[name] = min(max(-slack, 1 if gate["verdict"] == "fail" else -1000), 1_000_000)
    for rule in evaluation["invariants"]:
        found[rule["name"]] = rule["violations"] or (1 if rule["verdict"] == "no-data" else 0)
    for trigger in evaluation.get("triggers", []):
        found[f"after {trigger['event']} of {trigger['component']}"] = 0 if trigger["verdict"] == "pass" else 1
    return found


def lost(evaluation):
    """The rule that no further run can mend, or that the runs so far miss beyond their interval; None without one."""
    for rule in evaluation["invariants"]:
        if rule["verdict"] == "fail":
            return rule["name"]
    for entry in evaluation["gates"]:
        gate = entry["gate"]
        if gate["verdict"] != "fail":
            continue
        is_upper, ends = gate["comparison"] in ("<=", "<", "=="), gate.get("interval", {})
        grows = gate["figure"] in ("max", "count") or is_sum(gate)
        beyond = ends.get("lower") if is_upper else ends.get("upper")
        is_beyond = beyond is not None and (beyond > gate["limit"] if is_upper else beyond < gate["limit"])
        if is_upper and grows and gate["value"] > gate["limit"] or gate["figure"] == "min" and not is_upper or is_beyond:
            return f"{gate['metric']} {gate['rule']}"
    return None


class Search:
    """All trials of one question; `keeps_gates` makes gates constraints."""

    def __init__(self, door, parameters, objectives, keeps_gates, workers, say=lambda text: None):
        self.door, self.parameters, self.objectives = door, parameters, objectives
        self.keeps_gates, self.workers, self.say = keeps_gates, workers, say
        self.trials, self.by_point, self.runs = [], {}, 0
        # Fewer than twice as many seeds have no first part that could tell.
        self.look = LOOK if door.seeds >= 2 * LOOK else None

    # What a trial is

    def settings(self, point):
        return [] if point is None else [(p.name, p.values[i]) for p, i in zip(self.parameters, point)]

    def values(self, evaluation):
        """The objectives' figures; None if one has no sample. Sums over some seeds are scaled to all."""
        figures = []
        for objective in self.objectives:
            found = objective.of(evaluation)
            if found.get("value") is None:
                return None
            scale = self.door.seeds / len(evaluation["seeds"]) if is_sum(found) else 1
            figures.append(found["value"] * scale)
        return tuple(figures)

    def is_kept(self, trial):
        return not self.keeps_gates or bool(trial.last) and all(v <= 0 for v in violations(trial.last).values())

    def dominates(self, one, other):
        pairs = [(o, a, b) for o, a, b in zip(self.objectives, one, other)]
        return all(not o.is_better(b, a) for o, a, b in pairs) and any(o.is_better(a, b) for o, a, b in pairs)

    def front(self):
        """The trials that no other one beats, by their first objective; those with equal figures stand in `same`."""
        whole = [t for t in self.trials if t.whole and t.point is not None and self.values(t.whole) and self.is_kept(t)]
        figures = {t.number: self.values(t.whole) for t in whole}
        best = [t for t in whole if not any(self.dominates(f, figures[t.number]) for f in figures.values())]

        def distance(trial):
            own = [p.own_index for p in self.parameters]
            return sum(abs(i - o) for i, o in zip(trial.point, own) if o is not None), trial.number

        members = {}
        for trial in sorted(best, key=distance):
            members.setdefault(figures[trial.number], []).append(trial)
        for first, *rest in members.values():
            first.same = [t.number for t in rest]
        return [first for _, (first, *_) in sorted(members.items())]

    def hopeless(self, trial, rivals):
        """Why a setting cannot be on the front, by what its seeds so far gave; None if it may be."""
        rule = lost(trial.last) if self.keeps_gates else None
        if rule:
            return f"{rule} is missed"
        seeds = len(trial.last["seeds"])
        for rival in rivals:
            pairs = [compared(trial.last, rival.last, o, seeds) for o in self.objectives]
            if all((not w and not b) or is_seldom(w, b) for w, b in pairs) and any(w for w, _ in pairs):
                trial.rival = rival.number
                return f"trial {rival.number} is better by every objective that differs"
            if rival.number < trial.number and rival.look["runsDigest"] == trial.look["runsDigest"]:
                return f"its runs are those of trial {rival.number}"
        return None

    # Running

    def run(self, points, origins):
        """Evaluates points side by side, part by part, against the front and each other; gives their trials in order."""
        trials = [Trial(len(self.trials) + i, p, o) for i, (p, o) in enumerate(zip(points, origins))]
        front = self.front()
        parts = {
            t.number: self.door.evaluation([] if t.origin == "own" else self.settings(t.point), self.look) for t in trials
        }

        def advance(trial):
            try:
                trial.last = parts[trial.number].next()
            except Refusal as refusal:
                if refusal.status not in (64, 65) and refusal.status >= 0:
                    raise
                # Parameters that do not go together are no setting, nor is one of which kodama dies twice.
                trial.refusal, trial.last = str(refusal), None
                return
            trial.look = trial.look or trial.last
            trial.runs = len(trial.last["seeds"])

        open_trials = trials
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            while open_trials:
                list(pool.map(advance, open_trials))
                open_trials = [t for t in open_trials if t.last and t.runs < self.door.seeds]
                # All are weighed by what they gave before any is given up, so that their order does not count.
                rivals = front + [t for t in open_trials if self.is_kept(t)]
                for trial in open_trials:
                    if trial.origin == "slice":
                        trial.stopped = "a slice needs no more runs"
                    elif trial.origin != "own":
                        trial.stopped = self.hopeless(trial, [r for r in rivals if r is not trial])
                for trial in [t for t in open_trials if t.stopped]:
                    parts[trial.number].close()
                open_trials = [t for t in open_trials if not t.stopped]
        self.trials += trials
        for trial in trials:
            self.runs += trial.runs
            # One given up for a rival that kept its gates at first alone may be asked for again.
            is_open = trial.rival is not None and not self.is_kept(self.trials[trial.rival])
            if trial.point is not None and not is_open:
                self.by_point[trial.point] = trial
        return trials

    def baseline(self):
        """Runs the file's own setting to its end, and refuses what cannot be tuned there."""
        own = tuple(p.own_index for p in self.parameters)
        [trial] = self.run([None if None in own else own], ["own"])
        if trial.refusal:
            raise Refusal(trial.refusal)
        for objective in self.objectives:
            if objective.of(trial.whole).get("value") is None:
                raise Refusal(
                    f"{objective.text} has no sample in {self.door.seeds} seeds of the file's own setting; "
                    f"'kodama run {self.door.file} --metrics' lists what has some"
                )
        self.own = trial
        return trial

    # Asking

    @property
    def slice_cost(self):
        """How many runs the slices take, at most."""
        return sum(min(SLICE_VALUES, len(p.values)) for p in self.parameters) * (self.look or self.door.seeds)

    def search(self, optuna, sampler, seed, budget):
        """Spends the budget of runs, or tries all points if that takes less; of the grid, all of them."""
        sizes = [len(p.values) for p in self.parameters]
        total = math.prod(sizes)
        distributions = {
            p.name: optuna.distributions.IntDistribution(0, len(p.values) - 1)
            if p.is_ordered
            else optuna.distributions.CategoricalDistribution(tuple(range(len(p.values))))
            for p in self.parameters
        }
        samplers = {
            "grid": lambda: optuna.samplers.RandomSampler(seed=seed),
            "tpe": lambda: optuna.samplers.TPESampler(seed=seed, n_startup_trials=STARTUP),
            "gp": lambda: optuna.samplers.GPSampler(
                seed=seed, n_startup_trials=STARTUP, deterministic_objective=True
            ),
        }
        directions = ["maximize" if o.is_maximized else "minimize" for o in self.objectives]
        self.study = optuna.create_study(directions=directions, sampler=samplers[sampler]())
        draws = random.Random(seed)
        if self.own.point is not None:
            self.study.enqueue_trial({p.name: i for p, i in zip(self.parameters, self.own.point)})
            self.tell(optuna, self.study.ask(distributions), self.own)
        while len(self.by_point) < total:
            width = min(BATCH, total - len(self.by_point))
            if sampler != "grid":
                # None is begun that might not be ended.
                width = min(width, (budget - self.runs) // self.door.seeds)
            if width < 1:
                break
            points, asked = [], []
            # From the start each time: a setting may be open again that a rival had beaten.
            grid = itertools.product(*map(range, sizes))

            def take(trial, point, origin):
                asked.append((trial, origin))
                points.append(point)

            def given(point, origin):
                self.study.enqueue_trial({p.name: i for p, i in zip(self.parameters, point)})
                take(self.study.ask(distributions), point, origin)

            while len(points) < width:
                if sampler == "grid":
                    given(next(point for point in grid if point not in self.by_point), "grid")
                    continue
                beside = self.beside(draws, points) if len(points) >= width - BESIDE else None
                if beside:
                    given(beside, "beside")
                    continue
                trial = self.study.ask(distributions)
                point = tuple(trial.params[p.name] for p in self.parameters)
                if point not in self.by_point and point not in points:
                    take(trial, point, sampler)
                    continue
                # A point once tried tells nothing new: its neighbour may, or one drawn at random.
                self.study.tell(trial, state=optuna.trial.TrialState.FAIL)
                given(self.beside(draws, points) or self.untried(draws, sizes, points), "beside")
            trials = self.run(points, [origin for _, origin in asked])
            for (asked_trial, _), trial in zip(asked, trials):
                self.tell(optuna, asked_trial, trial)
            front = len(self.front())
            self.say(f"{len(self.by_point)} of {total} settings, {self.runs} runs, {front} on the front")

    def tell(self, optuna, asked, trial):
        values = self.values(trial.last) if trial.last else None
        if values is None:
            self.study.tell(asked, state=optuna.trial.TrialState.FAIL)
            return
        if self.keeps_gates:
            for name, violation in violations(trial.last).items():
                asked.set_constraint(name, float(violation))
        self.study.tell(asked, [float(v) for v in values])

    def idle(self):
        """The parameters that changed no run so far, of several pairs of settings that differ by them alone."""
        found = {k: [] for k in range(len(self.parameters))}
        tried = [t for t in self.by_point.values() if t.look]
        for i, one in enumerate(tried):
            for other in tried[:i]:
                apart = [k for k, (a, b) in enumerate(zip(one.point, other.point)) if a != b]
                if len(apart) == 1:
                    found[apart[0]].append(one.look["runsDigest"] == other.look["runsDigest"])
        return {k for k, pairs in found.items() if len(pairs) >= IDLE_PAIRS and all(pairs)}

    def beside(self, draws, taken):
        """An untried point one step beside the front, drawn among all such; None without one."""
        found, idle = set(), self.idle()
        for member in self.front():
            for k, parameter in enumerate(self.parameters):
                if k in idle:
                    continue
                point, last = member.point, len(parameter.values) - 1
                for index in {max(0, point[k] - 1), min(last, point[k] + 1)} if parameter.is_ordered else range(last + 1):
                    near = point[:k] + (index,) + point[k + 1 :]
                    if near not in self.by_point and near not in taken:
                        found.add(near)
        return draws.choice(sorted(found)) if found else None

    def untried(self, draws, sizes, taken):
        while True:
            point = tuple(draws.randrange(size) for size in sizes)
            if point not in self.by_point and point not in taken:
                return point

    # What it comes to

    def slices(self, base):
        """Each parameter alone through `base`, over the seeds of a look: by name, values with their trials."""
        plans = {}
        for k, parameter in enumerate(self.parameters):
            last = len(parameter.values) - 1
            steps = min(SLICE_VALUES, last + 1) - 1
            indices = {round(i * last / steps) for i in range(steps + 1)} | {base.point[k]}
            plans[parameter.name] = [base.point[:k] + (i,) + base.point[k + 1 :] for i in sorted(indices)]
        missing = sorted({p for points in plans.values() for p in points if p not in self.by_point})
        self.run(missing, ["slice"] * len(missing))
        return {
            name: [self.by_point[p] for p in points if self.by_point[p].look] for name, points in plans.items()
        }

    def importance(self, optuna):
        """How much of each objective's best tenth each parameter explains, by PED-ANOVA; None where all are alike."""
        shares = []
        for index in range(len(self.objectives)):
            done = [t for t in self.study.trials if t.values]
            if len({t.values[index] for t in done}) < 2:
                shares.append(None)
                continue
            # The evaluator takes less for better.
            sign = -1 if self.objectives[index].is_maximized else 1
            found = optuna.importance.get_param_importances(
                self.study, target=lambda trial, index=index, sign=sign: sign * trial.values[index]
            )
            total = sum(found.values())
            shares.append({name: round(share / total, 3) if total else 0 for name, share in sorted(found.items())})
        return shares
