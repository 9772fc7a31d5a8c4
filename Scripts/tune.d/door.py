"""The door to kodama: reads ranges, evaluates settings, and shows figures as people read them."""

import contextlib
import json
import subprocess
from dataclasses import dataclass

# After how many seeds a setting is looked at first: of fewer pairs a sign test cannot say that one setting is worse,
# 8 of 8 come by chance once in 256 times.
LOOK = 8
# Values of a range that does not say of how many.
USUAL_COUNTS = (9, 8, 7, 6, 5, 4, 3, 2)


class Refusal(Exception):
    """An end that the user can do something about: a sentence and an exit code."""

    def __init__(self, sentence, status=64):
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Parameter:
    """What is varied: its values as scenario files write them, and the place of the file's own one, if it is there."""

    name: str
    values: tuple
    own: str
    own_index: int | None

    @property
    def is_ordered(self):
        return all(text[0] in "-0123456789" for text in self.values)


@dataclass(frozen=True)
class Objective:
    metric: str
    figure: str
    is_maximized: bool

    @property
    def text(self):
        return f"{self.metric}:{self.figure}"

    @property
    def option(self):
        return f"--{'maximize' if self.is_maximized else 'minimize'} {self.text}"

    def is_better(self, one, other):
        return one > other if self.is_maximized else one < other

    def of(self, evaluation):
        return next(o for o in evaluation["objectives"] if (o["metric"], o["figure"]) == (self.metric, self.figure))


class Door:
    """Starts kodama for one scenario file: here, or evaluations on the workers of a cluster."""

    def __init__(self, kodama, file, fixed, only, objectives, seeds, cluster=None):
        self.kodama, self.file, self.objectives, self.cluster = kodama, file, objectives, cluster
        self.choice = [word for value in fixed for word in ("--set", value)]
        self.choice += [word for value in only for word in ("--only", value)]
        self.weighed = [word for objective in objectives for word in ("--objective", objective.text)]
        self.children = []
        self.asked_seeds = seeds
        self.seeds = seeds
        self.scenario = None

    def text(self, *arguments):
        end = subprocess.run([self.kodama, *arguments], capture_output=True, text=True)
        if end.returncode:
            raise Refusal(end.stderr.strip().removeprefix("error: "), end.returncode)
        return end.stdout

    def call(self, *arguments):
        return json.loads(self.text(*arguments))

    def parameters(self, varied):
        """Reads what is weighed and what is varied, with the values that the file has itself."""
        try:
            points = self.call("evaluate", self.file, "--points", *self.weighed, *self.choice)
        except Refusal as refusal:
            sentence = str(refusal)
            for objective in self.objectives:
                sentence = sentence.replace(f"--objective {objective.text}", objective.option)
            raise Refusal(sentence, refusal.status) from None
        if len(points["points"]) != 1:
            example = " ".join(f"--only {v['name']}={v['value']}" for v in points["points"][0]["values"])
            raise Refusal(f"{self.file} has {len(points['points'])} points; choose one: {example}")
        self.scenario, self.seeds = points["scenario"], self.asked_seeds or points["seeds"]
        self.resolved = self.call("resolve", self.file, "--json", *self.choice)["values"]
        own = {row["path"].removeprefix("parameters."): row["value"] for row in self.resolved}
        names = [text.partition("=")[0] for text in varied]
        for name in names:
            if names.count(name) > 1:
                raise Refusal(f"--vary {name}: it is given twice; write all of its values in one")
        return [self.parameter(text, own) for text in varied]

    def parameter(self, text, own):
        name, sign, written = text.partition("=")
        if not (name and sign and written):
            raise Refusal(f"--vary {text}: write a name and its values, such as session.retry_timeout=2s..10s/9")
        counts = [f"/{count}" for count in USUAL_COUNTS] if ".." in written and "/" not in written else [""]
        for count in counts:
            try:
                points = self.call("evaluate", self.file, "--points", "--sweep", text + count, *self.choice)["points"]
                break
            except Refusal as refusal:
                # What is wrong with the range as most would mean it is said, unless it suits the grid otherwise.
                first = refusal if count == counts[0] else first
        else:
            sentence = str(first).replace(f"--sweep {text}{counts[0]}", f"--vary {text}").replace("--sweep", "--vary")
            raise Refusal(sentence, first.status)
        if name not in own:
            raise Refusal(f"--vary {name}: only parameters of the app are tuned; 'kodama list parameters' lists them")
        values = []
        for point in points:
            written = next(v["value"] for v in point["values"] if v["name"] == name)
            settings = {s["name"]: s["value"] for s in point["settings"]}
            values.append((written, settings.get(name, written)))
        if len(values) < 2:
            raise Refusal(f"--vary {text}: one value is no choice; write at least two, or --set {name}={values[0][0]}")
        place = [index for index, pair in enumerate(values) if own[name] in pair]
        return Parameter(name, tuple(written for written, _ in values), own[name], place[0] if place else None)

    def evaluation(self, settings, look):
        return Evaluation(self, settings, look)

    def whole(self, settings):
        """The scenario with a setting, as a file that needs no other one."""
        words = [word for name, value in settings for word in ("--set", f"{name}={value}")]
        return self.text("resolve", self.file, *self.choice, *words)

    def check(self):
        """Refuses a file that has changed since its ranges were read: settings would be of two scenarios."""
        if self.call("resolve", self.file, "--json", *self.choice)["values"] != self.resolved:
            raise Refusal(f"{self.file} has changed while it was tuned; tune it again", 65)

    def begin(self, line):
        """Starts one evaluation, with whom its parts can be asked for."""
        child = (self.cluster.begin if self.cluster else Child)(line, self.seeds)
        self.children.append(child)
        return child

    def end(self):
        """Ends what still runs."""
        if self.cluster:
            self.cluster.end()
            return
        for child in self.children:
            child.process.terminate()


