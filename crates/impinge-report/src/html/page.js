// The page: facts of the selected finding, the form of decisions, coverage, keys, links.
let current = null;
let currentRow = null;

function facts({ finding, findings, parent }) {
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
  if (finding.isGone) namesOf(finding).forEach((name) => say("part", element("bdi", {}, name)));
  say("relation", finding.word + (finding.certainty ? ` (${finding.certainty})` : ""));
  for (const [name, text] of list.amounts(finding)) say(finding.isGone ? `${name} before` : name, text);
  if (data.has_meshes && finding.touching && !finding.contact) say("curves", "not stored: too many, or of a lesser finding");
  if (finding.at) say("point", `${finding.at}${unit && ` ${unit}`}`);
  say("test", element("bdi", {}, testOf(finding)), severityOf(finding) && ` (${severityOf(finding)})`);
  const of = finding.group?.findings.length ?? 1;
  if (of > 1) {
    const place = (parent?.findings ?? findings).indexOf(finding) + 1;
    say("row", `${number(of)} findings; in view is number ${number(place)}`);
  }
  if (finding.status) say("status", stateText([finding]));
  const decided = finding.status && decisionOf(finding);
  if (decided) {
    const { status, by, date, until, lapsed, reason } = decided;
    const ended = lapsed ? `, ended ${lapsed}` : until ? `, until ${until}` : "";
    say("decision", element("bdi", {}, `${status} by ${by}, ${date}${ended}: ${reason}`));
  }
  say("id", finding.key);
  byId("facts").replaceChildren(rows);
}

