"""Tunes parameters of a scenario by two figures or more at once; Scripts/tune starts it, and says what it does."""

import argparse
import json
import math
import os
import subprocess
import sys
import warnings
from pathlib import Path

from door import Door, Objective, Refusal
from report import Report, chosen
from search import BATCH, Search

# Of a whole grid, the part whose runs are spent unless --runs says otherwise.
USUAL_SHARE = 4
# A search of fewer settings learns nothing.
USUAL_LEAST = 24
GRID_MOST = 10_000


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refusal(f"{message}; see --help")


def read_arguments(words):
    parser = Parser(prog="Scripts/tune", add_help=False, allow_abbrev=False)
    parser.add_argument("file")
    parser.add_argument("--vary", action="append", default=[])
    parser.add_argument("--minimize", action="append", default=[])
    parser.add_argument("--maximize", action="append", default=[])
    parser.add_argument("--keep-gates", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--sampler", choices=("tpe", "gp", "grid"), default="tpe")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--tuner-seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--on")
    parser.add_argument("--output", default="tuned")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--kodama")
    arguments = parser.parse_args(words)
    for name in ("seeds", "runs", "workers"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise Refusal(f"--{name} {value}: at least 1 is needed")
    if not arguments.vary:
        raise Refusal("name what is varied, such as --vary session.retry_timeout=2s..10s")
    texts = [(t, False) for t in arguments.minimize] + [(t, True) for t in arguments.maximize]
    if not texts:
        raise Refusal("name what is weighed, such as --minimize session.recovery.time:p95")
    for text, _ in texts:
        if ":" not in text:
            raise Refusal(f"{text}: write a metric and a figure of it, such as {text}:p95")
        if [t for t, _ in texts].count(text) > 1:
            raise Refusal(f"{text} is given twice; two objectives are two figures")
    arguments.objectives = [Objective(*text.rsplit(":", 1), is_maximized) for text, is_maximized in texts]
    return arguments


def write_whole(files):
    """Writes all files or none: each beside its place first."""
    try:
        for path, text in files:
            path.with_suffix(path.suffix + ".part").write_text(text)
        for path, _ in files:
            os.replace(path.with_suffix(path.suffix + ".part"), path)
    except OSError as error:
        raise Refusal(f"cannot write into {files[0][0].parent}: {error.strerror}", 73) from None


def tune(arguments):
    fixed = [name.split("=", 1)[0] for name in arguments.set]
    for text in arguments.vary:
        if text.partition("=")[0] in fixed:
            raise Refusal(f"--vary {text}: the parameter is set as well; leave one out")
    door = Door(arguments.kodama, arguments.file, arguments.set, arguments.only, arguments.objectives, arguments.seeds)
    parameters = door.parameters(arguments.vary)
    total = math.prod(len(p.values) for p in parameters)
    if arguments.sampler == "grid" and total > GRID_MOST:
        raise Refusal(f"--sampler grid: {total} settings are too many; write fewer values behind '/', or leave it out")
    if os.environ.get("KODAMA_TUNE_ONLY_READS"):
        return 0
    folder = Path(arguments.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"cannot write into {folder}: {error.strerror}", 73) from None
    # Takes a second, which a refusal need not wait for.
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", module="optuna")

    def say(text):
        if not arguments.quiet:
            print(text, file=sys.stderr)

    if arguments.on is not None:
        # Only there is Dask installed.
        from remote import Workers

        door.cluster = Workers(arguments.on, arguments.kodama, say)
    # Here a worker is a core; on a cluster it only waits for one.
    workers = arguments.workers or (BATCH if door.cluster else os.cpu_count())
    search = Search(door, parameters, arguments.objectives, arguments.keep_gates, workers, say)
    usual = max(total // USUAL_SHARE, USUAL_LEAST) * door.seeds
    budget = arguments.runs or usual
    try:
        search.baseline()
        least = search.slice_cost + search.runs + door.seeds
        if arguments.sampler != "grid" and budget < least:
            raise Refusal(f"--runs {budget}: too few; one setting beside the file's own, and the slices, take {least}")
        search.search(optuna, arguments.sampler, arguments.tuner_seed, budget - search.slice_cost)
        base = chosen(search, search.front())
        slices = search.slices(base) if base else {}
        door.check()
    finally:
        door.end()
    version = subprocess.run([door.kodama, "--version"], capture_output=True, text=True).stdout.strip()
    question = {
        "program": f"kodama {version}, Optuna {optuna.__version__}",
        "scenario": door.scenario,
        "file": arguments.file,
        "vary": arguments.vary,
        "set": arguments.set,
        "only": arguments.only,
        "keepsGates": arguments.keep_gates,
        "seeds": door.seeds,
        "sampler": arguments.sampler,
        "tunerSeed": arguments.tuner_seed,
        "runsAllowed": None if arguments.sampler == "grid" else budget,
    }
    report = Report(search, question, base, slices, search.importance(optuna))
    value, front = report.json(), report.front
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    presets = [report.preset(place) for place in range(len(front))]
    files = [("tune.json", text), ("tune.html", report.page(value)), *presets]
    write_whole([(folder / name, content) for name, content in files])
    for old in folder.glob("preset-*.yaml"):
        # What a front before left; any other file of such a name is the user's.
        if old.name not in dict(presets) and "\nx-tuned:\n" in old.read_text(errors="replace"):
            old.unlink()
    if arguments.json:
        sys.stdout.write(text)
    else:
        print(report.table())
        print("\n".join(["", *value["sentences"]]).rstrip())
        print(f"\n{len(front)} on the front of {len(search.by_point)} of {total} settings, {search.runs} runs;", end=" ")
        print(f"{folder}/tune.html shows it" + (", preset-N.yaml takes it over" if front else ""))
    return 0 if front else 1


def main():
    try:
        sys.exit(tune(read_arguments(sys.argv[1:])))
    except Refusal as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        sys.exit(refusal.status)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
