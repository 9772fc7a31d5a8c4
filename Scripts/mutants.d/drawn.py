"""Mistakes that nobody chose: drawn by a seed from all places of the client, the server and the meters where a line or a
cancellation could be forgotten, a condition always or never hold, a comparison be turned round or lie one beside itself,
a default stand for what is there, or a bound be dropped."""

import re
import subprocess
import zlib
from pathlib import Path

# What lies where, and who is near enough to notice: (folder, what its file begins with, system, test targets).
AREAS = [
    ("Sources/Client/RealtimeVoice", "", "session", ["RealtimeVoiceTests", "AppCoordinationTests"]),
    ("Sources/Client/IncomingCalls", "", "call", ["IncomingCallsTests", "AppCoordinationTests"]),
    ("Sources/Client/ReplicaChanges", "", "replica", ["ReplicaChangesTests", "AppServerTests"]),
    ("Sources/Client/ReplicaSync", "", "replica", ["ReplicaSyncTests"]),
    ("Sources/Client/ReplicaStore", "", "replica", ["ReplicaStoreTests"]),
    ("Sources/Client/PeerTransport", "", "intercom", ["PeerTransportTests", "AppCoordinationTests"]),
    ("Sources/Client/GroupSecurity", "", "intercom", ["GroupSecurityTests", "AppCoordinationTests"]),
    ("Sources/Client/AppCoordination/Group", "", "intercom", ["AppCoordinationTests"]),
    ("Sources/Client/AppCoordination", "VoiceApp", "session", ["AppCoordinationTests"]),
    ("Sources/Client/AppCoordination", "CallApp", "call", ["AppCoordinationTests"]),
    ("Sources/Client/AppCoordination", "Intercom", "intercom", ["AppCoordinationTests"]),
    ("Sources/Client/AppCoordination", "SoundKeeper", "intercom", ["AppCoordinationTests"]),
    ("Sources/Client/VoiceActivity", "TalkGate", "intercom", ["VoiceActivityTests"]),
    ("Sources/Client/VoiceActivity", "PreRoll", "intercom", ["VoiceActivityTests"]),
    ("Sources/Client/VoiceActivity", "Keepalive", "intercom", ["VoiceActivityTests"]),
    ("Sources/Server/AppServer/Calls", "", "call", ["AppServerTests"]),
    ("Sources/Server/AppServer/Push", "", "call", ["AppServerTests"]),
    ("Sources/Server/AppServer/Devices", "", "call", ["AppServerTests"]),
    ("Sources/Server/AppServer/Replicas", "", "replica", ["AppServerTests", "ReplicaStoreTests"]),
    ("Sources/Server/AppServer/Endpoints", "Database", "replica", ["AppServerTests"]),
    ("Sources/Server/AppServer/Endpoints", "", "session", ["AppServerTests"]),
    ("Sources/Server/AppServer/Tokens", "", "session", ["AppServerTests"]),
    ("Sources/Client/GroupStore", "", "intercom", ["GroupStoreTests"]),
    ("Sources/Client/WakeFlow", "", "coach", ["WakeFlowTests", "CoachTests"]),
    ("Sources/Client/CoachAccount", "", "coach", ["CoachAccountTests", "CoachTests"]),
    ("Sources/Client/CoachExchange", "", "coach", ["CoachExchangeTests", "AppServerTests"]),
    ("Sources/Client/CoachStore", "", "coach", ["CoachStoreTests"]),
    ("Sources/Core/Evidence/Judgement", "", "session", ["EvidenceTests", "HarnessTests"]),
    ("Sources/Core/Evidence/Measures", "", "session", ["EvidenceTests", "HarnessTests"]),
    ("Sources/Systems/Intercom/Metrics", "", "intercom", ["EvidenceTests"]),
    ("Sources/Systems/Session/Metrics", "", "session", ["EvidenceTests"]),
    ("Sources/Systems/Calls/Metrics", "", "call", ["EvidenceTests"]),
    ("Sources/Systems/Replica/Metrics", "", "replica", ["EvidenceTests"]),
    ("Sources/Systems/Coach/Metrics", "", "coach", ["CoachTests"]),
]

