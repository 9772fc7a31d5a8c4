"""Other voice activity detectors, run on scenes as a client would run them: frame after frame.

A 20 ms frame gets what its client knows at the frame's end. Detectors that judge pieces of another
length are mapped so: of the pieces that end within the frame the most speech-like, and the latest
piece before it if none does.
"""
import ctypes
import importlib.util
import pathlib
import time

import numpy

from scenes import FRAME_MS, Decisions


class PeerError(Exception):
    """A peer that cannot be run, and the command that would help."""


def package_folder(name):
    """Where a package lies, without running any of it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise PeerError(f"the Python package '{name}' is not installed; run with --reinstall")
    return pathlib.Path(spec.origin).parent


def per_frame(piece_ms, values, milliseconds):
    """Values of consecutive pieces as values of consecutive 20 ms frames, known by their ends."""
    frames = numpy.zeros(milliseconds // FRAME_MS)
    latest = 0.0
    done = 0
    for frame in range(len(frames)):
        ended = min(int((frame + 1) * FRAME_MS / piece_ms + 1e-9), len(values))
        if ended > done:
            latest = max(values[done:ended])
            done = ended
        frames[frame] = latest
    return frames


class WebRTC:
    """The detector of WebRTC in one of its four modes; it decides and gives no score."""

    kilohertz = 16
    piece_ms = 20

    def __init__(self, mode):
        import webrtcvad
        self.make = lambda: webrtcvad.Vad(mode)

    def judge(self, samples):
        detector = self.make()
        pieces = [piece.tobytes() for piece in split(samples, 320)]
        return [float(detector.is_speech(piece, 16_000)) for piece in pieces]

    def decisions(self, values):
        return Decisions(values >= 0.5, values)


class Scored:
    """A detector that gives a probability and decides by a threshold."""

    threshold = 0.5

    def decisions(self, values):
        return Decisions(values >= self.threshold, values)


class Silero(Scored):
    """The network of silero-vad; 512 samples at a time, 64 of the past before them."""

    kilohertz = 16
    piece_ms = 32

    def __init__(self):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        model = package_folder("silero_vad") / "data" / "silero_vad.onnx"
        self.session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"])

    def judge(self, samples):
        sound = samples.astype(numpy.float32) / 32768
        state = numpy.zeros((2, 1, 128), numpy.float32)
        past = numpy.zeros(64, numpy.float32)
        rate = numpy.array(16_000, numpy.int64)
        probabilities = []
        for piece in split(sound, 512):
            heard = numpy.concatenate([past, piece])[None]
            output, state = self.session.run(None, {"input": heard, "state": state, "sr": rate})
            probabilities.append(float(output[0, 0]))
            past = piece[-64:]
        return probabilities


class TEN(Scored):
    """The network of TEN VAD; 10 ms at a time."""

    kilohertz = 16
    piece_ms = 10

    def __init__(self):
        # Without it the package fails twice, the second time where nobody can catch it.
        ctypes.CDLL("libc++.so.1")
        from ten_vad import TenVad
        self.make = lambda: TenVad(160, 0.5)
        self.make()

    def judge(self, samples):
        detector = self.make()
        return [detector.process(piece)[0] for piece in split(samples, 160)]


class RNNoise(Scored):
    """The speech probability that RNNoise gives with 10 ms of denoised sound."""

    kilohertz = 48
    piece_ms = 10

    def __init__(self):
        self.library = ctypes.CDLL(str(package_folder("pyrnnoise") / "librnnoise.so"))
        self.library.rnnoise_create.restype = ctypes.c_void_p
        self.library.rnnoise_create.argtypes = [ctypes.c_void_p]
        self.library.rnnoise_destroy.argtypes = [ctypes.c_void_p]
        self.library.rnnoise_process_frame.restype = ctypes.c_float
        self.library.rnnoise_process_frame.argtypes = [ctypes.c_void_p] * 3

    def judge(self, samples):
        sound = numpy.ascontiguousarray(samples, numpy.float32)
        output = numpy.zeros(480, numpy.float32)
        state = self.library.rnnoise_create(None)
        process = self.library.rnnoise_process_frame
        try:
            return [process(state, output.ctypes.data, sound.ctypes.data + 4 * start)
                    for start in range(0, len(sound) - 479, 480)]
        finally:
            self.library.rnnoise_destroy(state)


def split(samples, count):
    """The whole pieces of `count` samples."""
    return samples[:len(samples) // count * count].reshape(-1, count)


ALL = {
    "webrtc-0": lambda: WebRTC(0),
    "webrtc-1": lambda: WebRTC(1),
    "webrtc-2": lambda: WebRTC(2),
    "webrtc-3": lambda: WebRTC(3),
    "rnnoise": RNNoise,
    "silero": Silero,
    "ten": TEN,
}

TITLES = {
    "webrtc-0": "WebRTC mode 0", "webrtc-1": "WebRTC mode 1", "webrtc-2": "WebRTC mode 2",
    "webrtc-3": "WebRTC mode 3", "rnnoise": "RNNoise", "silero": "Silero", "ten": "TEN",
}

# What a peer needs of the system beside its Python package.
SYSTEM = {"ten": "apt-get install libc++1"}


def make(name):
    """A peer ready to run."""
    try:
        return ALL[name]()
    except (ImportError, OSError) as error:
        hint = SYSTEM.get(name, "Scripts/vad-report --reinstall installs the packages anew")
        raise PeerError(f"{TITLES[name]} cannot be run: {error}\nTry: {hint}") from error


def run(peer, scene):
    """A peer's decisions on a scene, and the processor microseconds that a 20 ms frame took."""
    samples = scene.samples(peer.kilohertz)
    start = time.process_time()
    values = peer.judge(samples)
    seconds = time.process_time() - start
    milliseconds = len(samples) // peer.kilohertz
    frames = per_frame(peer.piece_ms, values, milliseconds)
    return peer.decisions(frames), seconds * 1e6 / (milliseconds / FRAME_MS)
