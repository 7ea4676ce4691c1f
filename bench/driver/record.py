"""The two files of a record.

`runs.tsv` has the raw output of every run under a line `#run<TAB>NAME`. It is compressed if it is large
(`runs.tsv.xz`): a full race has 450,000 lines.

`results.tsv` has what the race computes from them: tables, each under a line `#table<TAB>NAME`, with a line
of column names. The table `about` states the command, the date, the revision and the machine. TABLES.md and
the pages take their numbers from this file.
"""

import lzma

from .shell import Failed
from .tables import Table

FILE, RESULTS = "runs.tsv", "results.tsv"
PACKED = ".xz"
MARK, TABLE = "#run\t", "#table\t"
#: Bytes from which a file is compressed.
LARGE = 1 << 16


class Record:
    """The record of one race in a folder. Runs are written when they end, so that an interrupted race leaves
    those before."""

    def __init__(self, folder):
        """Begins a record: files of an earlier one in between would be mistaken for its own."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*.tsv"), folder / (FILE + PACKED)]:
            old.unlink(missing_ok=True)
        self.folder, self.path, self.names = folder, folder / FILE, set()

    def add(self, name, text):
        """Appends a run's output. A name occurs once."""
        lines = text.splitlines()
        if not name or name in self.names or "\t" in name or any(line.startswith(MARK) for line in lines):
            raise Failed(f"{self.path}: '{name}' cannot be recorded as a run")
        self.names.add(name)
        with open(self.path, "a") as file:
            file.write("".join(f"{line}\n" for line in [MARK + name, *lines]))

    def close(self, about, tables):
        """Compresses a large file, and writes the results."""
        if self.path.exists() and self.path.stat().st_size > LARGE:
            with lzma.open(f"{self.path}{PACKED}", "w", preset=9 | lzma.PRESET_EXTREME) as packed:
                packed.write(self.path.read_bytes())
            self.path.unlink()
        write_results(self.folder, about, tables)


def write_results(folder, about, tables):
    """`about`: key -> value; `tables`: name -> Table."""
    every = {"about": Table(["key", "value"], [list(pair) for pair in about.items()]), **tables}
    lines = []
    for name, one in every.items():
        rows = [[" ".join(cell.split()) for cell in row] for row in [one.head, *one.rows]]
        lines += [TABLE + name, *map("\t".join, rows), ""]
    (folder / RESULTS).write_text("\n".join(lines))


def results(folder):
    """The tables of a record by name, `about` among them."""
    path, found = folder / RESULTS, {}
    for name, text in sections(path, path.read_text(), TABLE).items():
        head, *rows = [line.split("\t") for line in text.splitlines() if line]
        if any(len(row) != len(head) for row in rows):
            raise Failed(f"{path}: table {name}: a row has not {len(head)} cells")
        found[name] = Table(head, rows)
    return found


def read(path):
    """The output of every run by its name, whether the file is compressed or not."""
    if path.exists():
        text = path.read_text()
    else:
        with lzma.open(f"{path}{PACKED}", "rt") as packed:
            text = packed.read()
    return sections(path, text, MARK)


def sections(path, text, mark):
    """The lines after each mark, by the name in the mark."""
    found, lines = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(mark):
            name = line.removeprefix(mark)
            if name in found:
                raise Failed(f"{path}:{number}: a second '{name}'")
            lines = found[name] = []
        elif lines is None:
            raise Failed(f"{path}:{number}: no name before this line")
        else:
            lines.append(line)
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in found.items()}
