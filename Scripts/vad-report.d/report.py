"""Runs our detector and its peers over scenes and prints how they compare; see Scripts/vad-report."""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy

import peers
import scenes
import scorer

OURS = {"kodama-16": 16, "kodama-48": 48}
# How much of all silence is marked where detectors are set side by side at equal false alarms, in per cent.
FALSE_SHARES = (2, 5, 10)
TITLES = {"kodama-16": "Kodama, 16 kHz", "kodama-48": "Kodama, 48 kHz",
          "oracle": "always right"} | peers.TITLES


class Row:
    """One detector: its decisions on all scenes, and what a frame cost."""

    def __init__(self, decisions, microseconds=None):
        self.decisions = decisions
        self.microseconds = microseconds
        self.scenes = {}
        self.groups = {}
        self.empty = {}
        self.equal = {}

    def judge(self, all_scenes):
        talking = [scene for scene in all_scenes if scene.spurts]
        self.scenes = {scene.name: scorer.score(scene, self.decisions[scene.name])
                       for scene in talking}
        self.groups = {name: scorer.mean([self.scenes[scene.name] for scene in members])
                       for name, members in scorer.groups(talking).items()}
        self.empty = {scene.name: scorer.empty_score(scene, self.decisions[scene.name])
                      for scene in all_scenes if not scene.spurts}
        self.equal = {false: self.at_false(talking, all_scenes, false) for false in FALSE_SHARES}

    def at_false(self, talking, all_scenes, false):
        """The figures at the threshold that so much of the silence reaches; None without scores."""
        threshold = scorer.threshold_for(talking, self.decisions, false) if talking else None
        if threshold is None:
            return None
        decisions = {scene.name: scorer.at_threshold(self.decisions[scene.name], threshold)
                     for scene in all_scenes}
        rows = [scorer.score(scene, decisions[scene.name]) for scene in talking]
        empty = [scorer.empty_score(scene, decisions[scene.name])["sent_openings"]
                 for scene in all_scenes if not scene.spurts]
        return scorer.mean(rows) | {"openings": statistics.fmean(empty) if empty else float("nan")}

    def broken_rules(self):
        return [f"{name}, {rule}" for name, decisions in self.decisions.items()
                if decisions.states for rule in scorer.broken_rules(decisions.states)]


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_ours(lab, all_scenes, kilohertz):
    files = [str(scene.path(kilohertz)) for scene in all_scenes]
    with tempfile.TemporaryDirectory() as folder:
        command = [lab, "vad", "--speed", "--out", folder, *files]
        end = subprocess.run(command, capture_output=True, text=True)
        if end.returncode != 0:
            raise scenes.SceneError(f"kodama-lab vad ended with {end.returncode}: {end.stderr.strip()}")
        costs = [float(cost) for cost in re.findall(r": ([0-9.]+) us of processor", end.stderr)]
        decisions = {scene.name: scenes.read_csv(pathlib.Path(folder) / f"{scene.name}.csv")
                     for scene in all_scenes}
    return Row(decisions, statistics.median(costs))


def run_peer(peer, all_scenes):
    decisions, costs = {}, []
    for number, scene in enumerate(all_scenes, 1):
        decisions[scene.name], cost = peers.run(peer, scene)
        costs.append(cost)
        if number % 10 == 0:
            say(f"  {number}/{len(all_scenes)} scenes")
    return Row(decisions, statistics.median(costs))


def run_all(names, lab, all_scenes):
    # First of all, so that a missing package does not cost minutes.
    ready = {name: peers.make(name) for name in names if name not in OURS}
    rows = {}
    for number, name in enumerate(names, 1):
        say(f"{number}/{len(names)} {TITLES[name]}")
        if name in OURS:
            rows[name] = run_ours(lab, all_scenes, OURS[name])
        else:
            rows[name] = run_peer(ready[name], all_scenes)
    rows["oracle"] = Row({scene.name: scorer.oracle(scene) for scene in all_scenes})
    for row in rows.values():
        row.judge(all_scenes)
    return rows


