"use strict";
(() => {
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
// Every piece of text enters the page as a text node: nothing that a case or a system says can become markup.
const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null && child !== ""));
  return node;
};
const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", "#i-" + name);
  svg.append(use);
  for (const [key, value] of [["class", "icon v-" + name], ["width", 13], ["height", 13], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  return svg;
};
const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));

// Tables: a heading marked data-sort becomes a button. An empty cell is last in either order.
const cellKey = (cell) => {
  const text = cell.dataset.v ?? cell.firstChild?.textContent.trim() ?? "";
  const number = /^[≤≥]?\s*([+-]?[\d,.]+(?:e-?\d+)?)(?![\w-])/.exec(text);
  return text === "" || text === "–" || text === "no evidence" ? null : number ? Number(number[1].replace(/,/g, "")) : text;
};
const sortTable = (heading) => {
  const row = heading.parentNode, index = [...row.children].indexOf(heading);
  const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of row.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
  // A table with a body a gate is sorted by the first row of each.
  const own = heading.closest("table"), bodies = [...own.tBodies], whole = bodies.length > 1;
  const keyed = (whole ? bodies : [...bodies[0].rows]).map((part, place) => [cellKey((whole ? part.rows[0] : part).cells[index]), place, part]);
  keyed.sort((a, b) => a[0] === null || b[0] === null ? (a[0] === null) - (b[0] === null) || a[1] - b[1] : direction * compare(a[0], b[0]) || a[1] - b[1]);
  (whole ? own : bodies[0]).append(...keyed.map((entry) => entry[2]));
};
// The text stays outside the button: a printer repeats the text of a heading on every page, and no button.
const sortable = (heading, sort = () => sortTable(heading)) => {
  heading.addEventListener("click", sort);
  heading.append(" ", make("button", { type: "button", "aria-label": `Sort by ${heading.textContent}` }));
};
for (const heading of $$("th[data-sort]")) sortable(heading);

// The table of gates: filter by slice and verdict. What matches is opened, and closed again without a filter.
// A gate stays that has such a verdict only in slices that the page leaves out: it says where they are.
for (const filters of $$(".filters[data-for]")) {
  const gates = [...document.getElementById(filters.dataset.for).tBodies], selects = $$("select", filters);
  filters.hidden = false;
  filters.addEventListener("change", () => {
    const wanted = Object.fromEntries(selects.filter((select) => select.value).map((select) => [select.dataset.column, select.value]));
    const columns = Object.keys(wanted);
    let shown = 0, all = 0;
    for (const gate of gates) {
      const rows = $$("tr[data-slice]", gate);
      for (const tr of rows) tr.hidden = columns.some((column) => tr.dataset[column] !== wanted[column]);
      const found = rows.filter((tr) => !tr.hidden).length;
      gate.hidden = !found && (wanted.slice || !gate.dataset.more?.split(" ").includes(wanted.verdict));
      for (const details of $$("details", gate)) details.open = columns.length > 0;
      shown += found;
      all += rows.length;
    }
    $("output", filters).textContent = `${shown} of ${all} results`;
  });
}

addEventListener("beforeprint", () => { for (const details of $$("details.behind")) if (!details.closest(".card")) details.open = true; });

// The data: zlib, base 85. Five digits make four bytes; a last group that is short is filled up with the highest digit.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const base85 = (text) => {
  const place = Object.fromEntries([...DIGITS].map((digit, i) => [digit, i])), short = (5 - (text.length % 5)) % 5, full = text + "~".repeat(short);
  const bytes = new DataView(new ArrayBuffer((full.length / 5) * 4));
  for (let i = 0; i < full.length; i += 5) {
    let value = 0;
    for (let j = i; j < i + 5; j++) value = value * 85 + place[full[j]];
    bytes.setUint32((i / 5) * 4, value);
  }
  return bytes.buffer.slice(0, bytes.byteLength - short);
};
const unpack = async () => {
  const bytes = base85(document.getElementById("page-data").textContent);
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
};
const table = (label, head, rows, kind) => {
  const built = make("table", { class: "plain " + kind }, make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col" }, h)))), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, i) => make(i ? "td" : "th", i ? {} : { scope: "row" }, ...[cell].flat()))))));
  for (const heading of $$("th", built.tHead)) sortable(heading);
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, built);
};

