"""Tests Scripts/tune against a stand-in of kodama whose front is known.

    python3 Scripts/tune.d/test_tune.py

Installs Optuna below .build at first use.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from door import shown  # noqa: E402
from search import is_seldom, lost  # noqa: E402

# Recovery falls with retry and rises with wait, energy the other way round; idle changes nothing. The front is
# wait = 0. Seeds shift all settings alike, as weather does, and each a little. LATE lets wait = 0 miss the gate after
# its first look, DIES kills the child of one setting, CHANGES edits the file.
STAND_IN = r"""#!/usr/bin/env python3
import json, os, pathlib, sys
place = pathlib.Path(sys.argv[0])
words = sys.argv[1:]
def all_of(name): return [words[i + 1] for i, w in enumerate(words) if w == name]
PARAMETERS = {"app.retry": 5, "app.wait": 3, "app.idle": 1}
if words == ["--version"]: print("0.0.0"); sys.exit()
if words[0] == "resolve":
    if "CHANGES" in os.environ: PARAMETERS["app.idle"] += place.with_name("ran").exists()
    if "--json" not in words:
        print("version: 2  # file.yaml:1\nscenario: stand-in\nseeds: 20\nparameters:")
        print(*(f"  {v.replace('=', ': ')}" for v in all_of("--set")), sep="\n"); sys.exit()
    print(json.dumps({"values": [{"path": "parameters." + n, "value": f"{v}s", "origin": "default"} for n, v in PARAMETERS.items()]}))
    sys.exit()
