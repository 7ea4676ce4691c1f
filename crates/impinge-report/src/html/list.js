// The list: groups that unfold to findings, filtered and sorted. Rows are made as they come into view.
const CHUNK = 200;
const SEVERITIES = ["critical", "high", "medium", "low", "info"];
const rankOf = (severity) => {
  const i = SEVERITIES.indexOf(severity);
  return i < 0 ? SEVERITIES.length : i;
};
const compareTexts = new Intl.Collator(undefined, { numeric: true }).compare;
// Larger first; what has no size comes last.
const bySize = (k) => (a, b) => (b.sizes[k] ?? -1) - (a.sizes[k] ?? -1);
const SEPARATING = "separating distance";
const ORDERS = {
  rank: ["gravest first", null],
  severity: ["severity", (a, b) => rankOf(severityOf(a)) - rankOf(severityOf(b))],
  relation: ["relation", (a, b) => compareTexts(a.word, b.word)],
  volume: ["volume", bySize(0)],
  depth: ["depth", bySize(1)],
  separating: [SEPARATING, bySize(2)],
  gap: ["gap", (a, b) => (a.sizes[3] ?? Infinity) - (b.sizes[3] ?? Infinity) || 0],
  name: ["name", (a, b) => compareTexts(a.label, b.label)],
  status: ["status", (a, b) => compareTexts(statusOf(a), statusOf(b))],
};

