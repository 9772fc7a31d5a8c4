"""Runs the shards of a 'kodama run' as tasks of Dask; Scripts/cluster starts it, and says what it does."""

import argparse
import hashlib
import logging
import os
import subprocess
import sys
import uuid
from pathlib import Path

from distributed import Client, LocalCluster, as_completed


class Refusal(Exception):
    """An end that the user can do something about: a sentence and an exit code."""

    def __init__(self, sentence, status=64):
        super().__init__(sentence)
        self.status = status


def elsewhere(program, digest):
    """On a worker: the program by its path there, and why it is not the one that asks; None if it is."""
    import hashlib
    import os
    from pathlib import Path

    program = os.environ.get("KODAMA", program)
    try:
        same = hashlib.sha256(Path(program).read_bytes()).hexdigest() == digest
    except OSError as error:
        return program, f"its {program} cannot be read: {error.strerror}"
    return program, None if same else f"its {program} is another build"


def shard(program, digest, folder, words, name):
    """On a worker: runs one shard. Gives what came of it, the worker's address, and the shard's bytes or a sentence.

    Imports what it needs itself, since it travels alone.
    """
    import subprocess
    import tempfile
    from pathlib import Path

    from distributed import get_worker

    here = get_worker().address
    program, other = elsewhere(program, digest)
    if other:
        return "refused", here, other
    with tempfile.TemporaryDirectory() as place:
        line = [program, "run", *words, "--shard", name, "--output", place, "--quiet", "--jobs", "1"]
        try:
            end = subprocess.run(line, cwd=folder, capture_output=True, text=True)
        except OSError as error:
            return "refused", here, f"it cannot run in {folder}: {error.strerror}"
        files = list(Path(place).glob("shard-*.json"))
        if end.returncode < 0:
            return "died", here, f"kodama ended with {end.returncode}"
        if len(files) != 1:
            return "failed", here, (end.returncode, end.stderr.strip().removeprefix("error: "))
        return "done", here, files[0].read_bytes()


# What a run's options say of its result is for 'kodama merge'; shards have none.
RESULT_FLAGS = ("--json", "--metrics", "--verbose", "-v")
RESULT_OPTIONS = ("--output", "-o", "--html", "--markdown", "--junit", "--github", "--undecided")


def divided(words):
    """The words for each shard, and those about the result."""
    shards, result, rest = [], [], iter(words)
    for word in rest:
        name, is_whole, _ = word.partition("=")
        if name in RESULT_OPTIONS:
            result += [word] if is_whole else [word, *([value] if (value := next(rest, None)) is not None else [])]
        else:
            (result if word in RESULT_FLAGS else shards).append(word)
    return shards, result


def read_arguments(words):
    parser = argparse.ArgumentParser(prog="Scripts/cluster", add_help=False, allow_abbrev=False)
    parser.add_argument("--on")
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--parts", type=Path, default=Path("parts"))
    parser.add_argument("--kodama", type=Path)
    arguments, others = parser.parse_known_args(words)
    arguments.words, arguments.result = divided(others)
    arguments.on = read_address(arguments.on)
    if arguments.shards < 1:
        raise Refusal(f"--shards {arguments.shards}: at least 1 is needed")
    return arguments


def read_address(text):
    """A scheduler's address as `--on` takes it; None without one."""
    if text is not None and not text.startswith("dask:"):
        raise Refusal(f"--on {text}: write dask: and a scheduler's address, such as dask:tcp://10.0.0.7:8786")
    return text and text.removeprefix("dask:")


def connect(address):
    if not address:
        # What workers say while they end is no news.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        cores = os.cpu_count()
        return Client(LocalCluster(cores, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL))
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise Refusal(f"no scheduler answers at {address}: {error}", 69) from None


class Cluster:
    """The workers that have the build that asks; others are found out by what they are given, and refused."""

    def __init__(self, client, kodama, say):
        self.client, self.say = client, say
        self.program = str(kodama.resolve())
        self.digest = hashlib.sha256(kodama.read_bytes()).hexdigest()
        self.refused = set()

    @property
    def workers(self):
        return list(self.client.scheduler_info(n_workers=-1)["workers"])

    def submit(self, function, *arguments, key, near=None):
        """Hands a task to a worker that is not refused, rather to `near` where that is there."""
        good = None
        if self.refused or near:
            good = [worker for worker in self.workers if worker not in self.refused]
            if not good:
                raise Refusal("no worker has the build that asks; install it there, or start them with KODAMA=its path", 69)
        is_near = near in (good or [])
        # A function of a module would travel by its name alone.
        return self.client.submit(
            lambda *words: function(*words), self.program, self.digest, os.getcwd(), *arguments,
            key=f"{key}-{uuid.uuid4()}", pure=False, workers=[near] if is_near else good, allow_other_workers=is_near,
        )

    def refuse(self, worker, why):
        if worker not in self.refused:
            self.refused.add(worker)
            self.say(f"worker {worker} is refused: {why}")


class Shards:
    """The shards of one run, each of which is somewhere in the cluster until its file is here."""

    # So many times in all kodama may die of one shard before it is the shard's fault.
    DEATHS = 3

    def __init__(self, cluster, arguments):
        self.cluster, self.arguments = cluster, arguments
        self.deaths = 0

    def file(self, index):
        return self.arguments.parts / f"shard-{index}-of-{self.arguments.shards}.json"

    def begin(self, index):
        name = f"{index}/{self.arguments.shards}"
        return self.cluster.submit(shard, self.arguments.words, name, key=f"kodama-shard-{index}")

    def run(self):
        say = self.cluster.say
        indices = range(1, self.arguments.shards + 1)
        futures = {self.begin(i): i for i in indices if not self.file(i).exists()}
        left, running = len(futures), as_completed(futures)
        for future in running:
            index = futures[future]
            kind, worker, value = self.result(future, index)
            if kind == "failed":
                raise Refusal(value[1] or f"shard {index} ended with {value[0]} on {worker}", value[0] or 69)
            if kind == "done":
                part = self.file(index).with_suffix(".part")
                part.write_bytes(value)
                part.replace(self.file(index))
                left -= 1
                count = len(self.cluster.workers)
                say(f"{len(indices) - left} of {len(indices)} shards, {count} worker{'' if count == 1 else 's'}")
                continue
            if kind == "refused":
                self.cluster.refuse(worker, value)
            if kind == "died":
                self.deaths += 1
                say(f"shard {index} is run again: {value} on {worker}")
                if self.deaths > self.DEATHS:
                    raise Refusal(f"{value} {self.deaths} times, the last time in shard {index}", 69)
            again = self.begin(index)
            futures[again] = index
            running.add(again)

    def result(self, future, index):
        try:
            return future.result()
        except Exception as error:
            raise Refusal(
                f"shard {index} is lost: {type(error).__name__}; what is done lies in {self.arguments.parts}, and the same "
                "command goes on from there", 69
            ) from None


def main():
    try:
        arguments = read_arguments(sys.argv[1:])
        arguments.parts.mkdir(parents=True, exist_ok=True)
        with connect(arguments.on) as client:
            cluster = Cluster(client, arguments.kodama, lambda text: print(text, file=sys.stderr, flush=True))
            shards = Shards(cluster, arguments)
            shards.run()
        files = [shards.file(i) for i in range(1, arguments.shards + 1)]
        sys.exit(subprocess.run([arguments.kodama, "merge", *files, *arguments.result]).returncode)
    except Refusal as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        sys.exit(refusal.status)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
