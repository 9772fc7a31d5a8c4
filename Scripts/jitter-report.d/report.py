"""Plays traces through our jitter buffer and speexdsp's and prints how they compare; see Scripts/jitter-report."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

KINDS = ["wifi", "p2p", "lte", "edge", "shift"]
STALLS = {"stall500": 80.5, "stall1000": 81.0}
AFTER = [3, 10, 20, 60]
# What the app asks of delay beyond what speexdsp finds, in ms, for the curve of concealment over delay; the
# library's default is 0.
MARGINS = [0, 10, 20, 40, 80, 160, 320]
DEFAULT_MARGIN = 0


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(command, **settings):
    end = subprocess.run(command, capture_output=True, text=True, **settings)
    if end.returncode != 0:
        sys.exit(f"error: {command[0]} ended with {end.returncode}: {end.stderr.strip()}")
    return end.stdout


def mean(rows):
    """The mean of each figure over rows; of none where any row has none."""
    return {key: None if any(row.get(key) is None for row in rows)
            else statistics.fmean(row[key] for row in rows) for key in rows[0]}


def ours(lab, files):
    traces = json.loads(run([lab, "jitter", "--json", *files]))["traces"]
    rows = []
    for trace in traces:
        row = {"delay": trace.get("meanDelayMilliseconds"), "concealed": trace["concealedPercent"],
               "discarded": trace["latePercent"], "changes": trace["changesPerMinute"]}
        for stall in trace["stalls"]:
            row["before"] = stall["delayBeforeMilliseconds"]
            row |= {seconds: stall.get(f"excessAfter{seconds}sMilliseconds") for seconds in AFTER}
        rows.append(row)
    return mean(rows)


def speexdsp(program, margin, files, stall_end=None):
    environment = os.environ | ({} if stall_end is None else {"STALL_END": str(stall_end)})
    rows = []
    for line in run([program, str(margin), *files], env=environment).splitlines():
        _, _, *figures = line.split(",")
        figures = [float(figure) if figure else None for figure in figures]
        row = dict(zip(["delay", "concealed", "discarded", "changes", "before", *AFTER], figures))
        rows.append(row)
    return mean(rows)


def at_concealment(curve, concealed):
    """The delay at which a buffer conceals so much, between the two margins around; None if it never does."""
    for more, less in zip(curve, curve[1:]):
        if more["concealed"] >= concealed >= less["concealed"]:
            span = more["concealed"] - less["concealed"]
            share = (more["concealed"] - concealed) / span if span > 0 else 0
            return more["delay"] + share * (less["delay"] - more["delay"])
    return curve[0]["delay"] if concealed > curve[0]["concealed"] else None


def measure(arguments):
    figures = {"networks": {}, "stalls": {}}
    for kind in KINDS:
        say(kind)
        files = sorted(str(path) for path in arguments.traces.glob(f"{kind}-*.csv"))
        mine = ours(arguments.lab, files)
        curve = [speexdsp(arguments.speexdsp, margin, files) for margin in MARGINS]
        figures["networks"][kind] = {
            "kodama": mine,
            "speexdsp": curve[MARGINS.index(DEFAULT_MARGIN)],
            "speexdsp_delay_at_our_concealment": at_concealment(curve, mine["concealed"]),
            "speexdsp_by_margin": dict(zip(map(str, MARGINS), curve)),
        }
    for kind, end in STALLS.items():
        say(kind)
        files = sorted(str(path) for path in arguments.traces.glob(f"{kind}-*.csv"))
        figures["stalls"][kind] = {
            "kodama": ours(arguments.lab, files),
            "speexdsp": speexdsp(arguments.speexdsp, DEFAULT_MARGIN, files, end),
        }
    return figures


def table(title, heads, body):
    widths = [max(len(row[place]) for row in [heads, *body]) for place in range(len(heads))]
    lines = ["", title, ""]
    for row in [heads, *body]:
        lines.append("  ".join(cell.ljust(width) if place < 2 else cell.rjust(width)
                               for place, (cell, width) in enumerate(zip(row, widths))).rstrip())
    return lines


def cell(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def text(figures):
    body = []
    for kind, row in figures["networks"].items():
        for name in ["kodama", "speexdsp"]:
            buffer = row[name]
            equal = row["speexdsp_delay_at_our_concealment"] if name == "speexdsp" else buffer["delay"]
            body.append([kind, name, cell(buffer["delay"], 1), cell(buffer["concealed"], 3),
                         cell(buffer["discarded"], 3), cell(buffer["changes"], 1), cell(equal, 1)])
    heads = ["network", "buffer", "delay ms", "concealed %", "discarded %", "changes/min",
             "delay ms at our concealment"]
    lines = table("Means over all seeds; delay above the fastest packet", heads, body)
    lines += ["", f"(- where speexdsp conceals more with every margin up to {MARGINS[-1]} ms)"]
    body = []
    for kind, row in figures["stalls"].items():
        for name, buffer in row.items():
            body.append([kind.removeprefix("stall") + " ms", name, cell(buffer["before"], 1)]
                        + [cell(buffer[seconds], 1) for seconds in AFTER])
    heads = ["lone stall", "buffer", "delay before ms"] + [f"+{seconds} s" for seconds in AFTER]
    lines += table("What a lone stall leaves of its delay, ms above the delay before", heads, body)
    return "\n".join(lines[1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", required=True)
    parser.add_argument("--speexdsp", required=True)
    parser.add_argument("--traces", required=True, type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(arguments)
    print(json.dumps(figures, indent=1) if arguments.json else text(figures))


if __name__ == "__main__":
    main()
