"""Mutates files that kodama and kodama-lab read and watches how they end. Every file follows from its number alone."""

import argparse
import concurrent.futures
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ALLOWED = {0, 1, 2, 3, 4, 64, 65, 66, 70, 73}
# An internal error that is reported in words is an end of its own, but no good one.
SUSPICIOUS = {70}
GUARD_SECONDS = 60
# The commands of kodama-lab; all others are kodama's.
LAB = {"vad", "jitter", "token"}
BATCH = 40

TOKENS = [
    b"\x00", b"\x1b[2J", b"\xff\xfe", "\u202e".encode(), b"&a ", b"*a", b"? ", b"<<: *a", b"- ", b": ",
    b"{", b"}", b"[", b"]", b"|\n", b">\n", b"!!int ", b"%YAML 1.2\n", b"---\n", b"\t", b"'", b'"', b"#",
    b"0", b"-1", b"1e999", b"9223372036854775807", b"-9223372036854775808", b"18446744073709551616",
    b"1ns", b"168h", b"25h", b"0ms", b"100%", b"1000000", b"null", b"~", b"$x", b"../../etc/passwd",
    b"/dev/zero", b"nan", b",,,,", b"\r\n", b"\xe2\x80\xa8",
]


def mutated(data, rng):
    """The bytes after one to eight changes."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 2, 8, 40, 300]))
        kind = rng.randrange(8)
        if kind == 0 and data and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end] * rng.choice([1, 2, 50])
        elif kind in (3, 4):
            data[at:at] = rng.choice(TOKENS)
        elif kind == 5:
            lines = bytes(data).split(b"\n")
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            data = bytearray(b"\n".join(lines))
        elif kind == 6:
            digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                first = last = rng.choice(digits)
                while last < len(data) and 48 <= data[last] <= 57:
                    last += 1
                data[first:last] = rng.choice(TOKENS[23:34])
        else:
            data = data[:at] if rng.random() < 0.3 else data[at:] + data[:at]
    return bytes(data[: 1 << 20])


def wave(rate, count):
    samples = b"".join(struct.pack("<h", (i * 977) % 8000 - 4000) for i in range(count))
    form = struct.pack("<HHIIHH", 1, 1, rate, rate * 2, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


IMPOSSIBLE = """version: 2
scenario: short
duration: 6s
voice: sized
phones:
  - { name: left, apps: { intercom: { group: hill } } }
  - { name: right, apps: { intercom: { group: hill } } }
links:
  - { between: [left, right], profile: local-clean }
people:
  - { name: ann, holds: left }
talk:
  - { monologue: ann, at: 500ms, for: 5s }
expect:
  - metric: voice.mouth_to_ear.time
    max: "<= 1ms"
