"""Evaluates on the workers of a Dask cluster: Scripts/tune --on dask:ADDRESS."""

import sys
import uuid
import warnings
from pathlib import Path

import cloudpickle
import door
from distributed import fire_and_forget
from distributed.versions import VersionMismatchWarning
from door import Child, Refusal

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cluster.d"))
import cluster  # noqa: E402
from cluster import elsewhere  # noqa: E402

# Workers have these files only where they share a disk with whoever asks.
for module in (cluster, door, sys.modules[__name__]):
    cloudpickle.register_pickle_by_value(module)
# Optuna brings numpy, which workers need not have.
warnings.filterwarnings("ignore", category=VersionMismatchWarning)


def children():
    """On a worker: the kodamas that wait there for their next part, by key."""
    from distributed import get_worker

    return vars(get_worker()).setdefault("kodama_children", {})


def part(program, digest, folder, line, seeds, key, number):
    """On a worker: one part of an evaluation, with the child that waits there or with one that begins anew.

    Gives what came of it, the worker's address, and the answer or a sentence.
    """
    from distributed import get_worker

    here = get_worker().address
    program, other = elsewhere(program, digest)
    if other:
        return "refused", here, other
    child = children().pop(key, None)
    try:
        # The worker that ran the parts before may be gone, or busy.
        for _ in range(1 if child else number):
            child = child or Child([program, *line], seeds, folder)
            answer = child.answer()
    except OSError as error:
        return "refused", here, f"it cannot run in {folder}: {error.strerror}"
    if not child.process.stdin.closed:
        children()[key] = child
    return "done", here, answer


def drop(program, digest, folder, key):
    """On a worker: gives up what waits there of one evaluation, or of all whose key begins so."""
    waiting = children()
    for name in [name for name in waiting if name.startswith(key)]:
        waiting.pop(name).close()


class Workers:
    """A cluster that evaluates; each evaluation's child stays with one worker as long as that is there."""

    def __init__(self, address, kodama, say):
        try:
            self.client = cluster.connect(cluster.read_address(address))
        except cluster.Refusal as refusal:
            raise Refusal(str(refusal), refusal.status) from None
        self.cluster = cluster.Cluster(self.client, Path(kodama), say)
        self.run, self.children = str(uuid.uuid4()), []

    def begin(self, line, seeds):
        child = RemoteChild(self.cluster, line[1:], seeds, f"{self.run}-{len(self.children)}.")
        self.children.append(child)
        return child

    def end(self):
        """Ends what waits on workers for a next part; the child of a worker that is gone ends with it."""
        used = {child.worker for child in self.children}
        try:
            drops = [self.cluster.submit(drop, self.run, key="kodama-drop", near=w) for w in self.cluster.workers if w in used]
            for task in drops:
                task.result(timeout=10)
        except Exception as error:
            self.cluster.say(f"kodamas may wait on workers until those end: {type(error).__name__}")
        self.client.close()


class RemoteChild:
    """What `Child` is, on a worker."""

    def __init__(self, cluster, line, seeds, key):
        self.cluster, self.line, self.seeds, self.key = cluster, line, seeds, key
        self.number, self.worker = 0, None

    def answer(self):
        self.number += 1
        while True:
            kind, here, value = self.result()
            if kind == "done":
                self.worker = here
                return value
            self.cluster.refuse(here, value)

    def result(self):
        words = (self.line, self.seeds, self.key, self.number)
        try:
            return self.cluster.submit(part, *words, key="kodama-part", near=self.worker).result()
        except cluster.Refusal as refusal:
            raise Refusal(str(refusal), refusal.status) from None
        except Exception as error:
            raise Refusal(f"an evaluation is lost: {type(error).__name__}: {error}", 69) from None

    def close(self):
        """Gives up what is left to run."""
        fire_and_forget(self.cluster.submit(drop, self.key, key="kodama-drop", near=self.worker))