INDENT = re.compile(r" *")
# A statement of its own, after `case …:` too.
LEAD = r"(?P<lead>\s+(?:case [^:\"]+: |default: )?)"
ASSIGNMENT = re.compile(LEAD + r"(?P<body>(?:self\.)?[a-z]\w*[?!]?(?:\.\w+|\[[^\]]*\])* [-+]?= \S.*)$")
ORDER = re.compile(
    LEAD + r"(?P<body>turn\.order\(.+\)|[a-z][\w.]*\(.*in: &turn\)|[\w.]*(?:cancel|forget|remove|clear|stop)\w*\(.*\))$"
)
# A plain value before `??`, and a minimum or maximum of two plain values: what stands in them has no operator of its own.
VALUE = r"(?:[a-zA-Z_][\w.]*(?:\([^()]*\)|\[[^\[\]]*\])?(?:\.\w+)*|\d[\d_]*)"
DEFAULT = re.compile(rf"(?<=[ (\[])(?P<body>(?<!try )(?<!await ){VALUE}) \?\? ")
BOUND = re.compile(rf"(?<![\w.])(?:min|max)\((?P<one>{VALUE}), (?P<other>{VALUE})\)")
CONDITION = re.compile(r"(?P<lead>\s+(?:\} else )?(?:if|guard) )(?P<body>.+?)(?P<tail> else \{.*| \{.*)$")
EDGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Place:
    """Where one mistake can be made: the text from `start` to `end` becomes `new`, in which `PLANTED` chooses."""

    def __init__(self, file, line, kind, start, end, new, breaks):
        self.file, self.line, self.kind = file, line, kind
        self.start, self.end, self.new, self.breaks = start, end, new, breaks

    def name(self, occurrence):
        stem = Path(self.file).stem
        return f"{stem}: {self.breaks}" + (f" ({occurrence})" if occurrence else "")


def changed(root, since):
    """The lines of each file that are new or changed since a commit."""
    diff = subprocess.run(
        ["git", "diff", "--unified=0", "--no-color", since, "--", "Sources"],
        cwd=root, text=True, check=True, stdout=subprocess.PIPE,
    ).stdout
    lines, file = {}, None
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else None
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(found[1]), int(found[2] or 1)
            lines.setdefault(file, set()).update(range(first, first + count))
    return lines


def drawn(root, seed, count, since=None):
    """`count` places, chosen by `seed`, of the lines changed since a commit if one is given; a place keeps its rank when
    others come or go."""
    lines = changed(root, since) if since else None
    ranked = []
    for folder, prefix, system, tests in AREAS:
        for path in sorted((root / folder).rglob("*.swift")):
            file = str(path.relative_to(root))
            if not path.name.startswith(prefix) or area(file) != (system, tests):
                continue
            seen = {}
            for place in places(file, path.read_text()):
                occurrence = seen.get(place.breaks, 0)
                seen[place.breaks] = occurrence + 1
                name = place.name(occurrence)
                if lines is not None and place.line not in lines.get(file, ()):
                    continue
                ranked.append((zlib.crc32(f"{seed} {name}".encode()), name, place, system, tests))
    ranked.sort(key=lambda entry: entry[:2])
    chosen, taken = [], {}
    for _, name, place, system, tests in ranked:
        spans = taken.setdefault(place.file, [])
        if any(place.start < end and start < place.end for start, end in spans):
            continue
        spans.append((place.start, place.end))
        chosen.append((name, place, system, tests))
        if len(chosen) == count:
            break
    return chosen, len(ranked)


def area(file):
    """The first row that a file belongs to."""
    for folder, prefix, system, tests in AREAS:
        if file.startswith(folder + "/") and Path(file).name.startswith(prefix):
            return system, tests
    return None


