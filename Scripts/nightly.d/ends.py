#!/usr/bin/env python3
"""Runs scenarios with each parameter at each end of its range, and sees that each run ends as a run does.

Usage: ends.py KODAMA [SCENARIO ...]. Exit code 1: a run that crashed, hung, or ended with a code outside the table.
"""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = [
    "intercom/handover-cut", "intercom/invites", "intercom/local-clean-sized", "session/conversation",
    "session/random-faults", "call/ring", "call/during-session", "replica/two-devices", "coach/agent",
]
GUARD_SECONDS = 120
# A run that was judged or explored, a setting that the scenario has no use for, and one that it cannot be run with.
ENDS = {0: "ran", 1: "missed", 4: "undecided", 64: "no use", 65: "refused"}


def ends(parameter):
    """The values at the ends of a range; every one where they are listed."""
    text = parameter["range"]
    if " to " in text:
        return text.split(" to ")
    return [word.strip() for word in re.split(r",| or ", text) if word.strip()]


def run(program, scenario, name, value):
    """How one run ended, and its last words."""
    command = [program, "run", f"Scenarios/{scenario}.yaml", "--seed", "1", "--jobs", "1", "--explore", "--synthetic",
               "--set", f"{name}={value}"]
    try:
        end = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=GUARD_SECONDS)
    except subprocess.TimeoutExpired:
        return "hang", ""
    return ENDS.get(end.returncode, f"ended with {end.returncode}"), end.stderr[-400:]


def main():
    program = Path(sys.argv[1]).resolve()
    scenarios = sys.argv[2:] or SCENARIOS
    listed = subprocess.run([program, "list", "parameters", "--json"], check=True, capture_output=True, text=True)
    settings = [
        (scenario, parameter["name"], value)
        for parameter in json.loads(listed.stdout)["rows"] for value in ends(parameter) for scenario in scenarios
    ]
    begin, counts, findings = time.monotonic(), Counter(), []
    with ThreadPoolExecutor(2) as pool:
        for setting, (end, words) in zip(settings, pool.map(lambda one: run(program, *one), settings)):
            counts[end] += 1
            if end not in ENDS.values():
                findings.append(setting)
                scenario, name, value = setting
                print(f"{scenario} --set {name}={value}: {end}\n{words}", flush=True)
    seconds = time.monotonic() - begin
    told = ", ".join(f"{count} {end}" for end, count in counts.most_common())
    found = f"{len(findings)} findings" if findings else "nothing found"
    print(f"{len(settings)} settings in {seconds:.0f} s: {told}: {found}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
