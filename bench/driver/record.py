"""A record's raw output: one file, `runs.tsv`, with the output of every run under a line `#run<TAB>NAME`."""

from .shell import Failed

FILE = "runs.tsv"
MARK = "#run\t"


class Record:
    """The record of one race in a folder. Runs are written when they end, so that an interrupted race leaves
    those before."""

    def __init__(self, folder):
        """Begins a record: files of an earlier one in between would be mistaken for its own."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*.tsv"), folder / "REPORT.md", folder / "TABLE.md"]:
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


def read(path):
    """The output of every run by its name."""
    runs, lines = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
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
