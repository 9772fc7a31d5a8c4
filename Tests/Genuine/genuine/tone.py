"""Tones that stand for voices: each side sends one, the other side listens for it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 48_000
FRAME_SAMPLES = 960
"""20 ms, one Opus frame."""
CLIENT_HZ = 450
AGENT_HZ = 700
"""Both have whole periods in 20 ms, so that they do not leak into each other's measurement."""
AMPLITUDE = 8_000.0
AUDIBLE_SHARE = 0.25
"""The share of the amplitude from which a tone counts as heard: below it lies what concealment leaves of it."""
SILENCE_S = 0.1
"""How long a tone has to be absent before its silence is reported: five frames."""


class Tone:
    """Generates a sine wave frame by frame, without a step between frames."""

    def __init__(self, frequency_hz: int) -> None:
        self._step = 2 * math.pi * frequency_hz / RATE_HZ
        self._sample = 0

    def frame(self) -> NDArray[np.int16]:
        positions = np.arange(self._sample, self._sample + FRAME_SAMPLES)
        self._sample = (self._sample + FRAME_SAMPLES) % RATE_HZ
        return (AMPLITUDE * np.sin(self._step * positions)).astype(np.int16)


def amplitude(samples: NDArray[np.int16], frequency_hz: int) -> float:
    """Returns the amplitude of one frequency in the samples."""
    phases = np.exp(-2j * math.pi * frequency_hz / RATE_HZ * np.arange(len(samples)))
    return float(2 * abs(np.dot(samples, phases)) / max(len(samples), 1))


class Ear:
    """Reports when a tone begins and ends to be heard, with monotonic times in seconds."""

    def __init__(self, frequency_hz: int, report: Callable[[bool, float], None]) -> None:
        self._frequency_hz = frequency_hz
        self._report = report
        self._last_heard: float | None = None

    def hear(self, samples: NDArray[np.int16], now: float) -> None:
        if amplitude(samples, self._frequency_hz) >= AUDIBLE_SHARE * AMPLITUDE:
            if self._last_heard is None:
                self._report(True, now)
            self._last_heard = now
        self.tick(now)

    def tick(self, now: float) -> None:
        """Notices that no frame has come; to be called every few milliseconds while none does."""
        if self._last_heard is not None and now - self._last_heard > SILENCE_S:
            self._report(False, self._last_heard)
            self._last_heard = None
