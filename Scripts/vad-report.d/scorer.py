"""Figures on decisions about speech, against the truth.

On the bare decision, per cent unless a name ends in _ms:
  acc, bacc, hit, false   share of 20 ms frames decided rightly (a frame is speech if half of it is);
                          the mean of the right shares of speech and of silence; speech marked as
                          speech; silence marked as speech
  far                     silence marked as speech more than 600 ms after a spurt (500 ms before the
                          first)
  auc, hit5               area under the curve of hits over false alarms; hits where 5 % of the
                          scene's silence is marked
  miss60, miss200         unmarked part of the first 60 and 200 ms of each talk spurt
  delay50_ms, delay95_ms  sound before the first mark in a spurt: median and 95th percentile
  lost                    spurts without a mark
  hang50_ms, hang95_ms    from a spurt's end to the first 100 ms without a mark, in pauses from 700 ms on

After a client's machine (attack 60, release 300, pre-roll 200 ms), named sent_... for one machine
common to all and own_... for the states that a detector reports by itself:
  cut, cut95_ms           spurts whose beginning is cut by more than 20 ms; 95th percentile of the cut
  unsent                  speech that is not sent
  silence                 silence that is sent
  start50_ms, start95_ms  from a spurt's beginning to when sending starts, of spurts that found the
                          client quiet

Where nobody speaks, after the same machines:
  openings                how often sending starts in an hour
  sent                    how much of the time is sent
  longest_s               the longest stretch that is sent, in seconds
"""
import numpy

from scenes import FRAME_MS, Decisions, SceneError

ATTACK_MS, RELEASE_MS, PREROLL_MS = 60, 300, 200


def score(scene, decisions):
    """All figures of one scene."""
    whole = scene.milliseconds // FRAME_MS
    count = min(whole, len(decisions.flags))
    if count < whole - 1:
        raise SceneError(f"{scene.name}: {count} frames were judged and there are {whole}")
    flags = decisions.flags[:count]
    truth = scene.speech[:count * FRAME_MS].reshape(count, FRAME_MS).mean(axis=1) >= 0.5
    figures = frame_figures(truth, flags)
    if decisions.scores is not None:
        figures |= curve_figures(truth, decisions.scores[:count])
    marked = spread(flags, scene.milliseconds)
    figures |= spurt_figures(scene, marked) | silence_figures(scene, marked)
    figures |= prefixed("sent_", sending_figures(scene, Sending.common(flags)))
    if decisions.states is not None:
        figures |= prefixed("own_", sending_figures(scene, Sending.of(decisions.states[:count])))
    return figures


def prefixed(prefix, figures):
    return {prefix + name: value for name, value in figures.items()}


def spread(frames, milliseconds):
    """A value per frame as a value per millisecond; beyond the last frame, nothing is marked."""
    fine = numpy.repeat(frames, FRAME_MS)[:milliseconds]
    return numpy.pad(fine, (0, milliseconds - len(fine)))


# Where nobody speaks


def empty_score(scene, decisions):
    """All figures of a scene without speech."""
    figures = prefixed("sent_", opening_figures(scene, Sending.common(decisions.flags)))
    if decisions.states is not None:
        figures |= prefixed("own_", opening_figures(scene, Sending.of(decisions.states)))
    return figures


def opening_figures(scene, sending):
    stretches = numpy.diff(numpy.flatnonzero(numpy.diff(numpy.pad(sending.sent.astype(int), 1))))[::2]
    return {
        "openings": len(sending.starts) * 3_600_000 / scene.milliseconds,
        "sent": 100 * sending.sent.mean(),
        "longest_s": max(stretches, default=0) * FRAME_MS / 1000,
    }


# At equal false alarms


