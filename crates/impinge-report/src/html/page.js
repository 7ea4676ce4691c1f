// The page: facts of the selected finding, decisions, coverage, keys, links.
const number = (n) => n.toLocaleString("en");
const decisions = new Map();
let current = null;

function facts(finding) {
  const rows = element("dl");
  const say = (name, ...values) => rows.append(element("dt", {}, name), element("dd", {}, ...values));
  finding.parts.forEach((index, i) => {
    const part = partOf(index);
    const more = [part.class, part.guid, data.files[part.file]].filter(Boolean).join(" · ");
    say(
      finding.parts.length > 1 ? `part ${"AB"[i]}` : "part",
      element("bdi", { class: "ab"[i] }, part.name),
      " · ",
      element("bdi", {}, more),
    );
  });
  say("relation", finding.word + (finding.certainty ? ` (${finding.certainty})` : ""));
  for (const [name, text] of list.amounts(finding)) say(name, text);
  if (data.has_meshes && finding.touching && !finding.contact) say("curves", "not stored: too many, or of a lesser finding");
  if (finding.at) say("point", `${finding.at}${unit && ` ${unit}`}`);
  say("test", element("bdi", {}, data.tests[finding.test].name), ` (${severityOf(finding)})`);
  if (finding.status) say("status", finding.why ? `${finding.status} (${finding.why})` : finding.status);
  const decided = finding.status && decisionOf(finding);
  if (decided)
    say(
      "decision",
      element("bdi", {}, `${decided.status} by ${decided.by}, ${decided.date}: ${decided.reason}`),
    );
  say("id", finding.key);
  byId("facts").replaceChildren(rows);
}

// Lines of the baseline, by the id of their finding.
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
const decisionOf = (finding) => decisions.get(finding.key) ?? baseline.decisions.get(finding.key);

function today() {
  const now = new Date();
  return new Date(now.getTime() - 60000 * now.getTimezoneOffset()).toISOString().slice(0, 10);
}

// Takes a decision from the form; nothing is kept before the baseline is saved.
function decide() {
  const [status, by, until, reason] = ["decision", "by", "until", "reason"].map((id) =>
    byId(id).value.trim(),
  );
  if (!status) {
    decisions.delete(current.key);
    byId("edited").textContent = "No change.";
    return count();
  }
  if (!by || !reason) {
    byId("edited").textContent = "A decision needs a name and a comment.";
    return;
  }
  const { relation, volume, depth, distance, volume_at_least, depth_at_least, distance_at_least } =
    baseline.findings.get(current.key);
  const made = { decision: current.key, status, reason, by, date: today() };
  if (until) made.until = until;
  made.accepted = { relation, volume, depth, distance, volume_at_least, depth_at_least, distance_at_least };
  decisions.set(current.key, made);
  byId("edited").textContent = "Set. Save the baseline to keep it.";
  count();
  facts(current);
}
function count() {
  byId("save").hidden = !data.baseline;
  byId("save").textContent = decisions.size ? `Save baseline (${number(decisions.size)})` : "Save baseline";
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
}
function showEdit(finding) {
  const can = baseline.findings.has(finding.key);
  byId("edit").hidden = !can;
  if (!can) return;
  const made = decisionOf(finding);
  byId("decision").value = decisions.get(finding.key)?.status ?? "";
  byId("reason").value = made?.reason ?? "";
  byId("until").value = made?.until ?? "";
  byId("edited").textContent = "";
}