// The findings that the form decides, by the choice of its first field.
function scopes({ finding, findings, group, parent }) {
  const row = (parent?.findings ?? findings).filter(canDecide);
  const of = number((parent ?? { group }).group?.findings.length ?? 1);
  const open = row.filter((one) => !isDecided(one));
  const all = new Map();
  const add = (value, text, chosen) => {
    const share = `${number(chosen.length)} of ${of}`;
    all.set(value, [chosen, `${text}: ${share}`, share]);
  };
  const isWhole = number(row.length) === of;
  if (row.length > 1) add("row", isWhole ? "the whole row" : "the row as filtered", row);
  if (open.length && open.length < row.length) add("open", "the undecided of the row", open);
  if (canDecide(finding)) add("one", of === "1" ? "the finding" : "the one in view", [finding]);
  return { all, usual: parent || !all.has("row") ? "one" : all.has("open") ? "open" : "row" };
}
const scope = () => scopes(currentRow).all.get(byId("scope").value);
function showScope() {
  const [findings, , share] = scope();
  byId("set").textContent = `Set for ${share}`;
  byId("undo").hidden = !findings.some(({ key }) => decisions.has(key));
  byId("undo").textContent = `Undo for ${share}`;
}
// Fills the form for a row. What was typed stays if the row is the same.
function showEdit(row, isSame) {
  const { all, usual } = row ? scopes(row) : { all: new Map() };
  byId("edit").hidden = !all.size;
  if (!all.size) return;
  const before = isSame && byId("scope").value;
  const options = [...all].map(([value, [, text]]) => element("option", { value }, text));
  byId("scope").replaceChildren(...options);
  byId("scope").value = all.has(before) && before !== "open" ? before : usual;
  showScope();
  if (isSame) return;
  const made = decisionOf(row.finding);
  byId("decision").value = decisions.get(row.finding.key)?.status ?? "";
  byId("reason").value = made?.reason ?? "";
  byId("until").value = made?.until ?? "";
  byId("edited").textContent = "";
}
function submit() {
  const [status, by, until, reason] = ["decision", "by", "until", "reason"].map((id) => byId(id).value.trim());
  const wrong = !status
    ? "Choose a status."
    : !by || !reason
      ? "A decision needs a name and a comment."
      : until && until < today()
        ? "The last day has passed."
        : "";
  if (wrong) {
    byId("edited").textContent = wrong;
    return;
  }
  const [findings, , share] = scope();
  const names = namesOf(current).join(" × ");
  decide(findings, { status, by, until, reason });
  changed(`${share} ${status}: ${names}. Save the baseline to keep it.`);
}
function takeBack() {
  const [findings, , share] = scope();
  undo(findings);
  changed(`Taken back: ${share}.`);
}
function changed(text) {
  list.decided();
  showUnsaved();
  if (currentRow && !currentRow.finding.isGone) facts(currentRow);
  byId("edited").textContent = text;
}
const warn = (event) => {
  event.preventDefault();
  // Older browsers ask only if this is set.
  event.returnValue = true;
};
function showUnsaved() {
  byId("save").hidden = !data.baseline;
  byId("save").textContent = decisions.size ? `Save baseline (${number(decisions.size)})` : "Save baseline";
  byId("unsaved").textContent = unsaved.size ? `${counted(unsaved.size, "decision")} not saved` : "";
  globalThis[unsaved.size ? "addEventListener" : "removeEventListener"]("beforeunload", warn);
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
  byId("summary").append(
    ...data.summary.map(([name, count, text]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "number" }, count === null ? "" : number(count)), element("td", {}, text)),
    ),
  );
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
      ">within rounding",
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
      test.within_rounding ?? 0,
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
    gone.map((one) => `${one.status}: ${namesOf(one).join(" × ")} (${one.word}), ${one.key}`),
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
// What a link is about, if it is no finding of this report.
function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}
function setFragment(text) {
  // A page in the frame of a notebook has no address of its own.
  if (location.protocol === "about:") return;
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
}
const list = createList((row) => {
  const finding = row?.finding ?? null;
  const isSame = finding === current;
  const isSameRow = isSame && row?.level === currentRow?.level;
  [current, currentRow] = [finding, row];
  showEdit(row, isSameRow);
  if (finding) {
    notice("");
    facts(row);
  }
  if (isSame) return;
  if (!finding) {
    byId("facts").replaceChildren();
    setFragment("");
    return view.clear("No finding is selected: the filters hide the one that was.");
  }
  setFragment(finding.key);
  if (finding.isGone) view.clear(`${GONE_TEXTS[finding.status][0]} It has no view.`);
  else view.show(finding);
});
const GONE_TEXTS = {
  resolved: ["It is resolved: this check examined its parts and does not find it.", "is resolved"],
  "resolved before": ["It was resolved before, and this check does not find it.", "was resolved before"],
  "part missing": ["It is not in this report: one of its parts is missing.", "is not in this report"],
  "not examined": ["It is not in this report: the check did not examine its parts.", "is not in this report"],
};
// The text of the address after '#'.
function fragment() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
// Selects the finding of the address. A link to a finding that is gone says so, and selects nothing.
function follow() {
  const key = fragment();
  if (!key || byId(key)) return;
  const finding = data.findings.find((one) => one.key === key);
  if (finding) {
    if (finding !== current) list.reveal(finding);
    return notice("");
  }
  const [known, address] = [gone.find((one) => one.key === key), location.hash.slice(1)];
  list.leave();
  // The address stays: it is what the notice is about.
  setFragment(address);
  const hint = data.has_status ? "" : " It may be resolved, or of another report.";
  const text = known
    ? `The finding of this link ${GONE_TEXTS[known.status][1]}: ${namesOf(known).join(" × ")} (${known.word}). ${GONE_TEXTS[known.status][0]}`
    : `The finding of this link is not in this report: ${key.slice(0, 60)}.${hint}`;
  notice(`${text} No finding is selected.`);
  view.clear("No finding is selected: that of the link is not in this report.");
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
byId("save").addEventListener("click", () => {
  const count = unsaved.size;
  save();
  changed("");
  if (count) byId("unsaved").textContent = "Saved: replace your baseline with the file";
});
byId("scope").addEventListener("change", showScope);
byId("undo").addEventListener("click", takeBack);
byId("print").hidden = !data.has_meshes || !data.findings.length;
byId("print").addEventListener("click", () => printPictures(list, view, () => current));
byId("edit").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
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
showUnsaved();
showCoverage();
list.update();
follow();
if (!current && byId("notice").hidden) list.first();
if (!current && byId("notice").hidden) view.clear("No finding is selected.");
