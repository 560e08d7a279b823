"""Single calls: `Finder.find(str)` against `re.findall`.

    python benches/calls.py

Prints the median CPU time of a call. What `re` does not do: its pattern takes punctuation, and the
rest of a sentence without spaces, for parts of the link; and it returns strings, not offsets and
URIs.
"""

import re
import statistics
import time

import iriscan

PATTERN = re.compile(r'https?://[^\s<>"]+')
TEXTS = {
    "short, no link": "ok see you at seven then, and bring the papers if you find them",
    "short, a link": "look at https://en.example.org/wiki/Berlin#top, it has all we need",
    "short, Japanese": "明日の会議は三時からですよね？資料は https://ja.example.org/道 です",
    "10 KB, no link": "It was a long discussion, and nobody wrote down what was decided. " * 150,
}


def nanoseconds(call, text):
    """The median CPU time of a call."""
    count = 200_000 if len(text) < 1000 else 5_000
    times = []
    for _ in range(7):
        start = time.process_time()
        for _ in range(count):
            call(text)
        times.append((time.process_time() - start) / count * 1e9)
    return statistics.median(times)


if __name__ == "__main__":
    for name, text in TEXTS.items():
        ours, theirs = nanoseconds(iriscan.Finder().find, text), nanoseconds(PATTERN.findall, text)
        print(f"{name:16} iriscan {ours:7.0f} ns   re {theirs:7.0f} ns   {theirs / ours:5.2f} x")
