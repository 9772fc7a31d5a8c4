"""Holds the streams that tshark finds in a capture, without any flag, against those of kodama."""

import json
import subprocess
import sys

# Jitter may differ by this much (ms): tshark counts in doubles, kodama in whole nanoseconds.
JITTER_DIFFERENCE_MAX = 0.01


def tshark_streams(capture):
    """Packets, loss and jitter of each stream, in the order of their first packets."""
    text = subprocess.run(
        ["tshark", "-r", capture, "-q", "-z", "rtp,streams"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    streams = []
    for line in text.splitlines():
        words = line.split()
        # Start, end, source and port, destination and port, SSRC, payload, packets, lost, (share),
        # three deltas and three jitters.
        if len(words) < 17 or not words[6].startswith("0x"):
            continue
        streams.append(
            {
                "packets": int(words[8]),
                "lost": int(words[9]),
                "mean": float(words[15]),
                "max": float(words[16]),
            }
        )
    return streams


def main(capture, listing):
    found = tshark_streams(capture)
    with open(listing, encoding="utf-8") as file:
        known = json.load(file)["streams"]
    key = lambda stream: (stream["packets"], stream["lost"], stream["mean"])
    found.sort(key=key)
    expected = [
        {
            "packets": stream["packetCount"],
            "lost": stream["lostCount"],
            "mean": stream["meanJitterNanoseconds"] / 1e6,
            "max": stream["maxJitterNanoseconds"] / 1e6,
        }
        for stream in known
    ]
    expected.sort(key=key)
    wrong = len(found) != len(expected)
    for ours, theirs in zip(expected, found):
        same = ours["packets"] == theirs["packets"] and ours["lost"] == theirs["lost"]
        near = all(
            abs(ours[name] - theirs[name]) <= JITTER_DIFFERENCE_MAX for name in ("mean", "max")
        )
        wrong = wrong or not (same and near)
        print("same" if same and near else "DIFFERS", ours, theirs)
    if wrong or not expected:
        sys.exit(f"{capture}: tshark finds {len(found)} streams, kodama {len(expected)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
