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
const ORDERS = {
  rank: ["gravest first", null],
  severity: ["severity", (a, b) => rankOf(severityOf(a)) - rankOf(severityOf(b))],
  relation: ["relation", (a, b) => compareTexts(a.word, b.word)],
  volume: ["volume", bySize(0)],
  clear: ["clear by", bySize(1)],
  gap: ["gap", (a, b) => (a.sizes[2] ?? Infinity) - (b.sizes[2] ?? Infinity) || 0],
  name: ["name", (a, b) => compareTexts(a.label, b.label)],
  status: ["status", (a, b) => compareTexts(a.status ?? "", b.status ?? "")],
};

function createList(onSelect) {
  const [list, shown] = [byId("list"), byId("shown")];
  const filters = ["relation", "test", "severity", "status"];
  const valueOf = {
    relation: (finding) => finding.word,
    test: (finding) => data.tests[finding.test].name,
    severity: severityOf,
    status: (finding) => finding.status ?? "",
  };
  for (const finding of data.findings) {
    finding.label = namesOf(finding).join(" / ");
    const texts = finding.parts.flatMap((part) => [
      partOf(part).name,
      partOf(part).guid ?? "",
      partOf(part).class ?? "",
      data.files[partOf(part).file],
    ]);
    finding.text = [...texts, finding.key, finding.word, valueOf.test(finding)].join("\n").toLowerCase();
  }
  for (const name of filters) {
    const values = [...new Set(data.findings.map(valueOf[name]))].sort(compareTexts);
    byId(name).replaceChildren(
      element("option", { value: "" }, "all"),
      ...values.map((value, i) =>
        element(
          "option",
          { value: String(i + 1) },
          value.length > 60 ? `${value.slice(0, 60)}…` : value || "none",
        ),
      ),
    );
    byId(name).values = values;
    byId(name).parentElement.hidden = values.length < 2;
  }
  byId("sort").replaceChildren(
    ...Object.entries(ORDERS).map(([key, [text]]) => element("option", { value: key }, text)),
  );

  let rows = [];
  let made = 0;
  let selected = null;
  const opened = new Set();

  function amounts(finding) {
    const [volume, clear, gap] = finding.texts;
    const inUnit = (text, power) => (/^[\d.]/.test(text) && unit ? `${text} ${unit}${power}` : text);
    return [
      volume && ["volume", inUnit(volume, "³")],
      clear && ["clear by", inUnit(clear, "")],
      gap && ["gap", inUnit(gap, "")],
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
    const names = element("div", { class: "names" });
    const labels = group?.labels ?? namesOf(finding);
    labels.forEach((label, i) => {
      if (i) names.append(" × ");
      names.append(
        element("bdi", { class: "ab"[i] + (label.length > 24 ? " long" : ""), title: label }, label),
      );
    });
    if (group)
      names.append(
        element(
          "span",
          { class: "times" },
          row.count < group.findings.length
            ? `${row.count} of ${group.findings.length}`
            : `${row.count} times`,
        ),
      );
    const more = [finding.word, ...amounts(finding).map(([name, text]) => `${name} ${text}`)];
    if (data.tests.length > 1) more.push(valueOf.test(finding), severityOf(finding));
    if (finding.status) more.push(finding.why ? `${finding.status} (${finding.why})` : finding.status);
    if (finding.certainty) more.push(finding.certainty);
    const made = element("div", attributes, names, element("div", { class: "more" }, more.join(" · ")));
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

  function update() {
    const text = byId("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = filters.map((name) => [
      valueOf[name],
      byId(name).value && byId(name).values[byId(name).value - 1],
      byId(name).value,
    ]);
    const fits = (finding) =>
      wanted.every(([value, want, is]) => !is || value(finding) === want) &&
      text.every((word) => finding.text.includes(word));
    const order = ORDERS[byId("sort").value][1];
    const isGrouped = byId("grouped").checked;
    const before = selected?.finding;
    let found = [];
    let count = 0;
    for (const group of groups) {
      const findings = group.findings.filter(fits);
      count += findings.length;
      if (!findings.length) continue;
      if (isGrouped) found.push({ group, findings: order ? findings.sort(order) : findings });
      else for (const finding of findings) found.push({ group, findings: [finding] });
    }
    if (order) found.sort((x, y) => order(x.findings[0], y.findings[0]));
    rows = [];
    for (const { group, findings } of found) {
      const isOne = !isGrouped || group.findings.length < 2;
      if (isOne) {
        rows.push({ finding: findings[0], level: 1 });
        continue;
      }
      rows.push({ group, finding: findings[0], count: findings.length, level: 1 });
      if (opened.has(group)) for (const finding of findings) rows.push({ finding, level: 2 });
    }
    selected = rows.find((row) => row.finding === before) ?? null;
    const number = (n) => n.toLocaleString("en");
    const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
    const all = data.findings.length;
    shown.textContent =
      all === 0
        ? "No findings."
        : `${count < all ? `${number(count)} of ` : ""}${counted(all, "finding")} in ${counted(found.length, "row")}`;
    list.replaceChildren();
    made = 0;
    extend(selected ? rows.indexOf(selected) : 0);
    mark();
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
    onSelect(row.finding);
  }
  function open(row, is) {
    if (!row?.group || opened.has(row.group) === is) return;
    if (is) opened.add(row.group);
    else opened.delete(row.group);
    update();
    selected = rows.find((other) => other.group === row.group) ?? selected;
    mark();
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
    // Selects a finding, wherever it is: filters that hide it are cleared, its group is unfolded.
    reveal(finding) {
      const find = () =>
        rows.find((row) => row.finding === finding && !row.group) ??
        rows.find((row) => row.finding === finding);
      if (!find() && !rows.some((row) => row.group === finding.group)) {
        byId("search").value = "";
        filters.forEach((name) => {
          byId(name).value = "";
        });
      }
      if (finding.group.findings.length > 1) opened.add(finding.group);
      update();
      select(find());
    },
    // The rows without those that a group unfolds to.
    shown: () => rows.filter((row) => row.level === 1),
    first: () => {
      if (rows[0]) select(rows[0]);
    },
  };
}
