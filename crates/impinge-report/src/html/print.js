// Pictures for print: one of each row, made when they are wanted.
const MOST_PICTURES = 60;

async function printPictures(list, view, currentFinding) {
  const [button, prints] = [byId("print"), byId("prints")];
  if (button.disabled) return;
  button.disabled = true;
  const rows = list.shown();
  const chosen = rows.slice(0, MOST_PICTURES);
  const figures = [];
  for (const [i, row] of chosen.entries()) {
    button.textContent = `Picture ${i + 1} of ${chosen.length}`;
    const picture = row.finding.isGone ? null : await view.picture(row.finding);
    figures.push(figureOf(list, row, i, picture));
  }
  const left = rows.length - chosen.length;
  const more = left > 0 ? ` The other ${left} have no picture: search and filters choose rows.` : "";
  prints.replaceChildren(
    element("p", {}, `Pictures of ${chosen.length} of ${rows.length} rows, in the order of the list. Part A is blue, part B is orange.${more}`),
    ...figures,
  );
  await Promise.all([...prints.querySelectorAll("img")].map((image) => image.decode()));
  button.textContent = "Print with pictures";
  button.disabled = false;
  if (currentFinding()) view.show(currentFinding());
  document.body.classList.add("pictures");
  // Where printing does not wait for the reader, the event comes after the page was taken.
  addEventListener("afterprint", forget, { once: true });
  globalThis.print();
}
function forget() {
  document.body.classList.remove("pictures");
  byId("prints").replaceChildren();
}
function figureOf(list, row, i, picture) {
  const { finding } = row;
  const labels = namesOf(finding);
  const names = element("b", {}, `${i + 1}. `);
  labels.forEach((name, k) => {
    if (k) names.append(" × ");
    const letter = labels.length > 1 ? `${"AB"[k]} ` : "";
    names.append(element("span", { class: "ab"[k] }, letter, element("bdi", {}, name)));
  });
  const more = [finding.word, ...list.amounts(finding).map(([name, text]) => `${name} ${text}`)];
  if (row.findings.length > 1) more.push(`${number(row.findings.length)} times`);
  if (finding.at) more.push(`at ${finding.at}${unit && ` ${unit}`}`);
  const state = stateText(row.findings);
  if (state) more.push(state);
  const files = [...new Set(finding.parts.map((part) => data.files[partOf(part).file]))];
  const shown = picture
    ? element("img", { src: picture, alt: `${namesOf(finding).join(" and ")}: ${finding.word}` })
    : element("p", {}, finding.isGone ? "No picture: this check does not find it." : "No picture: this file does not have the meshes.");
  return element(
    "figure",
    {},
    shown,
    element(
      "figcaption",
      {},
      names,
      element("div", {}, more.join(" · ")),
      element("div", {}, element("bdi", {}, files.join(", ")), ` · id ${finding.key}`),
    ),
  );
}
