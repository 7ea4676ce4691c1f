"""A record's raw output: one file, `runs.tsv`, with the output of every run under a line `#run<TAB>NAME`.

Compressed if it is large (`runs.tsv.xz`): a full race has 450,000 lines.
"""

import lzma

from .shell import Failed

FILE = "runs.tsv"
PACKED = ".xz"
MARK = "#run\t"
#: Bytes from which a file is compressed.
LARGE = 1 << 21


class Record:
    """The record of one race in a folder. Runs are written when they end, so that an interrupted race leaves
    those before."""

    def __init__(self, folder):
        """Begins a record: files of an earlier one in between would be mistaken for its own."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*.tsv"), folder / (FILE + PACKED), folder / "REPORT.md", folder / "TABLE.md"]:
            old.unlink(missing_ok=True)
        self.path, self.names = folder / FILE, set()

    def add(self, name, text):
        """Appends a run's output. A name occurs once."""
        lines = text.splitlines()
        if not name or name in self.names or "\t" in name or any(line.startswith(MARK) for line in lines):
            raise Failed(f"{self.path}: '{name}' cannot be recorded as a run")
        self.names.add(name)
        with open(self.path, "a") as file:
            file.write("".join(f"{line}\n" for line in [MARK + name, *lines]))

    def close(self):
        """Compresses a large file."""
        if self.path.exists() and self.path.stat().st_size > LARGE:
            with lzma.open(f"{self.path}{PACKED}", "w", preset=9) as packed:
                packed.write(self.path.read_bytes())
            self.path.unlink()


def read(path):
    """The output of every run by its name, whether the file is compressed or not."""
    if path.exists():
        text = path.read_text()
    else:
        with lzma.open(f"{path}{PACKED}", "rt") as packed:
            text = packed.read()
    runs, lines = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(MARK):
            name = line.removeprefix(MARK)
            if name in runs:
                raise Failed(f"{path}:{number}: a second run '{name}'")
            lines = runs[name] = []
        elif lines is None:
            raise Failed(f"{path}:{number}: no run before this line")
        else:
            lines.append(line)
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in runs.items()}
