"""The genuine replica client (PyPI libsql) against a primary of ours, fault by fault.

    python -m genuine.replica [FAULT…]

Prints a row per fault and mode: what opening, syncing, reading and writing did under the fault, and whether the row
that had been written before it and the one written under it are at the primary once the fault is over.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from .primary import Fault, Primary

HANG_S = 4.0
LIMIT_S = 12.0
TOKEN = "first"


def serve_client(pipe: Connection) -> None:
    """Runs libSQL in a process of its own: a call of it holds up the whole process."""
    import libsql

    os.dup2(2, 1)  # The library writes to standard output, which is the results' place.
    handle: Any = None
    while True:
        call, argument = pipe.recv()
        begin = time.monotonic()
        try:
            value = None
            if call == "open":
                handle = libsql.connect(**argument)
            elif call == "rows":
                value = [row[0] for row in handle.execute("SELECT text FROM notes ORDER BY id").fetchall()]
            elif call == "write":
                handle.execute("INSERT INTO notes (text) VALUES (?)", (argument,))
                handle.commit()
            else:
                getattr(handle, call)()
            pipe.send((True, value, time.monotonic() - begin))
        except BaseException as error:  # A panic of the library is none of Python's exceptions.
            pipe.send((False, str(error), time.monotonic() - begin))


class Client:
    """The client in its process."""

    def __init__(self, path: Path, url: str, offline: bool, token: str) -> None:
        self._pipe, other = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=serve_client, args=(other,), daemon=True)
        self._process.start()
        other.close()
        self._open = {"database": str(path), "sync_url": url, "auth_token": token, "offline": offline}

    def begin(self, call: str, argument: Any = None) -> None:
        self._pipe.send((call, self._open if call == "open" else argument))

    def ask(self, call: str, argument: Any = None) -> tuple[bool, Any, float]:
        self.begin(call, argument)
        try:
            if self._pipe.poll(LIMIT_S):
                return self._pipe.recv()
        except EOFError:
            return False, "the process died", 0
        return False, f"no answer within {LIMIT_S:.0f} s", LIMIT_S

    def end(self) -> None:
        if self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()


class Trial:
    """One fault in one mode: a primary, a replica's file, and what the client did."""

    def __init__(self, folder: Path, offline: bool) -> None:
        self.file = folder / "replica.db"
        self.primary = Primary(folder / "primary.db", TOKEN)
        self.primary.store.execute("INSERT INTO notes (text) VALUES ('theirs')")
        self.offline = offline
        self.token = TOKEN
        self.steps: list[str] = []
        self.client = self.new_client()

    def new_client(self) -> Client:
        return Client(self.file, self.primary.url, self.offline, self.token)

    def step(self, call: str, argument: Any = None) -> bool:
        fine, value, seconds = self.client.ask(call, argument)
        slow = f" {seconds:.1f} s" if seconds >= 0.2 else ""
        detail = ", ".join(value or ()) if fine else str(value).replace("\n", " ").split("sync error: ")[-1].strip("`")[:70]
        self.steps.append(f"{call} {'ok' if fine else 'fails'}{slow}{f' ({detail})' if detail else ''}")
        return fine


@dataclass(frozen=True)
class Case:
    """A fault: done before the first opening, to a running client, or between two launches."""

    name: str
    when: str
    do: Callable[[Trial], Any]
    offline_only: bool = False


def answers(path: str, **what: Any) -> Callable[[Trial], Any]:
    return lambda trial: trial.primary.faults.append(Fault(path, **what))


def overwrite(suffix: str, begin: int, length: int) -> Callable[[Trial], Any]:
    def do(trial: Trial) -> None:
        path = Path(f"{trial.file}{suffix}")
        data = bytearray(path.read_bytes())
        data[begin:begin + length] = bytes(len(data[begin:begin + length]))
        path.write_bytes(data)
    return do


def remove(suffix: str) -> Callable[[Trial], Any]:
    return lambda trial: Path(f"{trial.file}{suffix}").unlink()


def refuse(trial: Trial) -> None:
    trial.primary.stop()


