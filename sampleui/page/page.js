"use strict";
const box = document.getElementById("search"), count = document.getElementById("count");
const records = [...document.querySelectorAll(".record")];
const tables = [...document.querySelectorAll("table.many")];
const matrix = document.querySelector(".matrix");
const texts = new Map();
let waiting;

function textOf(item) {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return texts.get(item);
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (item) => words.every((word) => textOf(item).includes(word));
  for (const record of records) record.hidden = !holds(record);
  for (const table of tables) {
    const rows = [...table.tBodies[0].rows], found = words.length ? rows.filter(holds) : [];
    table.classList.toggle("searched", found.length > 0);
    for (const row of rows) row.hidden = found.length ? !found.includes(row) : row.classList.contains("more");
  }
  if (matrix) searchMatrix(words, holds);
  const shown = records.filter((record) => !record.hidden).length;
  count.textContent = words.length ? `${shown} of ${records.length} records` : "";
}

// Rows that hold the words are left with all columns, or else the columns whose heads do, with all rows.
function searchMatrix(words, holds) {
  const rows = [...matrix.tBodies[0].rows], heads = [...matrix.tHead.rows[0].cells];
  const found = new Set(rows.filter(holds));
  const columns = heads.map((head, index) => index === 0 || found.size > 0 || holds(head));
  for (const row of rows) row.hidden = found.size > 0 && !found.has(row);
  for (const row of [matrix.tHead.rows[0], ...rows])
    [...row.cells].forEach((cell, index) => { cell.hidden = !columns[index]; });
  matrix.closest("section").hidden = found.size === 0 && !columns.some((shown, index) => shown && index > 0);
}

function step(by) {
  const shown = records.filter((record) => !record.hidden);
  const current = shown.indexOf(document.activeElement.closest(".record"));
  const next = shown[current < 0 ? (by > 0 ? 0 : shown.length - 1) : current + by];
  if (next) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }
}

for (const table of tables) {
  const note = document.createElement("p"), rows = table.tBodies[0].rows.length;
  note.className = "muted screen";
  note.textContent = `The first ${rows - table.querySelectorAll(".more").length} of ${rows} rows: a search finds the others.`;
  table.closest(".wide").after(note);
}
search();
box.hidden = false;
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 120);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === box) {
    if (event.key === "Escape") {
      box.value = "";
      search();
      box.blur();
    } else if (event.key === "Enter") {
      search();
      step(1);
    }
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    step(event.key === "j" ? 1 : -1);
  }
});
