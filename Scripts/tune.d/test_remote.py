"""Tests Scripts/tune --on against a stand-in of kodama, with workers that are killed or have another build.

    python3 Scripts/tune.d/test_remote.py     once Scripts/cluster has made its Python environment
"""

import subprocess
import sys
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "cluster.d")]

import test_cluster  # noqa: E402
import test_tune  # noqa: E402


class RemoteTests(test_cluster.DaskTests):
    # A part takes long enough that a worker can be killed while it runs one.
    STAND_IN = test_tune.STAND_IN.replace("look = int(", "import time; time.sleep(0.05)\nlook = int(")

    def line(self, *words, output):
        line = [HERE.parent / "tune", "file.yaml", *test_tune.TuneTests.VARIED, *test_tune.TuneTests.WEIGHED, *words]
        return [*line, "--kodama", self.kodama, "--output", self.folder / output]

    def tune(self, *words, output="out"):
        return subprocess.run(self.line(*words, output=output), capture_output=True, text=True, cwd=self.folder)

    def result(self, output):
        return (self.folder / output / "tune.json").read_text()

    def test_workers_of_a_cluster_give_the_bytes_of_this_machine_and_keep_nothing(self):
        self.assertEqual(self.tune(output="here").returncode, 0)
        _, address = self.scheduler()
        self.worker(address)
        self.worker(address)
        for _ in range(2):
            end = self.tune("--on", f"dask:{address}", output="there")
            self.assertEqual(end.returncode, 0, end.stderr)
            self.assertEqual(self.result("there"), self.result("here"))
        waiting = subprocess.run(["pgrep", "-f", str(self.kodama)], capture_output=True, text=True).stdout
        self.assertEqual(waiting, "")

    def test_a_worker_that_is_killed_and_one_that_joins_late_change_no_byte(self):
        self.assertEqual(self.tune(output="here").returncode, 0)
        _, address = self.scheduler()
        first = self.worker(address)
        line = self.line("--on", f"dask:{address}", output="there")
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder) as run:
            self.assertIn("settings", run.stderr.readline())
            self.worker(address)
            time.sleep(1)
            self.end(first)
            _, errors = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 0, errors)
        self.assertEqual(self.result("there"), self.result("here"))

    def test_what_cannot_be_run_is_refused_in_a_sentence(self):
        _, address = self.scheduler()
        self.worker(address, KODAMA=str(self.program("other", self.STAND_IN + "# another build\n")))
        end = self.tune("--on", f"dask:{address}")
        self.assertEqual(end.returncode, 69, end.stderr)
        self.assertIn("other is another build", end.stderr)
        self.assertIn("error: no worker has the build that asks", end.stderr)
        for on, status, sentence in (
            ("ssh:x", 64, "write dask: and a scheduler's address"), ("dask:tcp://127.0.0.1:1", 69, "no scheduler answers")
        ):
            end = self.tune("--on", on)
            self.assertEqual(end.returncode, status, end.stderr)
            self.assertIn(sentence, end.stderr)


if __name__ == "__main__":
    unittest.main()
