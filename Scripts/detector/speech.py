"""Recorded speech for the training: Debian's packages, cut into talk spurts on the clean signal."""

import glob
import os
import re
import subprocess
import tempfile

import numpy as np
import soundfile
from scipy.signal import resample_poly

RATE = 16_000

# Two studio voices (16 kHz) and four languages of single words that volunteers spoke at home (44.1 kHz).
# These are the speakers on whom the detector may be tuned; everybody else is left for judging it.
SPEAKERS = {
    "fr-f": "/usr/share/asterisk/sounds/fr_CA_f_June/*.g722",
    "it-m": "/usr/share/asterisk/sounds/it_IT_m_Carlo/*.g722",
    "ca": "/usr/share/ktuberling/sounds/ca/*",
    "da": "/usr/share/ktuberling/sounds/da/*",
    "de": "/usr/share/ktuberling/sounds/de/*",
    "wa": "/usr/share/ktuberling/sounds/wa/*",
}
# Speakers of single words in other languages: for the examination alone, no training ever hears them.
EXAMINED = {
    language: f"/usr/share/ktuberling/sounds/{language}/*"
    for language in ("es", "ga", "it", "nds", "nn", "pt", "ro", "sv")
}
NO_SPEECH = re.compile("beep|tone|monkeys|silence|screech|ring|music", re.I)

# A frame of a clip is speech when it is louder than its loud frames less this, in dB.
BELOW_LOUD_DB = 32
BRIDGED_PAUSE_SECONDS = 0.2


def read_clips(paths):
    """The samples of each clip at 16 kHz; one decoder for all that need one."""
    coded = [path for path in paths if path.endswith(".g722")]
    with tempfile.TemporaryDirectory() as folder:
        command = ["ffmpeg", "-v", "error"] + [word for path in coded for word in ("-i", path)]
        for place in range(len(coded)):
            command += ["-map", str(place), "-f", "s16le", "-ac", "1", "-ar", str(RATE), f"{folder}/{place}"]
        if coded:
            subprocess.run(command, check=True)
        for path in paths:
            if path in coded:
                yield np.fromfile(f"{folder}/{coded.index(path)}", "<i2") / 32768
                continue
            samples, rate = soundfile.read(path, always_2d=True)
            divisor = np.gcd(RATE, rate)
            yield resample_poly(samples.mean(1), RATE // divisor, rate // divisor)


def cut(samples):
    """The talk spurts of a clip, each of RMS 1.

    Levels are those of 10 ms frames, every 5 ms. Pauses of up to 200 ms belong to the spurt, as in ITU-T P.56.
    A clip without a clear difference between loud and quiet has no spurt that could be trusted.
    """
    hop, width = RATE // 200, RATE // 100
    if len(samples) < 20 * width:
        return []
    frames = np.lib.stride_tricks.sliding_window_view(samples, width)[::hop]
    level = 10 * np.log10((frames**2).mean(1) + 1e-10)
    quiet, loud = np.percentile(level, [5, 95])
    if loud < -45 or loud - quiet < 28:
        return []
    active = level > max(loud - BELOW_LOUD_DB, quiet + 10)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(int), [0]]))).reshape(-1, 2)
    spurts = []
    for start, end in edges[edges[:, 1] - edges[:, 0] >= 3]:
        if spurts and (start - spurts[-1][1]) * hop / RATE < BRIDGED_PAUSE_SECONDS:
            spurts[-1][1] = end
        else:
            spurts.append([start, end])
    pieces = []
    for start, end in spurts:
        piece = samples[start * hop : (end - 1) * hop + width].copy()
        if 0.3 <= len(piece) / RATE <= 6 and level[start:end].max() > loud - 10:
            fade = RATE // 500
            piece[:fade] *= np.linspace(0, 1, fade)
            piece[-fade:] *= np.linspace(1, 0, fade)
            pieces.append((piece / np.sqrt((piece**2).mean())).astype(np.float32))
    return pieces


def load(speakers):
    """The spurts of each of the speakers, in a fixed order: {speaker: [samples]}."""
    voices = {}
    for name, pattern in speakers.items():
        paths = [p for p in sorted(glob.glob(pattern)) if not NO_SPEECH.search(os.path.basename(p))]
        sounds = [p for p in paths if p.endswith((".g722", ".wav", ".ogg", ".opus"))]
        if not sounds:
            raise SystemExit(f"no speech at {pattern}; Scripts/train-detector says which packages bring it")
        voices[name] = [piece for clip in read_clips(sounds) for piece in cut(clip)]
    return voices
