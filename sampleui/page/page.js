"use strict";
const box = document.getElementById("search"), count = document.getElementById("count");
const records = [...document.querySelectorAll(".record")];
const items = [...records, ...document.querySelectorAll(".matrix tbody tr")];
const texts = new Map();
let waiting;

function textOf(item) {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return texts.get(item);
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of items) item.hidden = !words.every((word) => textOf(item).includes(word));
  const shown = records.filter((record) => !record.hidden).length;
  count.textContent = words.length ? `${shown} of ${records.length} records` : "";
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
