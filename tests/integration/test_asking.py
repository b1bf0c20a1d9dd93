# SPDX-License-Identifier: Apache-2.0
"""Questions of a sandbox, answered from another process: each once, for one call, and by nobody where its front is gone."""

import os
import signal
import stat
import subprocess
import unittest

from asking import ASK, TOLD, AskingTest, waits_for
from product import EXIT_REFUSED, EXIT_USAGE, RUN_TIMEOUT_S, each_person


class Asking(AskingTest):
    def start(self, script=ASK):
        """With no terminal and no screen: only the queue has it."""
        front = self.place.start(*self.arguments(script), stdin=subprocess.DEVNULL, stdout=-1, stderr=-1)
        self.addCleanup(front.communicate)
        self.addCleanup(front.kill)
        return front

    def told(self, front):
        """The id that the person is told."""
        for line in front.stderr:
            if found := TOLD.search(line):
                self.assertIn("claude asks: do a thing", line)
                return found[1]
        return self.fail("nothing was told")

    def end(self, front):
        text = front.stdout.read()
        self.assertEqual(front.wait(RUN_TIMEOUT_S), 0)
        return text.split()

    @each_person
    def test_a_question_is_listed_whole_and_answered_from_elsewhere(self):
        for word in ("yes", "no"):
            with self.subTest(word):
                front = self.start()
                question = self.told(front)
                [listed] = self.waiting()
                self.assertEqual(sorted(listed), ["asked", "id", "kind", "lines", "title", "wire"])
                self.assertEqual((listed["id"], listed["wire"], listed["kind"], listed["title"]), (question, "claude", "verb-tabled", "do a thing"))
                self.assertRegex(listed["asked"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
                self.assertEqual(listed["lines"][0], "words")
                self.assertIn("\x1b[2J", listed["lines"][1])
                self.assertEqual(listed["lines"][3], "begin " + "x" * 5000 + " end")
                folder = os.stat(os.path.join(self.place.settings, "questions"))
                self.assertEqual(stat.S_IMODE(folder.st_mode), 0o700)
                text = self.place.lnk("answer").stdout
                self.assertTrue(all(" " <= letter <= "~" or letter == "\n" for letter in text), text)
                self.assertIn("https://example.test/?q=" + "u" * 1000 + "-end\n", text)
                self.assertRegex(text, r"begin x{194} \[\.\.\. cut here, of 5010 bytes \.\.\.\] x{196} end")
                self.assertIn("\\u{202e}txet \\u{430}pple <b>bold</b>", text)
                done = self.answer(question, word)
                self.assertEqual((done.returncode, done.stdout), (0, ""))
                self.assertIn(f"the question {question} is answered: {word}", done.stderr)
                self.assertEqual(self.end(front), [word])
                self.assertEqual((self.waiting(), self.files()), ([], []))
                late = self.answer(question, "yes")
                self.assertEqual(late.returncode, EXIT_REFUSED)
                self.assertIn("it was answered already", late.stderr)

    @each_person
    def test_of_many_answers_at_once_one_counts_and_the_others_are_told(self):
        front = self.start()
        question = self.told(front)
        words = ["yes", "no"] * 4
        answers = [self.place.start("answer", question, word, stderr=-1) for word in words]
        codes = [(word, one.communicate()[1], one.returncode) for word, one in zip(words, answers)]
        counted = [word for word, _, code in codes if code == 0]
        self.assertEqual(len(counted), 1, codes)
        self.assertEqual(sum(code == EXIT_REFUSED and "it was answered already" in told for _, told, code in codes), 7, codes)
        self.assertEqual(self.end(front), counted)

    @each_person
    def test_an_answer_is_for_one_of_equal_calls(self):
        front = self.start(f"for i in 1 2 3; do {ASK} & done; wait")
        first, *others = self.wait_for(3)
        text = self.place.lnk("answer").stdout
        self.assertIn("3 equal calls wait; each answer is for one.", text)
        self.assertEqual(text.count("do a thing"), 1)
        self.assertEqual(self.answer(first["id"], "yes").returncode, 0)
        self.assertEqual(front.stdout.readline(), "yes\n")
        self.assertEqual([each["id"] for each in self.wait_for(2)], [each["id"] for each in others])
        for other in others:
            self.assertEqual(self.answer(other["id"], "no").returncode, 0)
        self.assertEqual(self.end(front), ["no", "no"])

    @each_person
    def test_whoever_asks_too_often_is_paused(self):
        front = self.start(f"for i in $(seq 40); do {ASK} 2>&1 & done; wait")
        paused = lambda: [each["name"] for each in self.place.listing("paused")]
        self.assertTrue(waits_for(lambda: paused() == ["claude"]), paused())
        self.assertNotIn("yes", self.end(front))
        self.assertEqual(self.files(), [])

    @each_person
    def test_a_call_that_ends_takes_its_question_along(self):
        front = self.start(ASK + " -m 5 2>/dev/null; echo over")
        self.told(front)
        self.assertEqual(len(self.waiting()), 1)
        self.assertEqual(self.end(front), ["over"])
        self.assertEqual(self.files(), [])

    @each_person
    def test_a_killed_front_leaves_no_question(self):
        front = self.start()
        question = self.told(front)
        self.assertEqual(len(self.files()), 1)
        front.send_signal(signal.SIGKILL)
        front.wait(RUN_TIMEOUT_S)
        done = self.answer(question, "yes")
        self.assertEqual(done.returncode, EXIT_REFUSED, done.stderr)
        self.assertEqual((self.waiting(), self.files()), ([], []))

    @each_person
    def test_what_cannot_be_asked_is_no_and_the_person_is_told_why(self):
        place = os.path.join(self.place.settings, "questions")
        front = self.place.start(*self.arguments(f"read go; {ASK}; {ASK}"), stdin=-1, stdout=-1, stderr=-1)
        self.addCleanup(front.kill)
        self.assertTrue(waits_for(lambda: os.path.isdir(self.place.settings)))
        os.symlink(self.place.work, place)
        out, err = front.communicate("go\n", timeout=RUN_TIMEOUT_S)
        self.assertEqual((out.split("\n")[0], "yes" in out), ("timed out", False))
        self.assertEqual([line for line in err.splitlines() if "can't be asked" in line],
                         [f'lnk-sandbox: a question of "claude" can\'t be asked, which is no: {place}: can\'t be opened: Not a directory'])
        self.assertEqual(os.listdir(self.place.work), [])

    @each_person
    def test_a_wrong_answer_is_told_as_that(self):
        for arguments, code, words in ((("bcdfgh",), EXIT_USAGE, "say yes or no"), (("bcdfgh", "maybe"), EXIT_USAGE, "answered by yes or no"),
                                       (("bcdfgh", "yes", "--json"), EXIT_USAGE, "--json is of the list"),
                                       (("../../x", "yes"), EXIT_REFUSED, "no question"), (("bcdfgh", "yes"), EXIT_REFUSED, "no question")):
            done = self.place.lnk("answer", *arguments)
            self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