def places(file, text):
    lines = text.split("\n")
    offset = 0
    for index, line in enumerate(lines):
        start, offset = offset, offset + len(line) + 1
        if line.lstrip().startswith("//") or '"""' in line or within_initialiser(lines, index):
            continue
        yield from forgotten(file, lines, index, start)
        yield from conditions(file, lines, index, start)
        yield from values(file, lines, index, start)


def values(file, lines, index, start):
    """Defaults that stand for what is there, and bounds that are dropped."""
    line = lines[index]
    if re.match(r"\s*(?:@|case |static let |(?:public |package |private |fileprivate )*(?:let|var) \w+: )", line):
        return
    for found in DEFAULT.finditer(line):
        body = found["body"]
        begin = start + found.start("body")
        new = f"(PLANTED ? nil : {body})"
        yield Place(file, index + 1, "default", begin, begin + len(body), new, f"has the default for {body}")
    for found in BOUND.finditer(line):
        for kept in (found["one"], found["other"]):
            begin, whole = start + found.start(), found[0]
            new = f"(PLANTED ? {kept} : {whole})"
            yield Place(file, index + 1, "bound", begin, begin + len(whole), new, f"has {kept} for {whole}")


def forgotten(file, lines, index, start):
    line = lines[index]
    for kind, pattern in (("assignment", ASSIGNMENT), ("order", ORDER)):
        found = pattern.match(line)
        if not found or not is_whole(found["body"]) or goes_on(lines, index):
            continue
        begin = start + found.start("body")
        body = found["body"]
        new = f"if !PLANTED {{ {body} }}"
        yield Place(file, index + 1, kind, begin, begin + len(body), new, f"forgets {body}")
        return


def conditions(file, lines, index, start):
    found = CONDITION.match(lines[index])
    if not found or not is_whole(found["body"]):
        return
    begin = start + found.start("body")
    for clause in clauses(found["body"]):
        length = len(clause)
        text = clause.strip()
        at = begin + (length - len(clause.lstrip()))
        begin += length + 1
        if re.match(r"(let|var|case|#|await|try)\b", text) or "{" in text:
            continue
        whole = f"({text})"
        for kind, new, what in (
            ("always", f"(PLANTED || {whole})", "takes for true"),
            ("never", f"(!PLANTED && {whole})", "takes for false"),
        ):
            yield Place(file, index + 1, kind, at, at + len(text), new, f"{what} {text}")
        bounds = re.findall(r" (<=|>=|<|>) ", text)
        if len(bounds) == 1:
            for kind, signs in (("edge", EDGES), ("turned", TURNED)):
                other = re.sub(r" (<=|>=|<|>) ", lambda sign: f" {signs[sign[1]]} ", text)
                new = f"(PLANTED ? ({other}) : {whole})"
                yield Place(file, index + 1, kind, at, at + len(text), new, f"has {other} for {text}")


def clauses(text):
    """A condition's parts between its outermost commas."""
    depth, parts, last = 0, [], 0
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[last:position])
            last = position + 1
    return parts + [text[last:]]


def is_whole(text):
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}")) and text[-1] not in "{(,=&|?:"


def goes_on(lines, index):
    """Whether the statement of a line goes on in the next."""
    following = lines[index + 1] if index + 1 < len(lines) else ""
    return len(INDENT.match(following)[0]) > len(INDENT.match(lines[index])[0]) and following.strip() != ""


def within_initialiser(lines, index):
    """In an initialiser every property must be set, whatever is planted."""
    depth = len(INDENT.match(lines[index])[0])
    for line in reversed(lines[:index]):
        if not line.strip():
            continue
        own = len(INDENT.match(line)[0])
        if own < depth or (own == depth and line.strip() == ") {"):
            depth = min(depth, own)
            if re.match(r"\s*((public|package|internal|private|fileprivate) )*(convenience )?init[?(<]", line):
                return True
            if re.search(r"\bfunc\b", line):
                return False
            if line.strip() in (") {", ") throws {"):
                depth = own + 1
    return False
