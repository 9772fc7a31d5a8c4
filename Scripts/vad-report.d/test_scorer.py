"""Holds the scorer against figures worked out by hand; needs nothing but numpy.

    python3 Scripts/vad-report.d/test_scorer.py
"""
import json
import pathlib
import tempfile
import unittest

import numpy

import peers
import scenes
import scorer


def scene(seconds, spurts):
    """A scene of which there is only the truth."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "made-up.truth.json"
        file.write_text(json.dumps({"seconds": seconds, "speech_ms": spurts}))
        return scenes.Scene(file)


def flags(count, *ranges):
    """Frames of which those from the first to the last of each range are marked."""
    marked = numpy.zeros(count, bool)
    for first, last in ranges:
        marked[first:last + 1] = True
    return marked


class NobodySpeaks(unittest.TestCase):
    """Ten seconds without speech, in which frames 100 to 109 and 300 to 301 are marked."""

    def test_openings(self):
        empty = scene(10, [])
        figures = scorer.empty_score(empty, scenes.Decisions(flags(500, (100, 109), (300, 301))))
        # The third frame opens; the pre-roll's nine before it, eight marked ones and a release of fifteen are sent.
        self.assertAlmostEqual(figures["sent_openings"], 360)
        self.assertAlmostEqual(figures["sent_longest_s"], 0.64)
        self.assertNotIn("own_openings", figures)

    def test_nothing_opens(self):
        figures = scorer.empty_score(scene(10, []), scenes.Decisions(flags(500)))
        self.assertEqual((figures["sent_openings"], figures["sent_sent"], figures["sent_longest_s"]), (0, 0, 0))


class EqualFalseAlarms(unittest.TestCase):
    def test_threshold(self):
        talking = scene(2, [[1000, 2000]])
        scores = numpy.concatenate([numpy.arange(50), numpy.full(50, 60)])
        found = {"made-up": scenes.Decisions(scores > 30, scores)}
        threshold = scorer.threshold_for([talking], found, 10)
        decided = scorer.at_threshold(found["made-up"], threshold)
        self.assertEqual(decided.flags[:50].sum(), 5)
        self.assertIsNone(scorer.threshold_for([talking], {"made-up": scenes.Decisions(scores > 30)}, 10))


class TwoSpurts(unittest.TestCase):
    """Speech at 1 to 2 s and at 3 to 3.5 s of 4 s: 75 frames of speech, 125 of silence.

    Marked: frame 30; 40 ms late until 100 ms after the first spurt; 20 ms early until the second one's end.
    """

    def setUp(self):
        self.scene = scene(4, [[1000, 2000], [3000, 3500]])
        self.flags = flags(200, (30, 30), (52, 104), (149, 174))
        self.figures = scorer.score(self.scene, scenes.Decisions(self.flags))

    def expect(self, **expected):
        for name, value in expected.items():
            self.assertAlmostEqual(self.figures[name], value, places=6, msg=name)

    def test_frames(self):
        # 73 of 75 are hit; 1, 5 and 1 of 125 are false.
        self.expect(hit=100 * 73 / 75, false=100 * 7 / 125, acc=100 * (73 + 118) / 200)
        self.expect(bacc=(100 * 73 / 75 + 100 * 118 / 125) / 2)

    def test_far_silence(self):
        # 500 to 1000 ms and 2600 to 3000 ms, with 20 ms marked in each.
        self.expect(far=100 * 40 / 900)

    def test_beginnings(self):
        # 40 of 60 and of 200 ms are missed in the first spurt, none in the second.
        self.expect(miss60=100 * 40 / 60 / 2, miss200=100 * 40 / 200 / 2, lost=0)
        self.expect(delay50_ms=20, delay95_ms=38)

    def test_hangover(self):
        self.expect(hang50_ms=100, hang95_ms=100)

    def test_sending(self):
        # Sending begins with frames 54 and 151, from frames 45 and 142 on, and ends after 119 and 189.
        self.expect(sent_cut=0, sent_cut95_ms=0, sent_unsent=0)
        self.expect(sent_silence=100 * (75 - 50 + 48 - 25) / 125)
        self.expect(sent_start50_ms=(100 + 40) / 2, sent_start95_ms=40 + 0.95 * 60)

    def test_states(self):
        states = numpy.full(200, "Idle", object)
        states[52:54], states[54:105], states[105:120] = "Attack", "Talking", "Release"
        own = scorer.score(self.scene, scenes.Decisions(self.flags, states=list(states)))
        # Without the second spurt: 25 of 75 frames are not sent, and it is cut whole.
        self.assertAlmostEqual(own["own_unsent"], 100 * 25 / 75)
        self.assertAlmostEqual(own["own_cut"], 50)
        self.assertAlmostEqual(own["own_cut95_ms"], 0.95 * 500)
        self.assertAlmostEqual(own["own_silence"], 100 * 25 / 125)


class Late(unittest.TestCase):
    def test_what_comes_too_late_for_the_pre_roll_is_cut(self):
        # The third frame in a row is number 67, so frames from 58 on are sent: 160 ms too late.
        figures = scorer.score(scene(3, [[1000, 2000]]), scenes.Decisions(flags(150, (65, 99))))
        self.assertEqual(figures["sent_cut"], 100)
        self.assertEqual(figures["sent_cut95_ms"], 160)
        self.assertAlmostEqual(figures["sent_unsent"], 16)
        self.assertEqual(figures["sent_start50_ms"], 360)

    def test_a_spurt_without_a_mark_is_lost(self):
        figures = scorer.score(scene(3, [[500, 900], [1500, 2500]]), scenes.Decisions(flags(150, (75, 124))))
        self.assertEqual(figures["lost"], 50)
        self.assertEqual(figures["miss200"], 50)
        self.assertEqual(figures["delay95_ms"], 0.95 * 400)

    def test_two_frames_open_nothing(self):
        figures = scorer.score(scene(3, [[1000, 2000]]), scenes.Decisions(flags(150, (60, 61), (70, 71))))
        self.assertEqual(figures["sent_unsent"], 100)
        self.assertEqual(figures["sent_silence"], 0)


class Curve(unittest.TestCase):
    truth = numpy.array([True, True, False, False])

    def figures(self, *scores):
        figures = scorer.curve_figures(self.truth, numpy.array(scores, float))
        return figures["auc"], figures["hit5"]

    def test_area(self):
        self.assertEqual(self.figures(0.9, 0.8, 0.2, 0.1), (100, 100))
        # Of four pairs, three are in order.
        self.assertEqual(self.figures(0.9, 0.4, 0.5, 0.1), (75, 50))
        self.assertEqual(self.figures(0.1, 0.2, 0.8, 0.9), (0, 0))

    def test_scores_alike_are_told_apart_by_chance(self):
        area, hits = self.figures(1, 1, 1, 1)
        self.assertEqual(area, 50)
        self.assertAlmostEqual(hits, 5)


class Rules(unittest.TestCase):
    def states(self, *stays):
        return [state for state, count in stays for _ in range(count)]

    def test_a_gate_as_it_should_be(self):
        stays = ("Idle", 5), ("Attack", 2), ("Talking", 9), ("Release", 15), ("Idle", 3), ("Attack", 1), ("Idle", 1)
        self.assertEqual(scorer.broken_rules(self.states(*stays)), [])

    def test_moves_and_stays_that_no_gate_may_have(self):
        for stays, rule in [
            ([("Idle", 2), ("Talking", 1)], "40 ms: Idle to Talking"),
            ([("Idle", 1), ("Attack", 1), ("Talking", 1)], "40 ms: Attack for 20 ms, then Talking"),
            ([("Attack", 3), ("Talking", 1), ("Release", 9), ("Idle", 1)], "260 ms: Release for 180 ms, then Idle"),
            ([("Attack", 3), ("Talking", 1), ("Release", 21), ("Idle", 1)], "500 ms: Release for 420 ms, then Idle"),
        ]:
            self.assertEqual(scorer.broken_rules(self.states(*stays)), [rule])


class Pieces(unittest.TestCase):
    def test_a_frame_gets_what_is_known_at_its_end(self):
        values = peers.per_frame(32, [0.1, 0.9, 0.2], 100)
        self.assertEqual(list(values), [0, 0.1, 0.1, 0.9, 0.2])
        # Of two pieces that end within a frame, the more speech-like.
        self.assertEqual(list(peers.per_frame(10, [0.1, 0.3, 0.2, 0.1], 40)), [0.3, 0.2])


class Means(unittest.TestCase):
    def test_a_scene_without_a_figure_does_not_count(self):
        rows = [{"far": 1.0, "auc": 2.0}, {"far": float("nan"), "auc": 4.0}]
        self.assertEqual(scorer.mean(rows), {"far": 1.0, "auc": 3.0})

    def test_the_oracle_is_always_right(self):
        made_up = scene(4, [[1010, 2000], [3000, 3490]])
        figures = scorer.score(made_up, scorer.oracle(made_up))
        self.assertEqual(figures["acc"], 100)
        self.assertEqual((figures["miss60"], figures["sent_cut"], figures["sent_unsent"]), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