"""


class Fuzzer:
    def __init__(self, kodama, lab, folder):
        self.kodama = os.path.abspath(kodama)
        self.lab = os.path.abspath(lab)
        self.folder = Path(folder)
        self.ends = Counter()
        self.findings = []
        self.corpus = self.seeds()
        self.kinds = ["yaml"] * 60 + ["wav"] * 10 + ["truth"] * 6 + ["jitter"] * 8
        self.kinds += ["trace"] * 8 + ["token"] * 2 + ["capsule"] * 6

    def run(self, arguments, env=None):
        begin = time.monotonic()
        try:
            end = subprocess.run(
                [self.lab if arguments[0] in LAB else self.kodama] + arguments, cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=GUARD_SECONDS,
                env={**os.environ, **(env or {})},
            )
        except subprocess.TimeoutExpired:
            return "hang", b"", GUARD_SECONDS
        return end.returncode, end.stderr, time.monotonic() - begin

    def seeds(self):
        scenarios = sorted(Path("Scenarios").rglob("*.yaml"))
        scenarios += sorted(Path("Tests/Core/ScenariosTests/Broken").rglob("*.yaml"))
        corpus = {"yaml": [path.read_bytes() for path in scenarios if path.stat().st_size]}
        corpus["wav"] = [wave(16_000, 4_800), wave(48_000, 9_600)]
        corpus["truth"] = [json.dumps({"speech_ms": [[0, 40], [100, 260]]}).encode()]
        stalls = Path("Scenarios/traces/stalls.csv").read_bytes().split(b"\n")
        corpus["jitter"] = [b"\n".join(stalls[:300])]
        short = self.folder / "short.yaml"
        short.write_text(IMPOSSIBLE)
        self.run(["run", "short.yaml", "--quiet", "--capsules", "capsules"])
        corpus["capsule"] = [path.read_bytes() for path in (self.folder / "capsules").iterdir()]
        self.run(["trace", "record", "short.yaml", "--output", "short.trace"])
        corpus["trace"] = [(self.folder / "short.trace").read_bytes()]
        corpus["token"] = [b"mika-phone", b"hall", b"600s"]
        for kind, files in corpus.items():
            assert files and all(files), f"there is nothing to begin with for {kind}"
        return corpus

    def make(self, number):
        """Writes file number so-and-so, and says of which kind it is and which command reads it."""
        rng = random.Random(number)
        kind = rng.choice(self.kinds)
        data = mutated(rng.choice(self.corpus[kind]), rng)
        # A capsule is run, and one that lasts a week may take as long as it likes.
        while kind == "capsule" and re.search(rb"duration: *\d{3,}|\d(h|min)", data):
            data = mutated(rng.choice(self.corpus[kind]), rng)
        name = f"{number}"
        if kind == "yaml":
            (self.folder / f"{name}.yaml").write_bytes(data)
            return kind, ["check", f"{name}.yaml"], None
        if kind == "wav":
            (self.folder / f"{name}.wav").write_bytes(data)
            return kind, ["vad", f"{name}.wav"], None
        if kind == "truth":
            (self.folder / f"{name}.wav").write_bytes(self.corpus["wav"][0])
            (self.folder / f"{name}.truth.json").write_bytes(data)
            return kind, ["vad", f"{name}.wav", "--plot", f"{name}.svg"], None
        if kind == "jitter":
            (self.folder / f"{name}.csv").write_bytes(data)
            return kind, ["jitter", f"{name}.csv"], None
        if kind == "trace":
            (self.folder / f"{name}.trace").write_bytes(data)
            return kind, ["trace", rng.choice(["filter", "export"]), f"{name}.trace"], None
        if kind == "capsule":
            (self.folder / f"{name}.capsule.json").write_bytes(data)
            return kind, ["replay", f"{name}.capsule.json"], None
        text = data.replace(b"\x00", b"").decode("utf-8", "replace")
        option = rng.choice(["--identity", "--room", "--ttl"])
        arguments = ["--identity", "a", "--room", "b", f"{option}={text}"]
        key = {"LIVEKIT_API_KEY": "k", "LIVEKIT_API_SECRET": "s" * 32}
        return kind, ["token"] + arguments, key

    def note(self, number, kind, status, stderr, seconds):
        self.ends[(kind, status)] += 1
        if status not in ALLOWED or status in SUSPICIOUS or b"Backtrac" in stderr:
            words = stderr.decode("utf-8", "replace")[:300]
            self.findings.append(f"{number} ({kind}): ended with {status} in {seconds:.1f} s: {words}")

    def drop(self, number):
        for suffix in ("yaml", "wav", "truth.json", "csv", "trace", "capsule.json", "svg"):
            (self.folder / f"{number}.{suffix}").unlink(missing_ok=True)

    def batch(self, numbers):
        """Scenarios are checked many at a time, and one by one if that ends badly."""
        plans = [(number,) + self.make(number) for number in numbers]
        scenarios = [number for number, kind, _, _ in plans if kind == "yaml"]
        if scenarios:
            status, stderr, _ = self.run(["check"] + [f"{number}.yaml" for number in scenarios])
            if status in ALLOWED - SUSPICIOUS and b"Backtrac" not in stderr:
                self.ends[("yaml", status)] += len(scenarios)
                scenarios = []
        for number, kind, arguments, env in plans:
            if kind != "yaml" or number in scenarios:
                self.note(number, kind, *self.run(arguments, env))
            self.drop(number)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kodama", required=True)
    parser.add_argument("--lab", help="kodama-lab; the one beside kodama by default")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--keep", help="write one file into this folder and stop", metavar="FOLDER")
    options = parser.parse_args()
    lab = options.lab or Path(options.kodama).with_name("kodama-lab")
    if not os.access(lab, os.X_OK):
        parser.error(f"there is no program {lab}; --lab names kodama-lab")
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
        print(*Fuzzer(options.kodama, lab, options.keep).make(options.first)[1])
        return 0
    numbers = range(options.first, options.first + options.files)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(options.kodama, lab, folder)
        batches = [numbers[i : i + BATCH] for i in range(0, len(numbers), BATCH)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done, _ in enumerate(pool.map(fuzzer.batch, batches), 1):
                if done * 10 // len(batches) > (done - 1) * 10 // len(batches):
                    print(f"{done * 100 // len(batches)} %", file=sys.stderr)
    for (kind, status), count in sorted(fuzzer.ends.items(), key=str):
        print(f"{kind:8} ended with {status}: {count}")
    for finding in fuzzer.findings:
        print(f"FOUND {finding}")
    seconds = int(time.monotonic() - begin)
    verdict = f"{len(fuzzer.findings)} found" if fuzzer.findings else "nothing found"
    print(f"{sum(fuzzer.ends.values())} files from number {options.first} on in {seconds} s: {verdict}")
    return 1 if fuzzer.findings else 0


sys.exit(main())
