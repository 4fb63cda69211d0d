// SPDX-License-Identifier: BSD-2-Clause
// What the reader looks at: the window of time, the cursor and the shown series. All changes pass here.
"use strict";

const kMarkerHeight = 18;
const kColors = 8;
const kShownAtFirst = 6;

const view = {
  full: fullWindow(),
  window: fullWindow(),
  cursor: null,     // {t, first, last, event}: a time, the rows recorded there, an event or null
  pinned: null,     // the cursor to which the view returns when the pointer leaves
  band: null,       // {panel, from, to} in pixels while a drag marks a stretch; panel null: a stretch of time
  panels: [],
  cursorListeners: [],
  isScheduled: false,

  // Redraws everything, once, before the next picture.
  refresh() {
    if (view.isScheduled) return;
    view.isScheduled = true;
    requestAnimationFrame(() => {
      view.isScheduled = false;
      view.draw();
    });
  },

  draw() {
    const height = view.panelHeight();
    const last = view.panels.length - 1;
    const heights = view.panels.map((_, k) => height + (k === last ? kTimeAxisHeight + kTimeLabelHeight : 0));
    const widths = view.panels.map((panel, k) => panel.prepare(view.window, heights[k]));
    const labelWidth = Math.max(40, ...widths);
    document.documentElement.style.setProperty("--label-width", `${labelWidth}px`);
    view.panels.forEach((panel, k) => panel.draw(view.window, labelWidth, k === last));
    view.drawMarkers();
    view.setCursor(view.cursor);
  },

  // The panels share what the screen has below the heading, within reason.
  panelHeight() {
    const top = document.getElementById("panels").getBoundingClientRect().top + window.scrollY;
    const count = Math.max(1, view.panels.length);
    return clamp(Math.floor((window.innerHeight - top - 110) / count) - 34, 140, 420);
  },

  drawMarkers() {
    const canvas = document.getElementById("markers");
    canvas.hidden = view.panels.length === 0 || events.times.length === 0;
    if (canvas.hidden) return;
    const {chart, area, body} = view.panels[0];
    const context = prepareCanvas(canvas, body.clientWidth, kMarkerHeight);
    context.beginPath();
    context.rect(area.x - 6, 0, area.w + 12, kMarkerHeight);
    context.clip();
    const size = {width: area.w, height: kMarkerHeight};
    events.drawMarkers(context, size, view.window, (t) => chart.toDomXCoord(t));
  },

  drawOverlays() {
    for (const panel of view.panels) {
      if (panel.chart !== null) panel.drawOverlay(view.cursor, view.band);
    }
  },

  // Shows [from, to], as far as the run goes and doubles can tell times apart.
  setWindow(from, to) {
    const [start, stop] = view.full;
    const least = Math.max(Math.abs(from), Math.abs(to), Number.MIN_VALUE * 2 ** 60) * 2 ** -45;
    const span = clamp(to - from, Math.min(least, stop - start), stop - start);
    const left = clamp((from + to) / 2 - span / 2, start, stop - span);
    view.window = [left, Math.min(left + span, stop)];
    view.refresh();
  },

  reset() {
    for (const panel of view.panels) panel.range = null;
    view.setWindow(...view.full);
  },

  // Makes the window `factor` times as long; the time `center` keeps its place.
  zoom(factor, center = view.center()) {
    const [from, to] = view.window;
    view.setWindow(center - (center - from) * factor, center + (to - center) * factor);
  },

  center() {
    const [from, to] = view.window;
    const t = view.cursor?.t;
    return t >= from && t <= to ? t : (from + to) / 2;
  },

  pan(fraction) {
    const [from, to] = view.window;
    view.setWindow(from + fraction * (to - from), to + fraction * (to - from));
  },

  // The cursor for a time; an event within `reach` attracts it.
  cursorAt(t, reach) {
    const event = events.nearest(t, reach);
    const rows = rowsNear(event === null ? t : events.times[event]);
    return rows === null ? null : {t: plot.time[rows.first], event, ...rows};
  },

  setCursor(cursor) {
    view.cursor = cursor;
    view.drawOverlays();
    for (const listener of view.cursorListeners) listener();
  },

  // Pins the cursor to an event and brings that into sight.
  goToEvent(event) {
    const t = events.times[event];
    const rows = rowsNear(t);
    if (rows === null) return;
    const [from, to] = view.window;
    if (t < from || t > to) view.setWindow(t - (to - from) / 2, t + (to - from) / 2);
    view.pinned = {t: plot.time[rows.first], event, ...rows};
    view.cursor = view.pinned;
    view.draw();
  },

  // Shows or hides a series; its panel comes and goes with it.
  toggle(series, isShown) {
    series.isShown = isShown;
    if (isShown) {
      const used = new Set(plot.series.filter((one) => one !== series && one.isShown).map((one) => one.color));
      const free = [...Array(kColors).keys()].map((k) => `--series-${k}`).filter((color) => !used.has(color));
      series.color = free[0] ?? `--series-${plot.series.indexOf(series) % kColors}`;
    }
    view.arrange();
  },

  // One panel for each unit of which a series is shown, in the order of the series.
  arrange() {
    const units = new Set(plot.series.filter((one) => one.isShown).map((one) => one.unit));
    const old = new Map(view.panels.map((panel) => [panel.unit, panel]));
    view.panels = [...units].map((unit) => old.get(unit) ?? new Panel(unit));
    for (const [unit, panel] of old) if (!units.has(unit)) panel.destroy();
    for (const panel of view.panels) {
      const series = plot.series.filter((one) => one.isShown && one.unit === panel.unit);
      if (panel.chart === null || series.some((one, k) => one !== panel.series[k]) ||
          series.length !== panel.series.length) {
        panel.show(series);
      }
    }
    const container = document.getElementById("panels");
    container.replaceChildren(...view.panels.map((panel) => panel.root));
    if (view.panels.length === 0) {
      container.append(element("p", "notice", plot.time.length === 0 ? "This run recorded no rows."
                                                                     : "Choose a series to see its curve."));
    }
    view.refresh();
  },
};

// The whole run; a single instant gets some room.
function fullWindow() {
  const {time} = plot;
  const [start, stop] = time.length === 0 ? [0, 1] : [time[0], time[time.length - 1]];
  const air = start < stop ? 0 : Math.max(0.5, Math.abs(start) * 1e-3);
  return [start - air, stop + air];
}

// At first a reader sees what moves: constants only if there is nothing else.
function seriesShownAtFirst() {
  const moving = plot.series.filter((one) => !one.constant);
  return (moving.length > 0 ? moving : plot.series).slice(0, kShownAtFirst);
}