// Measures of single slices: the scorecards, and each panel by group.
const fillSlices = ({ measures, slices: [names, places = [], ...fields], cards, facts }) => {
  const slices = Object.fromEntries(names.map((name) => [name, []]));
  places.forEach((place, i) => slices[names[place]].push(fields.map((column) => column[i])));
  // A scorecard: what its axis names first, slices of other axes that belong to it, and pairs of its group and another.
  const scorecard = (box) => {
    const [axis, ...rest] = box.dataset.slice.split("="), group = rest.join("="), [first, shared, pairs] = cards[axis] ?? [[], [], ""];
    const found = [[axis, ""], ...shared].flatMap(([name, words]) => (slices[`${name}=${group}`] ?? []).map((row) => [row, words && ", " + words]));
    if (pairs) for (const [name, own] of Object.entries(slices)) if (name.startsWith(`${pairs}=${group} → `)) found.push(...own.map((row) => [row, name.slice(`${pairs}=${group}`.length)]));
    const rank = ([m]) => (first.includes(m) ? first.indexOf(m) : first.length + m);
    found.sort(([a], [b]) => rank(a) - rank(b));
    const rows = found.map(([[m, counts, value, interval, bound, enough], other]) => [measures[m][0] + other + (enough ? "" : " †"), counts, value, interval, bound]);
    const [items, gates, empty] = facts[axis][group];
    if (items.length) box.append(make("dl", { class: "facts" }, ...items.map(([item, value]) => make("div", {}, make("dt", {}, item), make("dd", {}, make("bdi", {}, value))))));
    if (gates.length) box.append(make("ul", { class: "gate-list" }, ...gates.map(([verdict, name, title]) => make("li", {}, icon(verdict), `${title}: ${name.toLowerCase()}`))));
    box.append(table(box.dataset.slice, ["Measure", "Events of", "Observed", "95 % interval", "One-sided bound"], rows, "score"), make("p", { class: "note" }, "† insufficient evaluation evidence"));
    if (empty) box.append(make("p", { class: "note" }, `${empty} measures have no case here.`));
  };
  const byGroup = (box) => {
    const own = measures.flatMap(([, panel], m) => (panel === box.dataset.panel ? [m] : []));
    const groups = Object.entries(slices).filter(([name]) => name.startsWith(box.dataset.axis + "="));
    const used = own.filter((m) => groups.some(([, rows]) => rows.some((row) => row[0] === m)));
    const rows = groups.map(([name, found]) => [name.slice(box.dataset.axis.length + 1), ...used.map((m) => { const row = found.find((r) => r[0] === m); return row ? [row[2], make("small", {}, `${row[1] === "–" ? "" : row[1].replace(" of ", "/") + ", "}${row[4]}`)] : "no evidence"; })]);
    const axis = box.dataset.axis.replace(/_/g, " ");
    box.append(table("By " + axis, [axis, ...used.map((m) => measures[m][0])], rows, "matrix"));
  };
  const lazily = (details, box, fill) => details.addEventListener("toggle", () => { if (details.open && !box.dataset.done) { box.dataset.done = "1"; fill(box); } });
  for (const box of $$(".fill")) lazily(box.closest("details"), box, scorecard);
  for (const details of $$(".by-group")) { details.hidden = false; lazily(details, details, byGroup); }
};

