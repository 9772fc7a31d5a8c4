"""Prints medians of our results, beside other programs' if given. Called by Scripts/bench."""

import statistics
import sys
from typing import NamedTuple


class Result(NamedTuple):
    name: str
    workload: str
    size: int
    rate: float
    peak: float
    checksum: str


def ours(line: str) -> Result:
    name, workload, size, _, _, rate, peak, checksum = line.split("\t")
    return Result(name, workload, int(size), float(rate), float(peak), checksum)


def peer(line: str) -> Result:
    _, name, workload, size, rate, peak, checksum = line.split("\t")
    return Result(name, workload, int(size), float(rate), float(peak), checksum)


def read(path: str, parse) -> list[Result]:
    with open(path, encoding="utf-8") as lines:
        try:
            return [parse(line.strip()) for line in lines]
        except ValueError as error:
            print(f"bench: {path} is not a table of results: {error}", file=sys.stderr)
            sys.exit(65)


def heading(workload: str, size: int) -> str:
    if workload.startswith("packet"):
        return f"{workload}, {size:,} simulated seconds, packets a second"
    return f"{workload}, {size:,} pending, events a second"


def limit(rows: dict[str, list[Result]]) -> float | None:
    """The best median of the hand-written C++ programs; the floor has no queue at all."""
    medians = [
        statistics.median(result.rate for result in results)
        for name, results in rows.items()
        if name.startswith("cpp-") and name != "cpp-floor"
    ]
    return max(medians, default=None)


def table(rows: dict[str, list[Result]]) -> None:
    best = limit(rows)
    our_checksums = {result.checksum for result in rows.get("kodama", [])}
    medians = {
        name: statistics.median(result.rate for result in results)
        for name, results in rows.items()
    }
    for name in sorted(rows, key=lambda name: -medians[name]):
        rates = [result.rate for result in rows[name]]
        checksums = {result.checksum for result in rows[name]}
        cells = [f"{name:24}", f"{medians[name]:14,.0f}"]
        if best:
            cells.append(f"{medians[name] / best:8.3f}")
        cells.append(f"{min(rates):14,.0f} .. {max(rates):<14,.0f}")
        cells.append(f"{statistics.median(result.peak for result in rows[name]):8.1f} MiB")
        cells.append(checksums.pop() if len(checksums) == 1 else "differs from run to run")
        if name != "kodama":
            cells.append("=" if {rows[name][0].checksum} == our_checksums else "")
        print("  ".join(cells).rstrip())


def main() -> None:
    results = read(sys.argv[1], ours)
    for path in sys.argv[2:]:
        results += read(path, peer)
    groups: dict[tuple[str, int], dict[str, list[Result]]] = {}
    for result in results:
        group = groups.setdefault((result.workload, result.size), {})
        group.setdefault(result.name, []).append(result)
    order = ["hold-exp", "hold-ties", "cancel", "packet", "packet-network"]
    known = [key for key in groups if key[0] in order and "kodama" in groups[key]]
    for key in sorted(known, key=lambda key: (order.index(key[0]), key[1])):
        print(f"\n{heading(*key)}")
        table(groups[key])


if __name__ == "__main__":
    main()