class Child:
    """A kodama that evaluates one setting part by part, over `seeds` seeds in all."""

    def __init__(self, line, seeds, folder=None):
        pipes = {stream: subprocess.PIPE for stream in ("stdin", "stdout", "stderr")}
        self.process = subprocess.Popen(line, text=True, cwd=folder, **pipes)
        self.seeds, self.has_answered = seeds, False

    def answer(self):
        """What all seeds so far gave after the next part, with 0; None, the status and the words of a failure."""
        if self.has_answered:
            with contextlib.suppress(OSError):
                self.process.stdin.write("\n")
                self.process.stdin.flush()
        self.has_answered = True
        # stderr is quiet but for errors, which are short, so that it cannot fill up while stdout is read.
        line = self.process.stdout.readline()
        answer = json.loads(line) if line.endswith("\n") else None
        if answer and len(answer["seeds"]) < self.seeds:
            return answer, 0, ""
        words = self.close()
        if answer and not self.process.returncode:
            return answer, 0, ""
        # A signal's number is below 0, and so is that of an end without an answer.
        return None, self.process.returncode or -1, words

    def close(self):
        """Gives up what is left to run; gives what was said on stderr."""
        if self.process.stdin.closed:
            return ""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        words = self.process.stderr.read().strip().removeprefix("error: ")
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        return words


class Evaluation:
    """One setting that is run part by part: after `look` seeds, twice as many and so on, up to all."""

    def __init__(self, door, settings, look):
        self.door = door
        self.line = [door.kodama, "evaluate", door.file, *door.choice, "--json", "--quiet", "--jobs", "1"]
        self.line += ["--seeds", str(door.seeds)]
        self.line += [word for name, value in settings for word in ("--set", f"{name}={value}")]
        self.line += door.weighed
        self.line += ["--look", str(look)] if look else []
        self.child, self.parts = None, 0

    def next(self):
        """Runs the next part; gives what all seeds so far gave, or throws a `Refusal` where settings do not go together.

        A child that dies, killed for its memory perhaps, is begun once more: the same runs come of it.
        """
        self.parts += 1
        try:
            return self.part()
        except Refusal as refusal:
            if refusal.status >= 0:
                raise
        self.child = None
        return [self.part() for _ in range(self.parts)][-1]

    def part(self):
        self.child = self.child or self.door.begin(self.line)
        answer, status, words = self.child.answer()
        if status:
            raise Refusal(words or f"'{' '.join(self.line)}' ended with {status}", status)
        return answer

    def close(self):
        """Gives up what is left to run."""
        self.child.close()


def shown(value, unit):
    """A figure as people read it."""
    if value is None:
        return "no data"
    if unit == "ns":
        for factor, name in ((10**9, "s"), (10**6, "ms"), (10**3, "µs")):
            if abs(value) >= factor:
                return f"{value / factor:.3g} {name}" if abs(value) < 1000 * factor else f"{value // factor} {name}"
        return f"{value} ns" if value else "0 s"
    if unit == "ppm":
        return f"{value / 10_000:.3g} %"
    if unit == "mMOS":
        return f"{value / 1000:.3f}"
    return f"{value:,}" + (" B" if unit == "bytes" else "")


def is_sum(objective):
    """Whether the figure grows with the number of runs."""
    return objective["figure"] in ("value", "count") and objective["unit"] != "ppm"
