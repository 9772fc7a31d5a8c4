"""Tests of the comparison: that it can fail, and of the figures that it stands on. Run by Tests/Genuine/test."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from genuine.__main__ import write_text
from genuine.compare import WORK_STORY, Verdict, agreeing, ks, lost, tcp_verdicts, verdicts
from genuine.measure import Interval, again_after, both, silent_within
from genuine.model import questions
from genuine.stories import STORIES
from genuine.table import percentile
from genuine.tone import AGENT_HZ, CLIENT_HZ, Ear, Tone, amplitude


def agrees(measured: list[float], modelled: list[float]) -> bool | None:
    return Verdict("hole-15s", "noticed", measured, modelled).agrees


class Comparison(unittest.TestCase):
    measured = [14.6, 14.8, 14.9, 15.1, 15.3]

    def test_a_model_like_the_measurement_agrees(self) -> None:
        self.assertIs(agrees(self.measured, [14.5, 14.9, 15.2]), True)

    def test_a_planted_figure_is_told_apart(self) -> None:
        self.assertIs(agrees(self.measured, [2 * v for v in self.measured]), False)
        self.assertIs(agrees([0.30, 0.31, 0.32], [0.36, 0.37, 0.38]), False)

    def test_fifty_milliseconds_are_no_difference(self) -> None:
        self.assertIs(agrees([0.30, 0.31, 0.32], [0.35, 0.36, 0.37]), True)

    def test_a_side_without_figures_agrees_with_nothing(self) -> None:
        self.assertIsNone(agrees(self.measured, []))
        self.assertIsNone(agrees([], self.measured))

    def test_ks_is_zero_for_equals_and_one_for_strangers(self) -> None:
        self.assertEqual(ks([1, 2, 3], [1, 2, 3]), 0)
        self.assertEqual(ks([1, 2, 3], [4, 5]), 1)
        self.assertAlmostEqual(ks([1, 2, 3, 4], [3, 4, 5, 6]), 0.5)

    def test_a_story_agrees_if_all_of_its_figures_do(self) -> None:
        good, bad = [1.0, 1.0], [2.0, 2.0]
        found = [Verdict("a", "x", good, good), Verdict("a", "y", good, bad), Verdict("b", "x", good, good)]
        self.assertEqual(agreeing(found), (1, 2))

    def test_the_story_that_others_are_corrected_by_is_not_counted(self) -> None:
        found = [Verdict("a", "x", [1.0], [1.0], calibrates=True), Verdict("b", "x", [1.0], [1.0])]
        self.assertEqual(agreeing(found), (1, 1))

    def test_the_machines_work_is_added_to_joins_alone(self) -> None:
        model = mock.Mock()
        model.answer.side_effect = lambda q: [0.02] if q.story == WORK_STORY else [1.0]
        records = [{"story": story, "figures": {"connected": time, "noticed": 1.0}}
                   for story, time in ((WORK_STORY, 0.12), ("connect-50ms-0%", 1.1), ("hole-15s", 1.0))]
        found = {(v.story, v.figure): v for v in verdicts(records, model)}
        self.assertAlmostEqual(found["connect-50ms-0%", "connected"].modelled[0], 1.1)
        self.assertEqual(found["hole-15s", "noticed"].modelled, [1.0])

    def test_short_silence_is_no_loss(self) -> None:
        self.assertEqual(lost([[-5.0, 0.3], [0.42, 9.0]]), 0)
        self.assertAlmostEqual(lost([[-5.0, 0.3], [0.42, 2.0], [2.5, 9.0]]), 0.5)
        self.assertAlmostEqual(lost([[-5.0, -0.1], [0.6, 9.0]]), 0.6)

    def test_an_answer_that_never_came_is_no_agreement(self) -> None:
        line = {"story": "tcp", "random": True, "measured": [0.1, None, None], "modelled": [0.1, 0.1, 0.1]}
        self.assertIs(tcp_verdicts([line])[0].agrees, False)

    def test_each_question_names_a_story_that_is_told(self) -> None:
        self.assertEqual([q.story for q in questions() if q.story not in STORIES], [])


class Sound(unittest.TestCase):
    def test_a_tone_is_heard_at_its_frequency_alone(self) -> None:
        frame = Tone(CLIENT_HZ).frame()
        self.assertGreater(amplitude(frame, CLIENT_HZ), 7_000)
        self.assertLess(amplitude(frame, AGENT_HZ), 200)

    def test_an_ear_reports_begin_and_end_once(self) -> None:
        said: list[tuple[bool, float]] = []
        ear = Ear(AGENT_HZ, lambda on, at: said.append((on, at)))
        for moment in (1.0, 1.02, 1.04):
            ear.hear(Tone(AGENT_HZ).frame(), moment)
        ear.tick(1.1)
        ear.tick(1.2)
        ear.tick(1.3)
        self.assertEqual(said, [(True, 1.0), (False, 1.04)])

    def test_sound_that_lasts_a_second_counts_as_heard_again(self) -> None:
        intervals = [Interval(0, 5), Interval(8, 8.3), Interval(9, 12)]
        self.assertEqual(again_after(intervals, 6, 12), 3)
        self.assertEqual(again_after(intervals, 3, 12), 0)
        self.assertIsNone(again_after(intervals[:2], 6, 12))

    def test_silence_is_what_the_intervals_leave(self) -> None:
        self.assertAlmostEqual(silent_within([Interval(0, 2), Interval(5, 9)], 1, 8), 3)
        self.assertEqual(both([Interval(0, 5)], [Interval(3, 8)]), [Interval(3, 5)])


class Results(unittest.TestCase):
    def test_a_percentile_is_one_of_the_values(self) -> None:
        self.assertEqual(percentile([5, 1, 4, 2, 3], 0.9), 5)
        self.assertEqual(percentile([5, 1, 4, 2, 3], 0.5), 3)

    def test_results_are_written_whole_or_not_at_all(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.jsonl"
            write_text(path, json.dumps({"old": True}))
            with mock.patch("os.replace", side_effect=OSError("the disk is full")), self.assertRaises(OSError):
                write_text(path, "half of the ne")
            self.assertEqual(json.loads(path.read_text()), {"old": True})


if __name__ == "__main__":
    unittest.main()
