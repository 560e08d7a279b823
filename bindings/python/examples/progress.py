"""A progress bar over files that are rewritten in place.

python progress.py FILE…
"""

import sys
from pathlib import Path

import iriscan
from tqdm import tqdm

if len(sys.argv) < 2:
    sys.exit(__doc__)

finder = iriscan.Finder()
files = [Path(name) for name in sys.argv[1:]]
changed = 0
with tqdm(total=sum(file.stat().st_size for file in files), unit="B", unit_scale=True) as bar:
    for file in files:
        bar.set_postfix_str(file.name)
        size = file.stat().st_size
        changed += finder.rewrite_file(file, file).changed
        bar.update(size)
print(f"{changed} links changed in {len(files)} files")