if "--points" in words:
    for text in all_of("--objective"):
        if text.startswith("app.unknown"):
            print(f"error: --objective {text}: there is no metric 'app.unknown'", file=sys.stderr); sys.exit(64)
    points = [{"values": [dict(zip(("name", "value"), o.split("="))) for o in all_of("--only")], "settings": []}]
    for sweep in all_of("--sweep"):
        name, _, text = sweep.partition("=")
        if name not in PARAMETERS:
            print(f"--sweep {sweep}: error: there is no parameter '{name}'; did you mean 'app.retry'?", file=sys.stderr); sys.exit(64)
        if "/" in text:
            ends, _, count = text.partition("/")
            low, high = (int(e.rstrip("s")) for e in ends.split(".."))
            if (high - low) % (int(count) - 1):
                print(f"--sweep {sweep}: error: '0.5s' is not a multiple of 1s", file=sys.stderr); sys.exit(64)
            values = range(low, high + 1, (high - low) // (int(count) - 1))
        else: values = [int(v.rstrip("s")) for v in text.split(",")]
        points = [{"values": [{"name": name, "value": f"{v}s"}], "settings": [{"name": name, "value": f"{v}s", "isOfPreset": False}]} for v in values]
    print(json.dumps({"scenario": "stand-in", "seeds": 20, "points": points})); sys.exit()
setting = dict(PARAMETERS)
for word in all_of("--set"):
    name, _, value = word.partition("="); setting[name] = int(value.rstrip("s"))
retry, wait = setting["app.retry"], setting["app.wait"]
place.with_name("ran").touch()
seeds = int(all_of("--seeds")[0])
def noise(seed, salt): return (seed * 7919 + salt * 104729) % 11 - 5
def rows(n, objective):
    if objective.startswith("app.never"): return [None] * n
    if objective.startswith("app.flat"): return [10_000 + retry * 20 + noise(s, 2) for s in range(n)]
    if objective.startswith("app.late"): return [wait * 100 * (s >= 8) + noise(s, 2) for s in range(n)]
    if objective.startswith("app.energy"): return [(10 - retry) * 1000 + wait * 100 + noise(s, 1) for s in range(n)]
    return [retry * 1000 + wait * 200 + noise(s, retry + wait) for s in range(n)]
def answer(n):
    objectives = []
    for text in all_of("--objective"):
        metric, _, figure = text.rpartition(":")
        by = rows(n, text)
        entry = {"metric": metric, "figure": figure, "unit": "count", "direction": "lower", "samples": n, "bySeed": by}
        if by[0] is not None: entry |= {"value": sum(by) // n, "interval": {"lower": min(by), "upper": max(by)}}
        objectives.append(entry)
    tries = 9 if "LATE" in os.environ and wait == 0 and n > 8 else retry
    verdict = "fail" if tries > 8 else "pass"
    gate = {"metric": "app.tries", "rule": "max <= 8", "figure": "max", "comparison": "<=", "limit": 8, "unit": "count",
            "value": tries, "verdict": verdict, "isGreen": verdict == "pass"}
    print(json.dumps({"scenario": "stand-in", "digest": "0" * 16, "settings": [], "seeds": list(range(n)), "runsDigest": f"{retry}-{wait}",
        "verdict": verdict, "objectives": objectives, "gates": [{"slackPerMille": (8 - tries) * 125, "gate": gate}], "invariants": []}), flush=True)
look = int((all_of("--look") or [seeds])[0])
while look < seeds:
    answer(look)
    look *= 2
    if not sys.stdin.readline(): sys.exit()
    if (retry, wait) == (4, 3) and os.environ.get("DIES") in ("always", "once"[4 * place.with_name("died").exists():]):
        place.with_name("died").touch(); os.kill(os.getpid(), 9)
answer(seeds)
"""


class TuneTests(unittest.TestCase):
    VARIED = ["--vary", "app.retry=1s..10s/10", "--vary", "app.wait=0s..4s/5", "--vary", "app.idle=1s,2s"]
    WEIGHED = ["--minimize", "app.recovery:p95", "--minimize", "app.energy:p95"]

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.kodama = self.folder / "kodama"
        self.kodama.write_text(STAND_IN)
        self.kodama.chmod(0o755)

    def tearDown(self):
        self.place.cleanup()

    def tune(self, *words, output="out", **variables):
        line = [HERE.parent / "tune", "file.yaml", *words, "--kodama", self.kodama, "--output", self.folder / output]
        return subprocess.run(line, capture_output=True, text=True, env=os.environ | variables)

    def result(self, output="out"):
        return json.loads((self.folder / output / "tune.json").read_text())

    def front(self, output="out"):
        value = self.result(output)
        return sorted(value["trials"][f["trial"]]["settings"]["app.retry"] for f in value["front"])

    def test_the_front_of_a_quarter_of_the_runs_is_that_of_all_settings_for_any_number_of_workers(self):
        for workers in ("1", "2", "4"):
            end = self.tune(*self.VARIED, *self.WEIGHED, "--keep-gates", "--workers", workers, "--quiet", output=workers)
            self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(self.front("1"), [f"{n}s" for n in range(1, 9)])
        self.assertLessEqual(self.result("1")["runs"] * 4, 100 * 20)
        for other in ("2", "4"):
            for name in sorted(os.listdir(self.folder / "1")):
                one, same = ((self.folder / w / name).read_bytes() for w in ("1", other))
                self.assertEqual(one, same, name)

    def test_the_result_says_what_moves_nothing_and_what_the_own_setting_costs_and_the_page_stands_alone(self):
        end = self.tune(*self.VARIED, *self.WEIGHED, "--keep-gates", "--quiet")
        self.assertIn("app.idle moves no objective: from 1s to 2s, no run differs", end.stdout)
        self.assertIn("The file's own setting costs", end.stdout)
        stopped = [t for t in self.result()["trials"] if "stopped" in t]
        self.assertTrue(any("app.tries max <= 8 is missed" in t["stopped"] for t in stopped), stopped)
        self.assertTrue(any("is better by every objective" in t["stopped"] for t in stopped), stopped)
        page = (self.folder / "out" / "tune.html").read_text()
        self.assertFalse(re.search(r'(src|href)="(?!data:)', page))
        self.assertNotRegex(page, "TITLE|SENTENCES|RESULT")
        preset = (self.folder / "out" / "preset-1.yaml").read_text()
        self.assertIn("\n  app.wait: 0s\n", preset)

    def test_what_more_seeds_than_the_first_show_is_not_said_to_move_nothing(self):
        end = self.tune("--vary", "app.wait=0s..4s/5", "--minimize", "app.late:p95", "--sampler", "grid", "--quiet")
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertNotIn("app.wait moves no objective", end.stdout)
        self.assertNotIn("app.wait is not seen to move", end.stdout)

    def test_presets_of_a_front_before_go_and_other_files_of_such_a_name_stay(self):
        (self.folder / "out").mkdir()
        for name, text in (("preset-night.yaml", "version: 2\n"), ("preset-99.yaml", "version: 2\nx-tuned:\n  runs: 1\n")):
            (self.folder / "out" / name).write_text(text)
        self.tune(*self.VARIED, *self.WEIGHED, "--quiet")
        left = os.listdir(self.folder / "out")
        self.assertIn("preset-night.yaml", left)
        self.assertIn("preset-1.yaml", left)
        self.assertNotIn("preset-99.yaml", left)

    def test_wrong_words_are_refused_before_anything_is_installed(self):
        scripts = self.folder / "repository" / "Scripts"
        shutil.copytree(HERE, scripts / "tune.d")
        shutil.copy(HERE.parent / "tune", scripts / "tune")
        for words, complaint in (
            (self.VARIED, "name what is weighed"),
            ([*self.VARIED, *self.WEIGHED, "--workers", "0"], "--workers 0: at least 1 is needed"),
            ([*self.VARIED, "--minimize", "app.recovery"], "write a metric and a figure of it"),
            ([*self.VARIED, *self.WEIGHED, "--maximize", "app.unknown:p95"], "--maximize app.unknown:p95: there is no metric"),
        ):
            line = [scripts / "tune", "file.yaml", *words, "--kodama", self.kodama]
            end = subprocess.run(line, capture_output=True, text=True)
            self.assertEqual((end.returncode, end.stdout), (64, ""), end.stderr)
            self.assertIn(complaint, end.stderr)
            self.assertNotIn("Installing", end.stderr)
        self.assertFalse((self.folder / "repository" / ".build" / "tune").exists())

    def test_the_grid_runs_every_setting_and_agrees(self):
        varied = ["--vary", "app.retry=1s..9s", "--vary", "app.wait=0s,4s"]
        end = self.tune(*varied, *self.WEIGHED, "--keep-gates", "--sampler", "grid", "--seeds", "9", "--quiet")
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(self.front(), [f"{n}s" for n in range(1, 9)])
        settings = {tuple(sorted(t["settings"].items())) for t in self.result()["trials"]}
        self.assertEqual(len(settings), 1 + 9 * 2)

    def test_slices_of_few_seeds_are_whole_and_may_widen_the_front(self):
        for seeds in ("1", "9", "15"):
            runs = str(int(seeds) * 14)
            end = self.tune(*self.VARIED, *self.WEIGHED, "--seeds", seeds, "--runs", runs, "--quiet")
            self.assertEqual((end.returncode, end.stderr), (0, ""))
            result = self.result()
            self.assertTrue(any(result["trials"][f["trial"]]["origin"] == "slice" for f in result["front"]))
            presets = [p.read_text() for p in (self.folder / "out").glob("preset-*.yaml")]
            self.assertEqual(len(presets), len(result["front"]))
            self.assertIn(f"preset-{len(presets)}.yaml", os.listdir(self.folder / "out"))

    def test_the_grid_asks_again_for_what_a_rival_beat_that_misses_a_gate_later(self):
        varied = ["--vary", "app.retry=1s..9s", "--vary", "app.wait=0s,4s"]
        end = self.tune(*varied, *self.WEIGHED, "--keep-gates", "--sampler", "grid", "--quiet", LATE="1")
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(self.front(), [f"{n}s" for n in range(1, 9)])
        again = [t for t in self.result()["trials"] if t["settings"].get("app.wait") == "4s" and "stopped" in t]
        self.assertTrue(any("is better" in t["stopped"] for t in again), again)

    def test_a_preset_is_the_whole_scenario_at_the_point_that_was_tuned(self):
        self.tune(*self.VARIED, *self.WEIGHED, "--only", "outage=5s", "--set", "app.other=1s", "--quiet")
        preset = (self.folder / "out" / "preset-1.yaml").read_text()
        self.assertEqual(re.findall(r"(?m)^(version|scenario): (.*)", preset), [("version", "2"), ("scenario", "stand-in-tuned-1")])
        self.assertIn('\n  set: "app.other=1s"\n  only: "outage=5s"\n', preset)
        self.assertIn("\nseeds: 20\nparameters:\n  app.other: 1s\n  app.retry: ", preset)
        self.assertNotIn("extends:", preset)

    def test_a_child_that_dies_is_begun_again_and_one_that_always_does_is_no_setting(self):
        varied = ["--vary", "app.retry=4s..6s", "--vary", "app.wait=3s,4s", "--sampler", "grid", "--quiet"]
        ends = {name: self.tune(*varied, *self.WEIGHED, output=name, DIES=name) for name in ("no", "once", "always")}
        for name, end in ends.items():
            self.assertEqual(end.returncode, 0, end.stderr)
        self.assertTrue((self.folder / "died").exists())
        self.assertEqual(self.result("no"), self.result("once"))
        refused = [t for t in self.result("always")["trials"] if "refused" in t]
        self.assertEqual([t["settings"] for t in refused], [{"app.retry": "4s", "app.wait": "3s"}])
        self.assertIn("ended with -9", refused[0]["refused"])

    def test_a_file_that_changes_meanwhile_is_refused_and_nothing_is_written(self):
        end = self.tune(*self.VARIED, *self.WEIGHED, "--quiet", CHANGES="1")
        self.assertEqual(end.returncode, 65)
        self.assertIn("has changed while it was tuned", end.stderr)
        self.assertEqual(os.listdir(self.folder / "out"), [])

    def test_the_own_setting_keeps_its_star_on_the_front(self):
        end = self.tune("--vary", "app.retry=3s..7s", *self.WEIGHED, "--sampler", "grid", "--quiet")
        self.assertRegex(end.stdout, r"(?m)^0 \* .*\n(.*\n)*own ")

    def test_64_what_cannot_be_tuned_is_refused_in_a_sentence(self):
        cases = [
            ([*self.WEIGHED], "name what is varied"),
            ([*self.VARIED], "name what is weighed"),
            ([*self.VARIED, "--minimize", "app.recovery"], "write a metric and a figure of it"),
            ([*self.VARIED, *self.WEIGHED, "--minimize", "app.energy:p95"], "two objectives are two figures"),
            (["--vary", "app.retr=1s..9s", *self.WEIGHED], "--vary app.retr=1s..9s: error: there is no parameter"),
            (["--vary", "app.retry=1s..8s/3", *self.WEIGHED], "'0.5s' is not a multiple of 1s"),
            (["--vary", "app.retry=1s", *self.WEIGHED], "one value is no choice"),
            ([*self.VARIED, "--minimize", "app.never:p95"], "has no sample in 20 seeds"),
            ([*self.VARIED, *self.WEIGHED, "--vary", "app.wait=1s,2s"], "it is given twice"),
            ([*self.VARIED, *self.WEIGHED, "--set", "app.wait=1s"], "the parameter is set as well"),
            ([*self.VARIED, *self.WEIGHED, "--workers", "0"], "at least 1 is needed"),
            ([*self.VARIED, *self.WEIGHED, "--runs", "30"], "--runs 30: too few"),
        ]
        for words, sentence in cases:
            end = self.tune(*words)
            self.assertEqual(end.returncode, 64, words)
            self.assertIn(sentence, end.stderr)
            self.assertIn("error: ", end.stderr.splitlines()[0] + end.stderr.splitlines()[-1])
            self.assertEqual(end.stdout, "")

    def test_fronts_of_one_point_and_objectives_that_are_one_are_said_and_no_kept_gate_ends_with_1(self):
        one = self.tune(*self.VARIED, "--minimize", "app.recovery:p95", "--minimize", "app.other:p95", "--quiet")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertIn("The front is one point", one.stdout)
        self.assertIn("they are one objective; leave one out", one.stdout)
        self.assertNotIn("hardly varies", one.stdout)
        flat = self.tune(*self.VARIED, "--minimize", "app.flat:p95", "--maximize", "app.recovery:p95", "--quiet")
        self.assertRegex(flat.stdout, "app.flat:p95 hardly varies: from 10,0.. to 10,1.. over all")
        none = self.tune("--vary", "app.retry=9s,10s", *self.WEIGHED, "--keep-gates", "--quiet")
        self.assertEqual(none.returncode, 1, none.stderr)
        self.assertIn("No setting that was tried keeps every gate", none.stdout)
        self.assertFalse((self.folder / "out" / "preset-1.yaml").exists())

    def test_what_only_chance_may_have_done_stops_no_setting(self):
        self.assertTrue(is_seldom(8, 0))
        self.assertFalse(is_seldom(7, 0))
        self.assertFalse(is_seldom(9, 1))
        gate = {"metric": "m", "rule": "p95 <= 5", "figure": "p95", "comparison": "<=", "limit": 5, "unit": "ns", "value": 6}
        gate |= {"verdict": "fail", "interval": {"lower": 4, "upper": 9}}
        self.assertIsNone(lost({"invariants": [], "gates": [{"gate": gate}]}))
        gate["interval"]["lower"] = 6
        self.assertEqual(lost({"invariants": [], "gates": [{"gate": gate}]}), "m p95 <= 5")

    def test_figures_are_shown_with_their_units(self):
        texts = [shown(650_000_000, "ns"), shown(12_345, "ppm"), shown(1234, "count"), shown(None, "ns")]
        self.assertEqual(texts, ["650 ms", "1.23 %", "1,234", "no data"])


if __name__ == "__main__":
    unittest.main()