def modes_together(rows, all_scenes):
    """The area under the curve of how many of WebRTC's four modes hear speech."""
    modes = [rows.get(f"webrtc-{mode}") for mode in range(4)]
    if None in modes:
        return None
    areas = []
    if not all_scenes:
        return None
    for scene in all_scenes:
        votes = sum(mode.decisions[scene.name].flags.astype(float) for mode in modes)
        areas.append(scorer.score(scene, scenes.Decisions(votes > 0, votes))["auc"])
    return float(numpy.mean(areas))


# Tables


def table(title, heads, body):
    """A title, and rows in columns: the first to the left, the others to the right."""
    widths = [max(len(str(row[place])) for row in [heads, *body]) for place in range(len(heads))]
    lines = ["", title, ""]
    for row in [heads, *body]:
        cells = [str(cell).ljust(width) if place == 0 else str(cell).rjust(width)
                 for place, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines


def figure(value, digits=1):
    return "-" if value is None or value != value else f"{value:.{digits}f}"


def pair(figures, first, second):
    return f"{figure(figures[first], 0)}/{figure(figures[second], 0)}"


def main_table(rows):
    heads = ["", "acc", "bacc", "hit", "false", "far", "AUC", "hit@5%", "miss60", "miss200",
             "delay50/95", "lost", "hang50/95", "us per 20 ms"]
    body = []
    for name, row in rows.items():
        if name == "oracle":
            continue
        figures = row.groups["all"]
        body.append([TITLES[name]]
                    + [figure(figures[key]) for key in ("acc", "bacc", "hit", "false", "far")]
                    + [figure(figures.get(key)) for key in ("auc", "hit5")]
                    + [figure(figures[key]) for key in ("miss60", "miss200")]
                    + [pair(figures, "delay50_ms", "delay95_ms"), figure(figures["lost"]),
                       pair(figures, "hang50_ms", "hang95_ms"), figure(row.microseconds)])
    return table("Bare decision (%, ms, processor us)", heads, body)


def sending_table(rows, prefix, title):
    heads = ["", "spurts cut > 20 ms", "cut p95 ms", "speech not sent", "silence sent",
             "start p50/p95 ms"]
    keys = ["cut", "cut95_ms", "unsent", "silence"]
    body = [[TITLES[name]] + [figure(row.groups["all"][prefix + key]) for key in keys]
            + [pair(row.groups["all"], prefix + "start50_ms", prefix + "start95_ms")]
            for name, row in rows.items() if prefix + "cut" in row.groups["all"]]
    return table(title, heads, body) if body else []


def group_table(rows, key, title):
    conditions = [name for name in next(iter(rows.values())).groups]
    body = [[TITLES[name]] + [figure(row.groups[condition].get(key)) for condition in conditions]
            for name, row in rows.items() if name != "oracle"]
    return table(title, ["", *conditions], body)


def equal_table(rows):
    """Detectors that give a score, each at the threshold that the same share of silence reaches."""
    heads = ["", "false", "hit", "miss200", "spurts cut > 20 ms", "silence sent", "openings/h"]
    body = [[TITLES[name], figure(false)]
            + [figure(found[key]) for key in ("hit", "miss200", "sent_cut", "sent_silence", "openings")]
            for false in FALSE_SHARES
            for name, row in rows.items() if (found := row.equal[false]) is not None and name != "oracle"]
    return table("At equal false alarms: one threshold for all scenes, after one machine for all (%)",
                 heads, body) if body else []


def empty_table(rows, prefix, key, title, digits=0):
    kinds = list(next(iter(rows.values())).empty)
    body = [[TITLES[name]] + [figure(row.empty[kind][prefix + key], digits) for kind in kinds]
            for name, row in rows.items()
            if name != "oracle" and kinds and prefix + key in row.empty[kinds[0]]]
    return table(title, ["", *kinds], body) if body else []


def empty_tables(rows):
    lines = empty_table(rows, "sent_", "openings",
                        "Where nobody speaks, openings per hour after one machine for all")
    lines += empty_table(rows, "own_", "openings", "Where nobody speaks, openings per hour of our own gate")
    lines += empty_table(rows, "sent_", "sent", "Where nobody speaks, sent after one machine for all (%)", 1)
    lines += empty_table(rows, "own_", "sent", "Where nobody speaks, sent by our own gate (%)", 1)
    lines += empty_table(rows, "own_", "longest_s",
                         "Where nobody speaks, the longest stretch that our own gate sends (s)", 1)
    return lines


def text(rows, all_scenes):
    seconds = sum(scene.milliseconds for scene in all_scenes) / 1000
    onsets = sum(len(scene.spurts) for scene in all_scenes)
    lines = [f"{len(all_scenes)} scenes, {seconds:.0f} s, {onsets} talk spurts"]
    lines += empty_tables(rows)
    all_scenes = [scene for scene in all_scenes if scene.spurts]
    if not all_scenes:
        return "\n".join(lines)
    lines += main_table(rows)
    lines += equal_table(rows)
    together = modes_together(rows, all_scenes)
    if together is not None:
        lines += ["", f"WebRTC gives no score; how many of its modes hear speech: AUC {together:.1f}"]
    lines += sending_table(
        rows, "sent_", "After one machine for all: attack 60, release 300, pre-roll 200 ms (%)")
    lines += sending_table(rows, "own_", "After our own talk gate (%)")
    for name, row in rows.items():
        broken = row.broken_rules()
        if broken:
            lines += [f"{TITLES[name]} breaks the rules of the states {len(broken)} times, first: {broken[0]}"]
    lines += group_table(rows, "auc", "AUC by condition (%)")
    lines += group_table(rows, "far", "Silence marked as speech far from speech, by condition (%)")
    lines += group_table(rows, "sent_unsent", "Speech not sent, by condition (%)")
    return "\n".join(lines)


def record(rows, all_scenes):
    """Everything as JSON; what is not known is null."""
    def plain(figures):
        return {key: None if value != value else round(float(value), 4)
                for key, value in figures.items()}
    return {
        "scenes": [scene.name for scene in all_scenes],
        "webrtc_modes_together_auc": modes_together(rows, [scene for scene in all_scenes if scene.spurts]),
        "detectors": {
            name: {
                "title": TITLES[name],
                "us_per_20ms": row.microseconds,
                "conditions": {group: plain(figures) for group, figures in row.groups.items()},
                "scenes": {scene: plain(figures) for scene, figures in row.scenes.items()},
                "nobody_speaks": {scene: plain(figures) for scene, figures in row.empty.items()},
                "at_equal_false_alarms": {str(false): None if figures is None else plain(figures)
                                          for false, figures in row.equal.items()},
                "broken_state_rules": row.broken_rules(),
            } for name, row in rows.items()
        },
    }


def chosen(only):
    """The detectors to run: all, or ours and what is asked for."""
    if not only:
        return [*OURS, *peers.ALL]
    picked = []
    for word in only:
        found = [name for name in [*OURS, *peers.ALL] if name.startswith(word)]
        if not found:
            known = ", ".join([*OURS, *peers.ALL])
            raise scenes.SceneError(f"--only: there is no detector '{word}'; known are {known}")
        picked += found
    return [name for name in [*OURS, *peers.ALL] if name in OURS or name in picked]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", required=True)
    parser.add_argument("--scenes", required=True)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    try:
        names = chosen(arguments.only)
        all_scenes = scenes.load(arguments.scenes)
        rows = run_all(names, arguments.lab, all_scenes)
    except (scenes.SceneError, peers.PeerError) as error:
        say(f"error: {error}")
        return 66
    if arguments.json:
        print(json.dumps(record(rows, all_scenes), indent=1, sort_keys=True))
    else:
        print(text(rows, all_scenes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
