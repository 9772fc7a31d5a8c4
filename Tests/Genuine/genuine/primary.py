"""A primary for libSQL's embedded replicas: the five paths of its HTTP protocol, served out of a real SQLite file.

GET /info, GET /export/GENERATION, GET and POST /sync/GENERATION/FROM/TO, POST /v3/pipeline
(tursodatabase/libsql, libsql/src/sync.rs and libsql/src/hrana/proto.rs). Faults are set per path.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGE = 4_096
FRAME = 24 + PAGE
"""A frame as it travels: page number and size after commit, 4 bytes each, 16 more, the page."""


@dataclass
class Fault:
    """What happens to requests for paths that begin so: a status, a wait, or an answer that is cut or lost."""

    path: str
    status: int = 0
    hang_s: float = 0
    cut: bool = False
    lost: bool = False
    method: str = ""
    times: int = 1_000_000


class Store:
    """The database: the file of the generation's beginning, and the frames since."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.generation = 1
        self.frames: list[bytes] = []
        self.lock = threading.RLock()
        with self.connection() as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
        database.close()
        self.base = path.read_bytes()

    def connection(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)

    def execute(self, sql: str, *values: Any) -> list[Any]:
        """Runs a statement of the primary's own, and keeps the pages that it changed as frames."""
        with self.lock:
            database = self.connection()
            try:
                return database.execute(sql, values).fetchall()
            finally:
                database.close()
                self.keep_changes()

    def keep_changes(self) -> None:
        """The last connection's end has brought the log into the file; pages that differ become frames."""
        with self.lock:
            now, known = self.path.read_bytes(), self.whole()
            changed = [i for i in range(len(now) // PAGE)
                       if now[i * PAGE:(i + 1) * PAGE] != known[i * PAGE:(i + 1) * PAGE]]
            for index in changed:
                size = len(now) // PAGE if index == changed[-1] else 0
                head = (index + 1).to_bytes(4, "big") + size.to_bytes(4, "big") + bytes(16)
                self.frames.append(head + now[index * PAGE:(index + 1) * PAGE])

    def whole(self) -> bytes:
        """The file as base and frames make it."""
        pages = bytearray(self.base)
        for frame in self.frames:
            begin = (int.from_bytes(frame[:4], "big") - 1) * PAGE
            pages[begin:begin + PAGE] = frame[24:]
        return bytes(pages)

    def push(self, first: int, body: bytes) -> dict[str, Any]:
        """Takes a client's frames; those that are here already count as taken, others as a conflict."""
        with self.lock:
            new = [body[i:i + FRAME] for i in range(0, len(body), FRAME)]
            count = len(self.frames)
            overlap = self.frames[first - 1:first - 1 + len(new)]
            if first > count + 1:
                return {"status": "ok", "generation": self.generation, "max_frame_no": count}
            if any(a[:8] + a[24:] != b[:8] + b[24:] for a, b in zip(overlap, new)):
                return {"status": "conflict", "generation": self.generation, "max_frame_no": count}
            self.frames += new[len(overlap):]
            self.path.write_bytes(self.whole())
            return {"status": "ok", "generation": self.generation, "max_frame_no": max(count, first - 1 + len(new))}

    def next_generation(self) -> None:
        with self.lock:
            self.base, self.frames = self.whole(), []
            self.generation += 1


def cell(value: Any) -> dict[str, Any]:
    if value is None:
        return {"type": "null"}
    kinds = {int: "integer", float: "float", str: "text"}
    return {"type": kinds[type(value)], "value": str(value) if isinstance(value, int) else value}


def argument(value: dict[str, Any]) -> Any:
    return {"integer": int, "float": float, "text": str, "null": lambda _: None}[value["type"]](value.get("value"))


class Pipelines:
    """Statements that clients run at the primary, each stream in a connection of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._streams: dict[str, sqlite3.Connection] = {}

    def run(self, message: dict[str, Any]) -> dict[str, Any]:
        baton = message.get("baton") or f"b{time.monotonic_ns()}"
        database = self._streams.pop(baton, None) or self._store.connection()
        results = [self._one(database, request) for request in message["requests"]]
        if any(r["type"] == "close" for r in message["requests"]):
            database.close()
            self._store.keep_changes()
            return {"baton": None, "base_url": None, "results": results}
        self._streams[baton] = database
        return {"baton": baton, "base_url": None, "results": results}

    def _one(self, database: sqlite3.Connection, request: dict[str, Any]) -> dict[str, Any]:
        kind = request["type"]
        response: dict[str, Any] = {"type": kind}
        try:
            if kind == "get_autocommit":
                response["is_autocommit"] = not database.in_transaction
            elif kind == "describe":
                response["result"] = {"params": [], "cols": [], "is_explain": False,
                                      "is_readonly": request["sql"].lstrip().upper().startswith("SELECT")}
            elif kind == "batch":
                results = [self._execute(database, step["stmt"]) for step in request["batch"]["steps"]]
                response["result"] = {"step_results": results, "step_errors": [None] * len(results)}
        except sqlite3.Error as error:
            return {"type": "error", "error": {"message": str(error), "code": "SQLITE_ERROR"}}
        return {"type": "ok", "response": response}

    def _execute(self, database: sqlite3.Connection, statement: dict[str, Any]) -> dict[str, Any]:
        cursor = database.execute(statement["sql"], [argument(a) for a in statement.get("args", [])])
        rows = [[cell(v) for v in row] for row in cursor.fetchall()]
        columns = [{"name": c[0], "decltype": None} for c in cursor.description or ()]
        return {"cols": columns, "rows": rows, "affected_row_count": max(cursor.rowcount, 0),
                "last_insert_rowid": str(cursor.lastrowid or 0)}


class Primary:
    """The server on loopback; `faults` says what goes wrong."""

    def __init__(self, path: Path, token: str) -> None:
        self.store = Store(path)
        self.token = token
        self.faults: list[Fault] = []
        self._pipelines = Pipelines(self.store)
        primary = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # Head and body in one segment: two would wait for a delayed acknowledgement.

            def log_message(self, *_: Any) -> None: ...

            def do_GET(self) -> None:
                self._answer(b"")

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def _answer(self, body: bytes) -> None:
                if primary.is_stopped:
                    self.close_connection = True
                    return
                fault = primary.fault(self.command, self.path)
                time.sleep(fault.hang_s)
                status, answer = fault.status, b"fault"
                if not status:
                    known = self.headers.get("Authorization") == f"Bearer {primary.token}"
                    status, answer = primary.answer(self.command, self.path, body) if known else (401, b"no")
                if fault.lost:
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer[:len(answer) // 2] if fault.cut else answer)
                self.wfile.flush()
                self.close_connection = fault.cut

        self._handler = Handler
        self._port = 0
        self.serve()
        self.url = f"http://127.0.0.1:{self._port}"

    def serve(self) -> None:
        """Listens, at the same port each time."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler)
        self._server.daemon_threads = True
        self._port = self._server.server_port
        self.is_stopped = False
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """From now on connections are refused; those that are open die with their next request."""
        self.is_stopped = True
        self._server.shutdown()
        self._server.server_close()

    def fault(self, method: str, path: str) -> Fault:
        for fault in self.faults:
            if path.startswith(fault.path) and method.startswith(fault.method) and fault.times > 0:
                fault.times -= 1
                return fault
        return Fault("")

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        store, parts = self.store, path.strip("/").split("/")
        if parts[0] == "info":
            return 200, json.dumps({"current_generation": store.generation}).encode()
        if parts[0] == "export":
            return 200, store.base
        if parts[0] == "sync":
            return self._sync(method, int(parts[1]), int(parts[2]), int(parts[3]), body)
        if path == "/v3/pipeline":
            return 200, json.dumps(self._pipelines.run(json.loads(body))).encode()
        return 404, b"not found"

    def _sync(self, method: str, generation: int, first: int, end: int, body: bytes) -> tuple[int, bytes]:
        store = self.store
        if method == "POST":
            return 200, json.dumps(store.push(first, body)).encode()
        frames = store.frames[first - 1:end - 1] if generation == store.generation else []
        if not frames:
            return 400, json.dumps({"generation": store.generation}).encode()
        return 200, b"".join(frames)