def rotate(trial: Trial) -> None:
    trial.primary.token = trial.token = "second"


def conflict(trial: Trial) -> None:
    trial.primary.store.execute("INSERT INTO notes (text) VALUES ('rival')")


CASES = (
    Case("first open: 401", "first", answers("/info", status=401)),
    Case("first open: 503", "first", answers("/info", status=503)),
    Case("first open: 404", "first", answers("/info", status=404)),
    Case("first open: refused", "first", refuse),
    Case("first open: export cut", "first", answers("/export", cut=True)),
    Case("later: 401", "later", answers("/", status=401)),
    Case("later: 503", "later", answers("/", status=503)),
    Case("later: refused", "later", refuse),
    Case(f"later: hangs {HANG_S:.0f} s", "later", answers("/", hang_s=HANG_S, times=1)),
    Case("later: next generation", "later", lambda trial: trial.primary.store.next_generation()),
    Case("later: token rotated", "later", rotate),
    Case("push taken, answer lost", "later", answers("/sync", lost=True, method="POST", times=1), offline_only=True),
    Case("push meets another's row", "later", conflict, offline_only=True),
    Case("reopened: refused", "reopen", refuse),
    Case("reopened: -info removed", "reopen", remove("-info")),
    Case("reopened: file removed", "reopen", remove("")),
    Case("reopened: -info overwritten", "reopen", overwrite("-info", 0, 12)),
    Case("reopened: file's header zeroed", "reopen", overwrite("", 0, 100)),
    Case("reopened: file cut", "reopen", lambda trial: os.truncate(trial.file, 2_000)),
    Case("reopened: log's header zeroed", "reopen", overwrite("-wal", 0, 32)),
    Case("killed while it pushes", "killed", answers("/sync", hang_s=HANG_S, method="POST", times=1), offline_only=True),
)


def run(case: Case, offline: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(Path(name), offline)
        if case.when == "first":
            case.do(trial)
            trial.step("open")
            trial.steps.append("file left" if trial.file.exists() else "no file left")
        else:
            # What comes before every fault: a copy, and a row that offline mode has not sent yet.
            for call in (("open", None), ("sync", None), ("write", "before")):
                trial.client.ask(*call)
            if case.when == "killed":
                case.do(trial)
                trial.client.begin("sync")
                time.sleep(HANG_S / 2)
            is_open = case.when == "later"
            if not is_open:
                trial.client.end()
            if case.when != "killed":
                case.do(trial)
            if not is_open:
                trial.client = trial.new_client()
                is_open = trial.step("open")
            for call in (("sync", None), ("rows", None), ("write", "under"), ("rows", None)) if is_open else ():
                trial.step(*call)
        kept = heal(trial, case)
        trial.client.end()
        trial.primary.stop()
        return {"fault": case.name, "offline": offline, "steps": trial.steps, "kept": kept}


def heal(trial: Trial, case: Case) -> str:
    """The fault is over: what of the client's own rows is at the primary, after a rollback and by a new launch."""
    trial.primary.faults.clear()
    if trial.primary.is_stopped:
        trial.primary.serve()
    for launch in ("", " by the next launch"):
        if launch:
            trial.client.end()
            trial.client = trial.new_client()
            trial.client.ask("open")
        trial.client.ask("rollback")
        trial.client.ask("sync")
        rows = [row[0] for row in trial.primary.store.execute("SELECT text FROM notes ORDER BY id")]
        if case.when == "first":
            continue
        found = [row for row in rows if row in ("before", "under")]
        if "before" in found and (launch or "under" in found):
            return ", ".join(found) + launch
    return ", ".join(rows) if case.when == "first" else ", ".join(found) or "neither"


def main() -> None:
    multiprocessing.set_start_method("spawn")
    cases = [case for case in CASES if not sys.argv[1:] or any(case.name.startswith(a) for a in sys.argv[1:])]
    print(json.dumps({"libsql": version("libsql")}))
    for case in cases:
        for offline in (True,) if case.offline_only else (False, True):
            print(json.dumps(run(case, offline)), flush=True)


if __name__ == "__main__":
    main()
