"""Tests Scripts/cluster against a stand-in of kodama, with workers that are killed, come late or have another build.

    python3 Scripts/cluster.d/test_cluster.py     once Scripts/cluster has made its Python environment
"""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
DASK = HERE.parent.parent / ".build" / "cluster" / "bin" / "dask"

# Each shard takes a while and leaves its words; merge prints them in order, as it would be of any number of machines.
STAND_IN = """#!/usr/bin/env python3
import os, pathlib, signal, sys, time
words = sys.argv[1:]
if words[0] == "merge":
    for name in words[1:]: print(pathlib.Path(name).read_text() if "shard-" in name else name + "\\n", end="")
    sys.exit(4)
index, count = words[words.index("--shard") + 1].split("/")
if "wrong.yaml" in words: print("error: wrong.yaml:3: no such key", file=sys.stderr); sys.exit(65)
log = pathlib.Path(sys.argv[0]).with_name("log")
with open(log, "a") as file: file.write(f"{index}\\n")
time.sleep(0.4)
mark = log.with_name(f"died-{index}")
if "dies.yaml" in words and index == "2" and not mark.exists(): mark.touch(); os.kill(os.getpid(), signal.SIGKILL)
if "always.yaml" in words: os.kill(os.getpid(), signal.SIGKILL)
folder = pathlib.Path(words[words.index("--output") + 1])
(folder / f"shard-{index}-of-{count}.json").write_text(f"{index} {words[1]} {words[2:4]}\\n")
"""


class DaskTests(unittest.TestCase):
    """Schedulers and workers on this machine, which end with the test."""

    STAND_IN = STAND_IN

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.kodama = self.program("kodama", self.STAND_IN)
        self.processes = []
        self.addCleanup(lambda: [self.end(process) for process in self.processes])

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def start(self, *words, **variables):
        process = subprocess.Popen(
            [DASK, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
            cwd=self.folder, env=os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "9"} | variables,
        )
        self.processes.append(process)
        return process

    def end(self, process):
        """Ends a process with those that it has started."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()

    def scheduler(self):
        process = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        for line in process.stderr:
            found = re.search(r"Scheduler at:\s*(tcp://\S+)", line)
            if found:
                return process, found[1]
        self.fail("no scheduler")

    def worker(self, address, **variables):
        return self.start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", **variables)


class ClusterTests(DaskTests):
    def line(self, file, address, shards=8, parts="parts"):
        on = ["--on", f"dask:{address}"] if address else []
        line = [HERE.parent / "cluster", file, "--set", "a=1", *on, "--shards", str(shards)]
        return line + ["--parts", self.folder / parts, "--kodama", self.kodama]

    def cluster(self, *arguments, **more):
        return subprocess.run(self.line(*arguments, **more), capture_output=True, text=True, cwd=self.folder)

    def expect(self, end, file="x.yaml", shards=8):
        wanted = "".join(f"{i} {file} ['--set', 'a=1']\n" for i in range(1, shards + 1))
        self.assertEqual((end.stdout, end.returncode), (wanted, 4), end.stderr)

    def asked(self):
        return (self.folder / "log").read_text().split()

    def test_workers_of_this_machine_give_what_one_run_gives_and_a_second_time_runs_nothing(self):
        for _ in range(2):
            self.expect(self.cluster("x.yaml", None))
        self.assertEqual(sorted(self.asked(), key=int), [str(i) for i in range(1, 9)])

    def test_what_is_asked_of_the_result_is_asked_of_the_merge_and_of_no_shard(self):
        words = ["--json", "--html", "page.html", "--undecided=pass"]
        end = subprocess.run([*self.line("x.yaml", None, shards=1), *words], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(end.stdout, "1 x.yaml ['--set', 'a=1']\n" + "".join(f"{w}\n" for w in words), end.stderr)

    def test_a_worker_that_is_killed_and_one_that_joins_late_change_no_byte(self):
        _, address = self.scheduler()
        first = self.worker(address)
        with subprocess.Popen(
            self.line("x.yaml", address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder
        ) as run:
            self.assertIn("1 of 8 shards, 1 worker", run.stderr.readline())
            self.end(first)
            time.sleep(0.5)
            self.worker(address)
            output, errors = run.communicate(timeout=60)
        self.expect(subprocess.CompletedProcess([], run.returncode, output, errors))
        self.assertGreater(len(self.asked()), 8 - 1)
        self.assertEqual(set(self.asked()), {str(i) for i in range(1, 9)})

    def test_a_worker_with_another_build_is_refused_and_its_shards_go_to_others(self):
        _, address = self.scheduler()
        other = self.program("other", STAND_IN + "# another build\n")
        self.worker(address, KODAMA=str(other))
        alone = self.cluster("x.yaml", address, parts="alone")
        self.assertEqual(alone.returncode, 69)
        self.assertIn("other is another build", alone.stderr)
        self.assertIn("error: no worker has the build that asks", alone.stderr)
        self.assertFalse((self.folder / "log").exists())
        self.worker(address)
        time.sleep(3)
        end = self.cluster("x.yaml", address)
        self.expect(end)

    def test_a_scheduler_that_goes_away_ends_it_and_the_same_command_goes_on(self):
        scheduler, address = self.scheduler()
        self.worker(address)
        with subprocess.Popen(
            self.line("x.yaml", address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder
        ) as run:
            run.stderr.readline()
            self.end(scheduler)
            output, errors = run.communicate(timeout=120)
        self.assertEqual((run.returncode, output), (69, ""), errors)
        self.assertIn("the same command goes on from there", errors)
        done = len(list((self.folder / "parts").glob("shard-*.json")))
        self.assertGreater(done, 0)
        asked = len(self.asked())
        self.expect(self.cluster("x.yaml", None))
        self.assertEqual(len(self.asked()), asked + 8 - done)

    def test_a_kodama_that_dies_is_run_again_and_one_that_always_does_ends_it(self):
        self.expect(self.cluster("dies.yaml", None), "dies.yaml")
        always = self.cluster("always.yaml", None, parts="always")
        self.assertEqual((always.returncode, always.stdout), (69, ""))
        self.assertIn("kodama ended with -9", always.stderr)

    def test_what_cannot_be_run_is_refused_in_a_sentence(self):
        wrong = self.cluster("wrong.yaml", None)
        self.assertEqual((wrong.returncode, wrong.stdout), (65, ""))
        self.assertIn("error: wrong.yaml:3: no such key", wrong.stderr)
        nowhere = self.cluster("x.yaml", "tcp://127.0.0.1:1")
        self.assertEqual(nowhere.returncode, 69)
        self.assertIn("no scheduler answers at tcp://127.0.0.1:1", nowhere.stderr)
        for words, sentence in ((["--on", "ssh:x"], "write dask: and"), (["--shards", "0"], "at least 1")):
            end = subprocess.run([*self.line("x.yaml", None), *words], capture_output=True, text=True)
            self.assertEqual(end.returncode, 64)
            self.assertIn(sentence, end.stderr)


if __name__ == "__main__":
    unittest.main()
