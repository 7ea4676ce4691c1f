// Statuses and decisions: those of the baseline, and those that were made in this page.
const baseline = { lines: data.baseline?.split("\n") ?? [], findings: new Map(), decisions: new Map() };
for (const line of baseline.lines) {
  if (line.startsWith('{"id":')) {
    const read = JSON.parse(line);
    baseline.findings.set(read.id, read);
  }
  if (line.startsWith('{"decision":')) {
    const read = JSON.parse(line);
    baseline.decisions.set(read.decision, read);
  }
}
// The decisions of this page by the id of their finding, and the ids of those that no saved file has.
const decisions = new Map();
const unsaved = new Set();

const decisionOf = (finding) => decisions.get(finding.key) ?? baseline.decisions.get(finding.key);
const statusOf = (finding) => decisions.get(finding.key)?.status ?? finding.status ?? "";
const isDecided = (finding) => ["approved", "reviewed"].includes(statusOf(finding));
const canDecide = (finding) => !finding.isGone && baseline.findings.has(finding.key);

// The word by which the list filters: the status that the check found, whatever was decided since.
const WORSE = ["graver", "grew"];
const filterStatus = (finding) =>
  finding.status === "reopened" && finding.why ? (WORSE.includes(finding.why) ? "worse" : finding.why) : finding.status;
// Statuses in the order of the filter. The first three are always there.
const STATUSES = ["new", "worse", "resolved"];
const OTHER_STATUSES = ["came back", "expired", "reopened", "active", "reviewed", "approved"];
const GONE = ["resolved", "resolved before", "part missing", "not examined"];

// The state of a row's findings: '✓ approved 9 of 12 until 2027-03-01, 3 new; 9 not saved'.
function stateText(findings) {
  if (!findings[0].status) return "";
  const known = new Map();
  for (const finding of findings) {
    const decided = isDecided(finding);
    const until = decided && decisionOf(finding)?.until;
    const why = !decided && finding.why ? ` (${finding.why})` : "";
    const of = [statusOf(finding), until ? ` until ${until}` : why, decided].join("\n");
    known.set(of, (known.get(of) ?? 0) + 1);
  }
  const all = findings.length;
  const texts = [...known].map(([of, count]) => {
    const [status, more, decided] = of.split("\n");
    if (decided === "true") return `✓ ${status}${all > 1 ? ` ${number(count)} of ${number(all)}` : ""}${more}`;
    return count < all ? `${number(count)} ${status}${more}` : `${status}${more}`;
  });
  // What is decided comes first.
  texts.sort((a, b) => b.startsWith("✓") - a.startsWith("✓"));
  const open = findings.filter((finding) => unsaved.has(finding.key)).length;
  const left = open && (open < all ? `; ${number(open)} not saved` : "; not saved");
  return texts.join(", ") + (left || "");
}

function today() {
  const now = new Date();
  return new Date(now.getTime() - 60000 * now.getTimezoneOffset()).toISOString().slice(0, 10);
}

// Decides about findings; nothing is kept before the baseline is saved.
function decide(findings, { status, by, until, reason }) {
  for (const { key } of findings) {
    const { relation, volume, depth, distance, volume_at_least, depth_at_least, distance_at_least } =
      baseline.findings.get(key);
    const made = { decision: key, status, reason, by, date: today() };
    if (until) made.until = until;
    made.accepted = { relation, volume, depth, distance, volume_at_least, depth_at_least, distance_at_least };
    decisions.set(key, made);
    unsaved.add(key);
  }
}
// Takes back what this page decided, also what was saved before.
function undo(findings) {
  const taken = findings.filter(({ key }) => decisions.delete(key));
  for (const { key } of taken) unsaved.delete(key);
  return taken.length;
}

// The baseline with the decisions: each follows its finding's line.
function edited() {
  const lines = [];
  for (const line of baseline.lines) {
    if (line.startsWith('{"decision":') && decisions.has(JSON.parse(line).decision)) continue;
    lines.push(line);
    const id = line.startsWith('{"id":') && JSON.parse(line).id;
    if (id && decisions.has(id)) lines.push(JSON.stringify(decisions.get(id)));
  }
  return lines.join("\n");
}
function save() {
  const link = element("a", {
    download: "impinge.baseline.jsonl",
    href: URL.createObjectURL(new Blob([edited()], { type: "application/jsonl" })),
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  unsaved.clear();
}