// The case browser.
const browseCases = (cases, names) => {
// A code is its place among the names, and a candidate stands in two fields of its rank.
const candidates = (c) => Object.keys(c).flatMap((field) => { const rank = /^candidate(\d+)$/.exec(field)?.[1]; return rank && c[field] !== undefined ? [[names[c[field]], c["score" + rank]]] : []; });
const RANK = ["wrong", "invalid_output", "error", "timeout", "not_run", "undecided", "refused_otherwise", "refused_rightly", "right"];
cases.forEach((c, place) => Object.assign(c, { place, rank: RANK.indexOf(c.outcome), codes: (c.codes ?? []).map((code) => names[code]), tags: c.tags ?? [], candidates: candidates(c), neighbours: c.neighbours ?? [], text: c.text ?? "", answer: names[c.answer] ?? "", confidence: c.confidence === undefined ? null : Number(c.confidence) }));
const OUTCOME = { right: ["pass", "Right"], wrong: ["fail", "Wrong"], refused_rightly: ["pass", "Refused rightly"], refused_otherwise: ["exploratory", "Refused otherwise"], undecided: ["insufficient", "Not decided"], invalid_output: ["insufficient", "Invalid output"], error: ["insufficient", "Error"], timeout: ["insufficient", "Timeout"], not_run: ["not_applicable", "Not run"] };
const outcome = (name) => OUTCOME[name] ?? ["not_applicable", name];
const words = (name) => name.replace(/_/g, " ");
// A code may break after a dot or an underscore, and nowhere else.
const code = (text) => text.split(/(?<=[._])/).flatMap((part, i) => (i ? [make("wbr"), part] : [part]));
const root = document.getElementById("browser"), body = $("tbody", root), filters = $(".filters", root), more = $(".more", root);
const PAGE = 50;
const CHANGE = { regressed: "Worse", changed: "Decided otherwise", improved: "Better", unchanged: "Unchanged" };
const FACETS = [
  ["change", "Change", (c) => [c.change], (v) => CHANGE[v] ?? v],
  ["outcome", "Outcome", (c) => [c.outcome], (v) => outcome(v)[1]],
  ["language", "Language", (c) => [c.language]],
  ["concept", "Concept", (c) => [...c.codes, ...(c.kind === "concept" ? [c.answer] : [])]],
  ["family", "Family", (c) => [c.family], words],
  ["expected", "Expected", (c) => [c.expected], words],
  ["tag", "Tag", (c) => c.tags, words],
  ["cause", "Root cause", (c) => (c.cause ? [c.cause] : (c.proposed ?? []).slice(0, 1).map(([cause]) => cause))],
];
const selects = {};
for (const [name, label, values, show = (v) => v] of FACETS) {
  const counts = new Map();
  for (const c of cases) for (const value of new Set(values(c))) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (!counts.size) continue;
  const options = [...counts].sort((a, b) => compare(a[0], b[0])).map(([value, count]) => make("option", { value }, `${show(value)} (${count})`));
  selects[name] = make("select", { name, onchange: () => refresh() }, make("option", { value: "" }, "any"), ...options);
  filters.append(make("label", {}, label, selects[name]));
}
const search = make("input", { type: "search", name: "search", placeholder: "text or id", oninput: () => refresh() });
filters.append(make("label", {}, "Search", search), make("button", { type: "button", class: "clear", onclick: () => { for (const select of Object.values(selects)) select.value = ""; search.value = ""; refresh(); } }, "Clear"));

const COLUMNS = [["Case", (c) => c.id], ["Outcome", (c) => c.rank], ["Text", (c) => c.text], ["Expected", (c) => c.codes[0] ?? c.expected], ["Answered", (c) => c.answer], ["Confidence", (c) => c.confidence]];
let order = { key: (c) => c.place, direction: 1 }, shown = [], limit = PAGE;
const headings = COLUMNS.map(([label, key]) => {
  const heading = make("th", { scope: "col", class: "c-" + label.toLowerCase() + (label === "Confidence" ? " n" : "") }, label);
  sortable(heading, () => {
    const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    order = { key, direction };
    refresh();
  });
  return heading;
});
$("thead", root).append(make("tr", {}, ...headings));

const reference = (id) => cases.some((c) => c.id === id) ? make("button", { type: "button", class: "ref", onclick: () => openCase(id) }, id) : id;
const fact = (term, ...value) => value.some((v) => v != null && v !== "") ? make("div", {}, make("dt", {}, term), make("dd", {}, make("bdi", {}, ...value))) : null;
const small = (head, rows) => make("table", {}, make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col" }, h)))), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, make("bdi", {}, cell)))))));
const detail = (c) => {
  const siblings = cases.filter((other) => other.unit === c.unit && other !== c).slice(0, 12);
  const box = make("td", { colspan: COLUMNS.length },
    make("p", { class: "said", dir: "auto" }, c.text || "(empty)"),
    make("dl", { class: "facts" },
      fact("Expected", [words(c.expected), ...c.codes].join(": ")),
      fact("Answered", c.answer ? `${c.answer}${c.kind && c.kind !== "concept" ? ` (${words(c.kind)})` : ""}` : words(c.kind || "nothing")),
      fact("Confidence", c.confidence === null ? "not given" : String(c.confidence)),
      c.change ? fact("Before", `${outcome(c.before)[1]}${c.beforeAnswer ? `: ${c.beforeAnswer}` : ""}${c.beforeConfidence ? `, confidence ${c.beforeConfidence}` : ""}`) : null,
      fact("Family", words(c.family)), fact("Language", c.language),
      fact("Tags", c.tags.map(words).join(", ")), fact("Mechanisms", (c.mechanisms ?? []).join(", ")), fact("Contrast", c.contrast), fact("Review", c.review)));
  // The cause that a person set stands before those that rules propose.
  const causes = [...(c.cause ? [["set", c.cause, c.setBy]] : []), ...(c.proposed ?? []).map(([cause, why], i) => [i || c.cause ? "proposed, further" : "proposed", cause, why])];
  if (causes.length) box.append(make("h4", {}, "Root cause"), small(["", "Code", "Why"], causes));
  if (c.candidates.length) box.append(make("h4", {}, `Candidates, in the system's order${c.more ? ` (${c.more} more are not on this page)` : ""}`), small(["", "Code", "Score", ""], c.candidates.map(([code, score], rank) => [String(rank + 1), code, score == null ? "–" : String(score), c.codes.includes(code) ? "expected" : c.neighbours.some((n) => n[0] === code) ? "named neighbour" : ""])));
  if (c.neighbours.length) box.append(make("h4", {}, "Neighbours, and why they are not this meaning"), small(["Code", "Type", "Why"], c.neighbours.map(([other, type, why]) => [other, words(type), why])));
  box.append(make("h4", {}, "Lineage"), make("dl", { class: "facts" },
    fact("Unit", c.unit), c.parent ? fact("Made from", reference(c.parent)) : fact("Made from", "nothing: an original"), fact("Relation", words(c.relation ?? "")),
    fact("Steps", (c.lineage ?? []).map(([operator, note]) => (note ? `${words(operator)}: ${note}` : words(operator))).join("; ")),
    siblings.length ? fact("Siblings on this page", ...siblings.flatMap((other, i) => (i ? [", ", reference(other.id)] : [reference(other.id)]))) : null));
  return make("tr", { class: "case-detail" }, box);
};
const toggle = (tr, c, force) => {
  const button = $("button.open", tr), open = button.getAttribute("aria-expanded") === "true";
  if (open === (force ?? !open)) return;
  button.setAttribute("aria-expanded", String(!open));
  if (open) tr.nextElementSibling.remove(); else tr.after(detail(c));
};
const row = (c) => {
  const [shape, label] = outcome(c.outcome);
  const button = make("button", { type: "button", class: "open", "aria-expanded": "false", onclick: () => toggle(tr, c) }, c.id);
  const tr = make("tr", { "data-id": c.id }, make("th", { scope: "row" }, button), make("td", {}, icon(shape), label, c.change ? make("small", {}, `before: ${outcome(c.before)[1].toLowerCase()}`) : ""), make("td", { dir: "auto" }, make("span", { class: "short" }, c.text || "(empty)")),
    make("td", {}, ...code(c.codes.join(", ") || words(c.expected)), make("small", {}, `${c.language}, ${words(c.family)}`)),
    make("td", {}, ...code(c.answer || "–"), c.kind && c.kind !== "concept" ? make("small", {}, words(c.kind)) : ""), make("td", { class: "n" }, c.confidence === null ? "–" : String(c.confidence)));
  return tr;
};
const draw = () => {
  body.replaceChildren(...shown.slice(0, limit).map(row));
  more.hidden = shown.length <= limit;
  more.textContent = `Show ${Math.min(PAGE, shown.length - limit)} more`;
  $(".count", root).textContent = `${shown.length.toLocaleString("en")} of ${cases.length.toLocaleString("en")} cases`;
};
const refresh = () => {
  const wanted = FACETS.filter(([name]) => selects[name]?.value), text = search.value.trim().toLowerCase();
  shown = cases.filter((c) => wanted.every(([name, , values]) => values(c).includes(selects[name].value)) && (!text || c.id.toLowerCase().includes(text) || c.text.toLowerCase().includes(text)));
  const { key, direction } = order;
  shown.sort((a, b) => { const [x, y] = [key(a), key(b)]; return x === null || y === null ? (x === null) - (y === null) || a.place - b.place : direction * compare(x, y) || a.place - b.place; });
  limit = PAGE;
  draw();
};
const openCase = (id) => {
  if (!shown.some((c) => c.id === id)) $(".clear", root).click();
  const index = shown.findIndex((c) => c.id === id);
  if (index >= limit) { limit = index + 1; draw(); }
  const tr = $$("tr[data-id]", body).find((candidate) => candidate.dataset.id === id);
  toggle(tr, shown[index], true);
  tr.scrollIntoView({ block: "start" });
  $("button.open", tr).focus({ preventScroll: true });
};
more.addEventListener("click", () => { const first = limit; limit += PAGE; draw(); $$("button.open", body)[first]?.focus(); });
for (const box of $$(".card .fill")) {
  const [axis, ...rest] = box.dataset.slice.split("="), select = selects[axis];
  const show = () => { $(".clear", root).click(); select.value = rest.join("="); refresh(); root.scrollIntoView(); select.focus({ preventScroll: true }); };
  if (select) box.after(make("button", { type: "button", class: "to-cases", onclick: show }, "Show its cases"));
}
root.hidden = false;
const fallback = document.getElementById("static-cases");
if (fallback) fallback.open = false;
refresh();
};

unpack().then((data) => {
  fillSlices(data);
  const fields = Object.entries(data.cases ?? {});
  if (fields.length) browseCases(fields[0][1].map((_, i) => Object.fromEntries(fields.map(([name, column]) => [name, column[i] ?? undefined]))), data.names);
  document.getElementById("no-script")?.remove();
  document.documentElement.dataset.ready = "1";
});
})();