// Calls `onSelect` with the selected row, or with null when nothing is selected any more.
function createList(onSelect) {
  const [list, shown] = [byId("list"), byId("shown")];
  const valueOf = {
    relation: (finding) => finding.word,
    test: testOf,
    severity: severityOf,
    status: filterStatus,
    decided: (finding) => (isDecided(finding) ? "decided" : "undecided"),
  };
  const filters = Object.keys(valueOf);
  const all = [...data.findings, ...gone];
  for (const finding of all) {
    finding.label = namesOf(finding).join(" / ");
    const texts = finding.parts.flatMap((part) => [
      partOf(part).name,
      partOf(part).guid ?? "",
      partOf(part).class ?? "",
      data.files[partOf(part).file],
    ]);
    finding.text = [...texts, finding.label, finding.key, finding.word, testOf(finding)].join("\n").toLowerCase();
  }
  const option = (value, text) =>
    element("option", { value }, text.length > 60 ? `${text.slice(0, 60)}…` : text || "none");
  for (const name of ["relation", "test", "severity"]) {
    const values = [...new Set(all.map(valueOf[name]))].sort(compareTexts);
    byId(name).replaceChildren(option("", "all"), ...values.map((value, i) => option(String(i + 1), value)));
    byId(name).values = values;
    byId(name).parentElement.hidden = values.length < 2;
  }
  const counts = new Map();
  for (const finding of all) counts.set(filterStatus(finding), (counts.get(filterStatus(finding)) ?? 0) + 1);
  const statuses = [...new Set([...STATUSES, ...OTHER_STATUSES, ...GONE])].filter(
    (status) => STATUSES.includes(status) || counts.has(status),
  );
  byId("status").values = statuses;
  byId("status").replaceChildren(
    option("", "all of this check"),
    ...statuses.map((status, i) => option(String(i + 1), `${status} (${number(counts.get(status) ?? 0)})`)),
  );
  byId("status").parentElement.hidden = !data.has_status;
  byId("decided").values = ["undecided", "decided"];
  byId("decided").parentElement.hidden = !data.has_status;
  byId("grouped").parentElement.hidden = groups.every((group) => group.findings.length < 2);
  byId("sort").replaceChildren(...Object.entries(ORDERS).map(([key, [text]]) => option(key, text)));
  const wantedOf = (name) => byId(name).value && byId(name).values[byId(name).value - 1];

  let rows = [];
  let made = 0;
  let selected = null;
  const opened = new Set();

  function amounts(finding) {
    const [volume, depth, separating, gap] = finding.texts;
    return [
      volume && ["volume", volume],
      depth && ["depth", depth],
      separating && [SEPARATING, separating],
      gap && ["gap", gap],
    ].filter(Boolean);
  }
  function makeRow(row, index) {
    const { finding, group, level } = row;
    const attributes = {
      role: "treeitem",
      class: "row",
      id: `row-${index}`,
      "aria-level": level,
      "aria-selected": row === selected,
    };
    if (group) attributes["aria-expanded"] = opened.has(group);
    const names = namesElement(group?.labels ?? namesOf(finding));
    if (group) {
      const [count, whole] = [row.findings.length, group.findings.length];
      const times = count < whole ? `${number(count)} of ${number(whole)}` : `${number(count)} times`;
      names.append(element("span", { class: "times" }, times));
    }
    // One length is enough for a row.
    const short = amounts(finding).filter(([name]) => name !== SEPARATING || !finding.texts[1]);
    const more = [finding.word, ...short.map(([name, text]) => `${name} ${text}`)];
    if (data.tests.length > 1) more.push(...[testOf(finding), severityOf(finding)].filter(Boolean));
    if (finding.certainty) more.push(finding.certainty);
    const line = element("div", { class: "line" }, element("span", { class: "more" }, more.join(" · ")));
    const state = stateText(row.findings);
    if (state) line.append(element("span", { class: "state" }, state));
    const made = element("div", attributes, names, line);
    made.addEventListener("click", () => {
      if (group && row === selected) toggle(row);
      else if (group) {
        select(row);
        open(row, true);
      } else select(row);
    });
    row.element = made;
    return made;
  }

  // The rows that search and filters leave.
  function filtered() {
    const text = byId("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = filters.map((name) => [valueOf[name], wantedOf(name)]).filter(([, want]) => want);
    const fits = (finding) =>
      wanted.every(([value, want]) => value(finding) === want) &&
      text.every((word) => finding.text.includes(word));
    const order = ORDERS[byId("sort").value][1];
    const isGrouped = byId("grouped").checked;
    const found = [];
    if (GONE.includes(wantedOf("status")))
      for (const finding of gone.filter(fits)) found.push({ findings: [finding] });
    else
      for (const group of groups) {
        const findings = group.findings.filter(fits);
        if (!findings.length) continue;
        if (isGrouped) found.push({ group, findings: order ? findings.sort(order) : findings });
        else for (const finding of findings) found.push({ findings: [finding] });
      }
    if (order) found.sort((x, y) => order(x.findings[0], y.findings[0]));
    return found;
  }
  function update() {
    const before = selected;
    const found = filtered();
    rows = [];
    for (const { group, findings } of found) {
      if (!group || group.findings.length < 2) {
        rows.push({ finding: findings[0], findings, level: 1 });
        continue;
      }
      const row = { group, finding: findings[0], findings, level: 1 };
      rows.push(row);
      if (opened.has(group))
        for (const finding of findings) rows.push({ finding, findings: [finding], parent: row, level: 2 });
    }
    selected = before && (rows.find((row) => isAs(row, before)) ?? holder(before.finding) ?? null);
    say(found);
    list.replaceChildren();
    made = 0;
    extend(selected ? rows.indexOf(selected) : 0);
    mark();
    if (before) onSelect(selected);
  }
  // Whether a row takes the place of another one: it is of the same group, or of the same finding.
  const isAs = (row, other) =>
    row.level === other.level && (row.group ? row.group === other.group : row.finding === other.finding);
  // The row of a finding, or that of its group if the group is folded.
  const holder = (finding) =>
    rows.find((row) => row.finding === finding && !row.group) ??
    rows.find((row) => row.findings.includes(finding));
  function say(found) {
    const count = found.reduce((sum, { findings }) => sum + findings.length, 0);
    const of = GONE.includes(wantedOf("status")) ? gone.length : data.findings.length;
    if (!of) shown.textContent = of === gone.length && wantedOf("status") ? "No such findings." : "No findings.";
    else {
      const open = data.has_status ? data.findings.filter((finding) => !isDecided(finding)).length : 0;
      shown.textContent =
        `${count < of ? `${number(count)} of ` : ""}${counted(of, "finding")} in ${counted(found.length, "row")}` +
        (data.has_status ? `; ${number(open)} undecided in all` : "");
    }
  }
  // Makes rows up to one, and some more.
  function extend(to) {
    const end = Math.min(rows.length, Math.max(to + 1, made) + CHUNK);
    const more = document.createDocumentFragment();
    for (; made < end; made++) more.append(makeRow(rows[made], made));
    list.append(more);
  }
  function mark() {
    list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    if (!selected) {
      list.removeAttribute("aria-activedescendant");
      return;
    }
    selected.element.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", selected.element.id);
    // Scrolls the list alone: on a narrow screen the page must stay where it is.
    const [row, box] = [selected.element.getBoundingClientRect(), list.getBoundingClientRect()];
    if (row.top < box.top) list.scrollTop -= box.top - row.top;
    else if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom;
  }
  function select(row) {
    if (!row) return;
    const index = rows.indexOf(row);
    if (index >= made) extend(index);
    selected = row;
    mark();
    onSelect(row);
  }
  function open(row, is) {
    if (!row?.group || opened.has(row.group) === is) return;
    if (is) opened.add(row.group);
    else opened.delete(row.group);
    update();
  }
  const toggle = (row) => open(row, !opened.has(row.group));
  function step(by) {
    const index = selected ? rows.indexOf(selected) + by : 0;
    if (rows[index]) select(rows[index]);
  }
  list.addEventListener("scroll", () => {
    if (list.scrollTop + 2 * list.clientHeight > list.scrollHeight) extend(made);
  });
  addEventListener("beforeprint", () => {
    while (made < rows.length) extend(rows.length);
  });
  for (const name of [...filters, "sort", "grouped"]) byId(name).addEventListener("change", update);
  byId("search").addEventListener("input", update);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  return {
    update,
    step,
    amounts,
    open: (is) => open(selected, is),
    toggle: () => {
      if (selected?.group) toggle(selected);
    },
    end: (is) => select(rows[is ? rows.length - 1 : 0]),
    // Shows what was decided. If a filter then hides the selected row, the row that takes its place is next.
    decided() {
      const index = selected ? rows.indexOf(selected) : Infinity;
      update();
      if (!selected && index < Infinity) select(rows[Math.min(index, rows.length - 1)]);
    },
    // Selects a finding, wherever it is: filters that hide it are cleared, its group is unfolded.
    reveal(finding) {
      selected = null;
      update();
      if (!rows.some((row) => row.findings.includes(finding))) {
        byId("search").value = "";
        for (const name of filters) byId(name).value = "";
      }
      if (finding.group.findings.length > 1) opened.add(finding.group);
      update();
      select(holder(finding));
    },
    // Selects nothing.
    leave() {
      selected = null;
      mark();
      onSelect(null);
    },
    // The rows without those that a group unfolds to.
    shown: () => rows.filter((row) => row.level === 1),
    first: () => {
      if (rows[0]) select(rows[0]);
    },
  };
}
