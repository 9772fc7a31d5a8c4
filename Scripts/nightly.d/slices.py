"""Reads exported traces by SQL and holds what they say against the report of the same run.

The tables are those of Perfetto's trace processor, and so are the queries. The trace processor reads the file
itself where its program can be had: PyPI's `perfetto` fetches it, or TRACE_PROCESSOR names it. Where neither is
so, SQLite does, from tables that are filled here by the rules of the Trace Event Format; which of the two it was
is said.

usage: slices.py TRACE.json REPORT.json
"""

import json
import os
import sqlite3
import sys

# Two slices of one track that overlap by more than rounding to whole nanoseconds.
OVERLAPS = """
    select count(*) as n from slice one join slice other
    on one.track_id = other.track_id and one.id < other.id
    where one.ts < other.ts + other.dur - 1 and other.ts < one.ts + one.dur - 1
"""

# How long room objects took to connect: the metric session.room.connect.time.
CONNECTS = """
    select slice.dur as ns from slice
    join thread_track on thread_track.id = slice.track_id
    join thread using (utid)
    where thread.name = 'attempts' and slice.name = 'connect' order by slice.dur
"""

# How many datagrams phones handed to the network, and how many of them it dropped: samples and value of the
# metric voice.packets.dropped.
PACKETS = """
    select cast(total(counter.value) as int) as n from counter
    join process_counter_track on process_counter_track.id = counter.track_id
    where process_counter_track.name like 'packets {}%'
"""


def by_trace_processor(path):
    """The trace processor's answers to queries, or None where there is no trace processor."""
    try:
        from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
    except ImportError:
        return None
    config = TraceProcessorConfig(bin_path=os.environ.get("TRACE_PROCESSOR"))
    try:
        processor = TraceProcessor(trace=path, config=config)
    except Exception as error:  # Whatever keeps it from being fetched or started.
        print(f"no trace processor: {str(error)[:120]}", file=sys.stderr)
        return None
    return lambda query: [row.__dict__ for row in processor.query(query)]


def by_sqlite(path):
    """SQLite's answers to the same queries."""
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    base.executescript(
        """
        create table process (upid integer primary key, pid int, name text);
        create table thread (utid integer primary key, tid int, upid int, name text);
        create table thread_track (id integer primary key, utid int);
        create table process_counter_track (id integer primary key, upid int, name text);
        create table slice (id integer primary key, track_id int, ts int, dur int, name text);
        create table counter (id integer primary key, track_id int, ts int, value real);
        """
    )
    processes, threads, counters = {}, {}, {}

    def process(event):
        pid = event["pid"]
        if pid not in processes:
            processes[pid] = len(processes) + 1
            base.execute("insert into process values (?, ?, null)", (processes[pid], pid))
        return processes[pid]

    def thread(event):
        key = (event["pid"], event["tid"])
        if key not in threads:
            threads[key] = len(threads) + 1
            row = (threads[key], event["tid"], process(event))
            base.execute("insert into thread values (?, ?, ?, null)", row)
            base.execute("insert into thread_track values (?, ?)", (threads[key], threads[key]))
        return threads[key]

    def nanoseconds(microseconds):
        return round(microseconds * 1000)

    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    for event in events:
        if event["name"] == "process_name" and event["ph"] == "M":
            row = (event["args"]["name"], process(event))
            base.execute("update process set name = ? where upid = ?", row)
        elif event["ph"] == "M":
            row = (event["args"]["name"], thread(event))
            base.execute("update thread set name = ? where utid = ?", row)
        elif event["ph"] in "Xi":
            lasting = nanoseconds(event.get("dur", 0))
            row = (thread(event), nanoseconds(event["ts"]), lasting, event["name"])
            base.execute("insert into slice (track_id, ts, dur, name) values (?, ?, ?, ?)", row)
        elif event["ph"] == "C":
            for series, value in event["args"].items():
                # The trace processor's name of a counter is the event's, with the series behind it.
                key = (event["pid"], f"{event['name']} {series}")
                if key not in counters:
                    counters[key] = 1_000_000 + len(counters)
                    row = (counters[key], process(event), event["name"])
                    base.execute("insert into process_counter_track values (?, ?, ?)", row)
                row = (counters[key], nanoseconds(event["ts"]), value)
                base.execute("insert into counter (track_id, ts, value) values (?, ?, ?)", row)
    return lambda query: [dict(row) for row in base.execute(query)]


def main():
    trace, report = sys.argv[1:]
    ask = by_trace_processor(trace)
    reader = "trace processor" if ask else "SQLite"
    ask = ask or by_sqlite(trace)
    with open(report, encoding="utf-8") as file:
        metrics = json.load(file)["scenarios"][0]["points"][0]["metrics"]
    known = {metric["name"]: metric for metric in metrics}
    wrong = []
    overlaps = ask(OVERLAPS)[0]["n"]
    if overlaps:
        wrong.append(f"{overlaps} slices overlap")
    compared = 0
    connects = [row["ns"] for row in ask(CONNECTS)]
    ours = known.get("session.room.connect.time")
    if ours or connects:
        compared += 1
        theirs = {"samples": len(connects), "max": max(connects, default=None)}
        mine = {"samples": ours["samples"], "max": ours["figures"]["max"]} if ours else None
        # The format counts in microseconds, with decimals.
        if not mine or mine["samples"] != theirs["samples"] or abs(mine["max"] - theirs["max"]) > 1:
            wrong.append(f"session.room.connect.time is {mine}, by SQL {theirs}")
    sent, dropped = (ask(PACKETS.format(word))[0]["n"] for word in ("sent", "dropped"))
    ours = known.get("voice.packets.dropped")
    if ours or sent:
        compared += 1
        mine = (ours["samples"], ours["value"]) if ours else None
        if mine != (sent, dropped):
            wrong.append(f"voice.packets.dropped is {mine}, by SQL {(sent, dropped)}")
    if not compared:
        wrong.append("nothing was compared")
    figures = "1 figure" if compared == 1 else f"{compared} figures"
    print(f"{'FAIL' if wrong else 'pass'}  {trace}  by {reader}, {figures} compared")
    for line in wrong:
        print(f"      {line}")
    sys.exit(1 if wrong else 0)


main()
