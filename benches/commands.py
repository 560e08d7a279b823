#!/usr/bin/env python3
"""Whole commands from file to file, in one run: iriscan rewrite, cat, sed, perl.

    python3 benches/commands.py BINARY FILE...

The files should be in UTF-8 and on a tmpfs, where `out` is written beside them.
Prints medians of seven rounds, and of the ratios within a round. sed marks what it
takes for a link and converts nothing; perl percent-encodes its bytes, hosts as well.
"""

import os
import statistics
import subprocess
import sys
import time

SED = r's#https?://[^[:space:]<>"]+#<&>#g'
PERL = (
    r's{(https?://[^\s<>"]*[^\s<>"\x00-\x7f][^\s<>"]*)}'
    r'{my $u = $1; $u =~ s/([\x80-\xff])/sprintf("%%%02X", ord $1)/ge; $u}ge'
)
ROUNDS = 7


def seconds(command, out):
    if os.path.exists(out):
        os.remove(out)
    begun = time.perf_counter()
    with open(out, "wb") as file:
        subprocess.run(command, stdout=file, check=True, env={**os.environ, "LC_ALL": "C"})
    return time.perf_counter() - begun


def main(binary, files):
    for file in files:
        rewrite = [binary, "rewrite", "--format", "text"]
        ways = {
            "cat": ["cat", file],
            "iriscan": [*rewrite, file],
            "iriscan -j1": [*rewrite, "-j1", file],
            "sed": ["sed", "-E", SED, file],
            "perl": ["perl", "-pe", PERL, file],
        }
        out = os.path.join(os.path.dirname(file), "out")
        # The first round brings the files into the cache, and is not counted.
        rounds = [{w: seconds(c, out) for w, c in ways.items()} for _ in range(ROUNDS + 1)][1:]
        os.remove(out)

        def ratio(of, to):
            return statistics.median(times[of] / times[to] for times in rounds)

        cat = statistics.median(times["cat"] for times in rounds)
        print(
            f"{os.path.basename(file)}: cat {cat * 1e3:.0f} ms; "
            f"iriscan ÷ cat {ratio('iriscan', 'cat'):.2f}, "
            f"-j1 {ratio('iriscan -j1', 'cat'):.2f}; "
            f"sed ÷ iriscan {ratio('sed', 'iriscan'):.1f}, "
            f"perl ÷ iriscan {ratio('perl', 'iriscan'):.1f}",
            flush=True,
        )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