// A table with a heading for each column; those that begin with '>' are of numbers.
function table(caption, headings, rows) {
  const cells = (name, row) =>
    row.map((text, k) =>
      element(
        name,
        {
          ...(name === "th" ? { scope: "col" } : {}),
          ...(headings[k][0] === ">" ? { class: "number" } : {}),
        },
        typeof text === "number" ? number(text) : String(text),
      ),
    );
  const names = headings.map((heading) => heading.replace(">", ""));
  const made = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...cells("th", names))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells("td", row)))),
  );
  byId("tables").append(
    element("h2", {}, caption),
    element("div", { class: "wrap", tabindex: "0", role: "region", "aria-label": caption }, made),
  );
}
// A list; a long one is made when it is unfolded.
function lines(caption, texts) {
  if (!texts.length) return;
  const items = () => element("ul", {}, ...texts.map((text) => element("li", {}, element("bdi", {}, text))));
  byId("tables").append(element("h2", {}, caption));
  if (texts.length <= 50) {
    byId("tables").append(items());
    return;
  }
  const folded = element("details", {}, element("summary", {}, `Show all ${number(texts.length)}`));
  const unfold = () => {
    if (folded.children.length < 2) folded.append(items());
  };
  folded.addEventListener("toggle", unfold);
  byId("tables").append(folded);
}
function showCoverage() {
  byId("summary").textContent = data.summary;
  const length = (x) => (x === undefined || x === null ? "–" : `${x}${unit && ` ${unit}`}`);
  table(
    "Tests",
    [
      "test",
      "severity",
      "tolerance",
      "clearance",
      ">pairs",
      ">boxes apart",
      ">ignored",
      ">not examined",
      ">tested",
      ">shallow",
      ">ignored by size",
      ">findings",
    ],
    data.tests.map((test) => [
      test.name,
      test.severity,
      length(test.tolerance),
      length(test.clearance),
      test.asked,
      test.boxes_apart,
      test.ignored,
      test.not_examined,
      test.tested,
      test.shallow,
      test.ignored_findings,
      test.findings,
    ]),
  );
  if (data.ignores.length)
    table(
      "Ignore rules",
      ["reason", ">line", "until", ">pairs", ">findings"],
      data.ignores.map((rule) => [
        rule.reason,
        rule.line || "–",
        rule.until ? rule.until + (rule.is_expired ? " (ended)" : "") : "–",
        rule.pairs,
        rule.findings,
      ]),
    );
  const pairs = data.not_examined.map((pair) => pair.map((part) => partOf(part).name).join(" / "));
  const left = data.coverage.not_examined - pairs.length;
  lines("Pairs that were not examined", left > 0 ? [...pairs, `and ${number(left)} more`] : pairs);
  lines(
    "Findings of the baseline that this check does not have",
    data.gone.map(({ id, fate }) => `${id}: ${fate}`),
  );
  lines("Warnings", data.warnings);
  const without = data.has_meshes
    ? data.parts.filter((part) => part.triangles && !meshTexts.has(part.mesh))
    : [];
  lines(
    `Parts without a mesh in this file, as --max-size left them out: ${number(without.length)}`,
    without.map((part) => part.name),
  );
  lines("Files", data.files);
}

const view = createView();
const list = createList((finding) => {
  current = finding;
  facts(finding);
  showEdit(finding);
  // A page in the frame of a notebook has no address of its own.
  if (location.protocol !== "about:") history.replaceState(null, "", `#${finding.key}`);
  view.show(finding);
});
function follow() {
  const finding = data.findings.find((one) => one.key === decodeURIComponent(location.hash.slice(1)));
  if (finding && finding !== current) list.reveal(finding);
  return finding;
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape") {
    if (byId("search").value) {
      byId("search").value = "";
      list.update();
    }
    byId("list").focus();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnButton = event.target.closest?.("button");
  const acts = {
    j: () => list.step(1),
    k: () => list.step(-1),
    ArrowDown: () => list.step(1),
    ArrowUp: () => list.step(-1),
    ArrowRight: () => list.open(true),
    ArrowLeft: () => list.open(false),
    Home: () => list.end(false),
    End: () => list.end(true),
    "/": () => byId("search").focus(),
  };
  if (!isOnButton) Object.assign(acts, { Enter: () => list.toggle(), " ": () => list.toggle() });
  const act = acts[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});
byId("save").addEventListener("click", save);
byId("print").hidden = !data.has_meshes || !data.findings.length;
byId("print").addEventListener("click", () => printPictures(list, view, () => current));
byId("edit").addEventListener("submit", (event) => {
  event.preventDefault();
  decide();
});
byId("link").addEventListener("click", async () => {
  const address = location.href;
  const button = byId("link");
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it from the address bar";
  }
  setTimeout(() => {
    button.textContent = "Copy link";
  }, 2000);
});
addEventListener("hashchange", follow);

const names = data.files.length === 1 ? data.files[0] : `${number(data.files.length)} files`;
document.title = `${names}: ${number(data.findings.length)} findings`;
const triangles = data.parts.reduce((sum, part) => sum + part.triangles, 0);
byId("headline").replaceChildren(
  element("bdi", {}, names),
  `: ${number(data.parts.length)} parts, ${number(triangles)} triangles`,
  data.size ? `; size ${data.size}${unit && ` ${unit}`}` : "",
  `; impinge ${data.version}`,
);
count();
showCoverage();
list.update();
if (!follow()) list.first();
if (!current) view.clear();