def threshold_for(all_scenes, decisions, false):
    """The score that `false` per cent of all silence reaches; None without scores."""
    silence = []
    for scene in all_scenes:
        found = decisions[scene.name]
        if found.scores is None:
            return None
        count = min(scene.milliseconds // FRAME_MS, len(found.scores))
        truth = scene.speech[:count * FRAME_MS].reshape(count, FRAME_MS).mean(axis=1) >= 0.5
        silence.append(found.scores[:count][~truth])
    return float(numpy.quantile(numpy.concatenate(silence), 1 - false / 100))


def at_threshold(decisions, threshold):
    """What a detector decides whose score is held against one threshold."""
    return Decisions(decisions.scores > threshold)


# The bare decision


def frame_figures(truth, flags):
    hit = 100 * flags[truth].mean()
    false = 100 * flags[~truth].mean()
    return {"acc": 100 * (flags == truth).mean(), "bacc": (hit + 100 - false) / 2, "hit": hit, "false": false}


def curve_figures(truth, scores):
    """Hits and false alarms over all thresholds; frames of one score are passed together."""
    rates = curve(truth, scores)
    if rates is None:
        return {"auc": numpy.nan, "hit5": numpy.nan}
    false, hit = rates
    area = ((hit[1:] + hit[:-1]) / 2 * numpy.diff(false)).sum()
    return {"auc": 100 * area, "hit5": 100 * numpy.interp(0.05, false, hit)}


def curve(truth, scores):
    if truth.all() or not truth.any():
        return None
    order = numpy.argsort(-scores, kind="stable")
    last = numpy.append(numpy.diff(scores[order]) != 0, True)
    hit = numpy.cumsum(truth[order])[last] / truth.sum()
    false = numpy.cumsum(~truth[order])[last] / (~truth).sum()
    return numpy.concatenate([[0], false]), numpy.concatenate([[0], hit])


def spurt_figures(scene, marked):
    missed = {60: [], 200: []}
    delays, lost = [], 0
    for start, end in scene.spurts:
        for window, shares in missed.items():
            shares.append(1 - marked[start:min(end, start + window)].mean())
        places = numpy.flatnonzero(marked[start:end])
        lost += len(places) == 0
        delays.append(places[0] if len(places) else end - start)
    return {
        "miss60": 100 * numpy.mean(missed[60]),
        "miss200": 100 * numpy.mean(missed[200]),
        "delay50_ms": numpy.percentile(delays, 50),
        "delay95_ms": numpy.percentile(delays, 95),
        "lost": 100 * lost / len(scene.spurts),
    }


def silence_figures(scene, marked):
    far = numpy.zeros(scene.milliseconds, bool)
    far[500:scene.spurts[0][0]] = True
    hangovers = []
    for (_, end), (following, _) in zip(scene.spurts, scene.spurts[1:]):
        far[end + 600:following] = True
        pause = following - end
        if pause >= 700:
            hangovers.append(quiet_from(marked[end:following], 100, otherwise=pause))
    return {
        "far": 100 * marked[far].mean() if far.any() else numpy.nan,
        "hang50_ms": percentile(hangovers, 50),
        "hang95_ms": percentile(hangovers, 95),
    }


def quiet_from(marked, length, otherwise):
    """Where the first stretch of `length` milliseconds without a mark begins."""
    sums = numpy.concatenate([[0], numpy.cumsum(marked)])
    places = numpy.flatnonzero(sums[length:] == sums[:-length])
    return places[0] if len(places) else otherwise


def percentile(values, share):
    return numpy.percentile(values, share) if len(values) else numpy.nan


# After the client's machine


class Sending:
    """Which frames are sent, after which frames sending began, and during which it went on."""

    def __init__(self, count):
        self.sent = numpy.zeros(count, bool)
        self.on = numpy.zeros(count, bool)
        self.starts = []

    def begin(self, frame):
        self.starts.append(frame)
        self.sent[max(0, frame + 1 - PREROLL_MS // FRAME_MS):frame] = True

    @classmethod
    def common(cls, flags):
        """The machine that all detectors share."""
        self = cls(len(flags))
        speech = quiet = 0
        is_on = False
        for frame, flag in enumerate(flags):
            speech = speech + 1 if flag else 0
            if not is_on and speech >= ATTACK_MS // FRAME_MS:
                is_on, quiet = True, 0
                self.begin(frame)
            elif is_on:
                quiet = 0 if flag else quiet + 1
            self.sent[frame] |= is_on
            self.on[frame] = is_on
            if is_on and quiet >= RELEASE_MS // FRAME_MS:
                is_on, speech = False, 0
        return self

    @classmethod
    def of(cls, states):
        """What a program with these states sends."""
        self = cls(len(states))
        for frame, state in enumerate(states):
            if state not in ("Talking", "Release"):
                continue
            if frame == 0 or not self.on[frame - 1]:
                self.begin(frame)
            self.sent[frame] = self.on[frame] = True
        return self


def sending_figures(scene, sending):
    sent = spread(sending.sent, scene.milliseconds)
    cuts, starts = [], []
    for start, end in scene.spurts:
        places = numpy.flatnonzero(sent[start:end])
        cuts.append(places[0] if len(places) else end - start)
        if not sending.on[min(start // FRAME_MS, len(sending.on) - 1)]:
            known = [(frame + 1) * FRAME_MS for frame in sending.starts]
            starts += [time - start for time in known if start <= time <= end + 200][:1]
    return {
        "cut": 100 * numpy.mean(numpy.array(cuts) > 20),
        "cut95_ms": numpy.percentile(cuts, 95),
        "unsent": 100 * (scene.speech & ~sent).sum() / scene.speech.sum(),
        "silence": 100 * (sent & ~scene.speech).sum() / (~scene.speech).sum(),
        "start50_ms": percentile(starts, 50),
        "start95_ms": percentile(starts, 95),
    }


MOVES = {"Idle": ("Idle", "Attack"), "Attack": ("Attack", "Idle", "Talking"),
         "Talking": ("Talking", "Release"), "Release": ("Release", "Talking", "Idle")}
STAYS = {("Attack", "Talking"): (40, 60), ("Release", "Idle"): (200, 400)}


def broken_rules(states):
    """Where states move as no gate may, or stay too short or too long."""
    broken, before, since = [], "Idle", 0
    for frame, state in enumerate(states):
        if state not in MOVES[before]:
            broken.append(f"{frame * FRAME_MS} ms: {before} to {state}")
            if state not in MOVES:
                return broken
        if state != before:
            stay = (frame - since) * FRAME_MS
            least, most = STAYS.get((before, state), (0, stay))
            if not least <= stay <= most:
                broken.append(f"{frame * FRAME_MS} ms: {before} for {stay} ms, then {state}")
            before, since = state, frame
    return broken


# Over scenes


def groups(scenes):
    """Names of conditions, each with its scenes: all, noise by noise, ratio by ratio."""
    found = {"all": list(scenes)}
    for scene in scenes:
        found.setdefault(scene.noise or "clean", []).append(scene)
    ratios = sorted({scene.snr for scene in scenes if scene.snr is not None}, reverse=True)
    for ratio in ratios:
        found[f"{ratio:g} dB"] = [scene for scene in scenes if scene.snr == ratio]
    if "babble" in found:
        found["no babble"] = [scene for scene in scenes if scene.noise != "babble"]
    return found


def mean(rows):
    """Figure by figure the mean over scenes; scenes that have no figure do not count."""
    means = {}
    for name in rows[0]:
        values = numpy.array([row[name] for row in rows], float)
        known = values[~numpy.isnan(values)]
        means[name] = float(known.mean()) if len(known) else float("nan")
    return means


def oracle(scene):
    """What a detector would say that is always right: the price of the machine alone."""
    whole = scene.milliseconds // FRAME_MS
    flags = scene.speech[:whole * FRAME_MS].reshape(whole, FRAME_MS).any(axis=1)
    return Decisions(flags, flags)
