"""Runs five scenarios, one of each system, with twenty draws of other seeds: no verdict may contradict another.

usage: reseed.py KODAMA [DRAWS]

A rule contradicts itself if it is kept over some seeds and broken, or without data, over others. What is undecided
contradicts nothing. Each draw has as many seeds as the scenario asks for, and none in common with another.
"""

import json
import subprocess
import sys

SCENARIOS = ["session/outages-drawn", "call/ring", "intercom/handover-cut", "replica/metro", "coach/personas"]
# Seeds of two draws are so far apart; no scenario has as many.
STRIDE = 10_000
KEPT, BROKEN = {"pass", "warn"}, {"fail", "no-data"}


def verdicts(kodama, scenario, draw):
    """The verdict of each rule over one draw of seeds."""
    command = [kodama, "run", f"Scenarios/{scenario}.yaml", "--json", "--quiet", "--first-seed", str(draw * STRIDE)]
    ended = subprocess.run(command, stdout=subprocess.PIPE)
    if ended.returncode not in (0, 1, 4):
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}")
    report = json.loads(ended.stdout)["scenarios"][0]
    found = {}
    for point in report["points"]:
        place = " ".join(f"{value['name']}={value['value']}" for value in point.get("values") or [])
        for number, gate in enumerate(point["gates"]):
            found[f"{gate['metric']} {gate['rule']}", number, place] = gate["verdict"]
        for invariant in point["invariants"]:
            found[f"{invariant['name']} always", 0, place] = invariant["verdict"]
        for trigger in point.get("triggers") or []:
            found[f"after {trigger['event']} of {trigger['component']}", trigger["line"], place] = trigger["verdict"]
    return found


def main():
    kodama, draws = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    torn = 0
    for scenario in SCENARIOS:
        runs = [verdicts(kodama, scenario, draw) for draw in range(1, draws + 1)]
        rules = sorted(set().union(*runs), key=str)
        wrong = []
        for rule in rules:
            said = [run.get(rule) for run in runs]
            kept, broken = sum(s in KEPT for s in said), sum(s in BROKEN for s in said)
            if kept and broken:
                name, _, place = rule
                draw = next(number for number, s in enumerate(said, 1) if s in BROKEN)
                at = f" at {place}" if place else ""
                wrong.append(f"  {name}{at}: kept {kept} times, broken {broken} times, first by --first-seed {draw * STRIDE}")
        open_ = sum(s == "undecided" for run in runs for s in run.values())
        print(f"{scenario}: {len(rules)} rules, {draws} draws, {open_} times undecided, {len(wrong)} contradict themselves")
        print("".join(f"{line}\n" for line in wrong), end="", flush=True)
        torn += len(wrong)
    verdict = "PASS" if not torn else "FAIL"
    print(f"{verdict}: {torn} rules of {len(SCENARIOS)} scenarios contradict themselves over {draws} draws")
    sys.exit(1 if torn else 0)


if __name__ == "__main__":
    main()
