// SPDX-License-Identifier: BSD-2-Clause
// Puts the page together: heading, list of series with their values, tooltip, buttons.
"use strict";

const kSeriesForFilter = 12;
const byId = (id) => document.getElementById(id);

// The value of a series at the cursor; both limits where it jumps.
function valueText(series, cursor, text) {
  const left = series.column.at(cursor.first);
  const right = series.column.at(cursor.last);
  return Object.is(left, right) ? text(left) : `${text(left)} → ${text(right)}`;
}

function withUnit(text, unit) {
  return unit === "" || unit === "1" ? text : `${text}\u00a0${unit}`;
}

function seriesRow(series) {
  const row = element("li", "series-row");
  const label = element("label", "");
  const box = element("input", "");
  box.type = "checkbox";
  box.checked = series.isShown;
  box.addEventListener("change", () => {
    view.toggle(series, box.checked);
    paintSwatch();
    showValues();
  });
  const mark = element("span", "swatch");
  const paintSwatch = () => {
    mark.style.background = series.isShown ? `var(${series.color})` : "";
  };
  paintSwatch();
  label.append(box, mark, element("span", "name", series.name), element("span", "description", series.description));
  label.title = withUnit(series.name, series.unit && `[${series.unit}]`) +
                (series.description && `\n${series.description}`);
  series.listValue = element("output", "value");
  row.append(label, series.listValue);
  series.row = row;
  return row;
}

// The values at the cursor; without one, those at the end of the run.
function showValues() {
  const {cursor} = view;
  const moment = byId("moment");
  const shown = cursor ?? view.cursorAt(view.full[1], 0);
  if (shown === null) return;
  byId("series-moment").textContent = cursor === null ? "at the end" : `at t = ${exactText(shown.t)}`;
  if (cursor === null) {
    moment.textContent = "Point at a curve to read its values.";
    moment.title = "";
  } else {
    moment.replaceChildren(element("span", "label", "t = "), element("span", "exact", exactText(cursor.t)));
    const surfaces = sliding.surfacesAt(cursor.t);
    if (surfaces > 0) moment.append(surfaces === 1 ? ", sliding" : `, sliding on ${surfaces} surfaces`);
    moment.title = `t = ${seventeenDigits(cursor.t)}`;
  }
  for (const series of plot.series) {
    series.listValue.textContent = withUnit(valueText(series, shown, exactText), series.unit);
    if (series.isShown) {
      series.legendValue.textContent = cursor === null ? "" : valueText(series, cursor, shortText);
    }
  }
}

function showTooltip() {
  const tooltip = byId("tooltip");
  const {cursor} = view;
  const first = view.panels[0];
  tooltip.hidden = cursor === null || cursor.event === null || !first || !first.chart || view.band !== null;
  if (tooltip.hidden) return;
  const {event} = cursor;
  const t = events.times[event];
  const kind = events.kindOf(event);
  const head = element("p", "tooltip-head");
  head.append(kindMark(kind), element("span", "", `${kind.name} event`));
  tooltip.replaceChildren(head, element("p", "exact", `t = ${seventeenDigits(t)}`));
  const names = events.indicatorsOf(event);
  for (const name of names.slice(0, 8)) tooltip.append(element("p", "indicator", name));
  if (names.length > 8) tooltip.append(element("p", "more", `and ${names.length - 8} more indicators`));
  for (const note of events.notesOf(event).slice(0, 8)) tooltip.append(element("p", "exact", note));
  const others = events.countNear(t, kSnap * timePerPixel()) - 1;
  if (others > 0) tooltip.append(element("p", "more", `${others} more within ${kSnap} pixels: zoom in`));
  const box = first.overlay.getBoundingClientRect();
  const x = box.left + first.chart.toDomXCoord(t);
  const width = tooltip.offsetWidth;
  const left = x + 12 + width > document.documentElement.clientWidth ? x - 12 - width : x + 12;
  tooltip.style.left = `${Math.max(4, left) + window.scrollX}px`;
  tooltip.style.top = `${box.top + 8 + window.scrollY}px`;
}

// Reads the cursor aloud after a key moved it; a pointer would talk without end.
function announce() {
  const {cursor} = view;
  if (cursor === null) return;
  const values = plot.series.filter((one) => one.isShown)
                     .map((one) => `${one.name} ${withUnit(valueText(one, cursor, shortText), one.unit)}`);
  const event = cursor.event === null ? "" : `, ${events.kindOf(cursor.event).name} event`;
  byId("announcement").textContent = `t ${shortText(cursor.t)}${event}: ${values.join(", ")}`;
}

function makeFilter() {
  const filter = byId("series-filter");
  filter.hidden = plot.series.length <= kSeriesForFilter;
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const one of plot.series) one.row.hidden = !one.name.toLowerCase().includes(wanted);
  });
}

function start() {
  byId("subtitle").textContent = plot.subtitle;
  byId("subtitle").hidden = plot.subtitle === "";
  const warnings = plot.warnings ?? [];
  byId("warnings").hidden = warnings.length === 0;
  byId("warnings").replaceChildren(...warnings.map((warning) => element("li", "", warning)));
  byId("title").hidden = plot.title === "";
  for (const part of document.querySelectorAll(".toolbar, .help, .side")) part.hidden = plot.time.length === 0;
  for (const series of seriesShownAtFirst()) view.toggle(series, true);
  view.arrange();
  byId("series").append(...plot.series.map(seriesRow));
  makeFilter();
  makeEventList();
  view.cursorListeners.push(showValues, showTooltip);
  view.draw();
  byId("zoom-in").addEventListener("click", () => view.zoom(0.5));
  byId("zoom-out").addEventListener("click", () => view.zoom(2));
  byId("zoom-reset").addEventListener("click", () => view.reset());
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.refresh());
  new ResizeObserver(() => view.refresh()).observe(byId("panels"));
  window.addEventListener("resize", () => view.refresh());
}

start();
