"""Measures how much of the true front Scripts/tune finds: every setting of a grid is run once, then the search is
repeated over those runs with ten tuner seeds.

    python3 Scripts/nightly.d/fronts.py KODAMA FOLDER [SCENARIO…]

FOLDER keeps the runs of each grid beside the digest of its question, so that a second time takes seconds. Ends with 1 if a
search spends more than a quarter of the grid's runs, or finds less of the front than it did.
"""

import concurrent.futures
import hashlib
import itertools
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tune.d"))

from door import Door, Objective  # noqa: E402

SEEDS, TUNER_SEEDS = 20, 10
# With the least share of the true points that the searches are to find together: what they found, less a tenth.
QUESTIONS = [
    ("Scenarios/session/outages-drawn.yaml", [],
     ["session.probe.interval=250ms..2500ms/10", "session.retry_timeout=2s..10s/5",
      "session.probe.slow_after=10s,20s,40s,60s"],
     ["session.recovery.time:p95", "session.probe.packets.count:p95"], 0.39),
    ("Scenarios/replica/server-dark.yaml", [],
     ["replica.sync_interval=5s..95s/10", "replica.backoff_max=2s,5s,10s,30s,60s", "replica.request_timeout=2s,5s,10s,20s"],
     ["replica.difference.time:p95", "network.up.bytes:value"], 0.85),
]


class Recorded:
    """A door to settings that all were run: gives what each said after its looks."""

    def __init__(self, door, parts):
        self.file, self.seeds, self.parts = door.file, door.seeds, parts

    def evaluation(self, settings, look):
        return Part(a for a in self.parts[key(settings)] if len(a["seeds"]) >= (look or self.seeds))


class Part:
    def __init__(self, answers):
        self.answers = answers

    def next(self):
        return next(self.answers)

    def close(self):
        pass


def key(settings):
    return " ".join(f"{name}={value}" for name, value in settings)


def runs(door, parameters, look, folder):
    """What every setting of the grid says after each look, by its settings; that of the file's own by none."""
    question = json.dumps([door.resolved, [p.name for p in parameters], [p.values for p in parameters], SEEDS, look])
    version = subprocess.run([door.kodama, "--version"], capture_output=True, text=True).stdout
    objectives = " ".join(o.text for o in door.objectives)
    digest = hashlib.sha256((question + version + objectives).encode()).hexdigest()[:16]
    store = folder / f"{door.scenario}-{digest}.json"
    if store.exists():
        return json.loads(store.read_text())
    settings = [[]] + [list(zip((p.name for p in parameters), values))
                       for values in itertools.product(*(p.values for p in parameters))]

    def answers(setting):
        evaluation, found = door.evaluation(setting, look), []
        while not found or len(found[-1]["seeds"]) < door.seeds:
            found.append(evaluation.next())
        return found

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        parts = dict(zip(map(key, settings), pool.map(answers, settings)))
    store.write_text(json.dumps(parts))
    return parts


def measure(kodama, folder, question):
    import optuna
    from search import Search

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    file, only, varied, minimized, least = question
    objectives = [Objective(*text.rsplit(":", 1), False) for text in minimized]
    door = Door(kodama, file, [], only, objectives, SEEDS)
    parameters = door.parameters(varied)
    recorded = Recorded(door, runs(door, parameters, 2, folder))
    total = len(recorded.parts) - 1
    whole = Search(recorded, parameters, objectives, False, 1)
    figures = {whole.values(parts[-1]) for name, parts in recorded.parts.items() if name}
    true = [f for f in figures if not any(whole.dominates(other, f) for other in figures)]
    spans = [max(column) - min(column) or 1 for column in zip(*true)]
    rows = []
    for seed in range(1, TUNER_SEEDS + 1):
        search = Search(recorded, parameters, objectives, False, 1)
        search.baseline()
        search.search(optuna, "tpe", seed, total // 4 * SEEDS - search.slice_cost)
        found = [search.values(t.whole) for t in search.front()]
        # From each true point to the nearest found one, as a share of the front's range.
        far = [min(max(abs(a - b) / s for a, b, s in zip(point, other, spans)) for other in found) for point in true]
        rows.append((len(set(true) & set(found)), (search.runs + search.slice_cost) / (total * SEEDS), max(far), len(search.by_point)))
    counts = [row[0] for row in rows]
    share = statistics.mean(counts) / len(true)
    print(f"{door.scenario}: {total} settings, true front {len(true)}; found {' '.join(map(str, counts))} ({share:.0%}) "
          f"with {max(r[1] for r in rows):.1%} of the runs at most, {statistics.mean(r[3] for r in rows):.0f} settings tried; "
          f"farthest {statistics.median(r[2] for r in rows):.1%} in the median, {max(r[2] for r in rows):.1%} at worst", flush=True)
    return share >= least and all(row[1] <= 0.25 for row in rows)


def main():
    kodama, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [q for q in QUESTIONS if not sys.argv[3:] or any(name in q[0] for name in sys.argv[3:])]
    sys.exit(0 if all([measure(kodama, folder, q) for q in chosen]) else 1)


main()
