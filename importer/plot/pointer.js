// SPDX-License-Identifier: BSD-2-Clause
// Mouse, fingers and keys on the charts.
"use strict";

const stage = document.getElementById("stage");
const kSnap = 5;          // pixels within which an event attracts the cursor
const kLeastDrag = 6;     // pixels below which a drag is a click
const pointers = new Map();
let drag = null;          // {panel, x, y, window, isPan} since the button went down

function isReady() {
  return view.panels.length > 0 && view.panels[0].chart !== null;
}

function position(pointer, panel) {
  const box = panel.overlay.getBoundingClientRect();
  return {x: pointer.clientX - box.left, y: pointer.clientY - box.top};
}

function panelAt(pointer) {
  return view.panels.find((panel) => panel.root.contains(pointer.target)) ?? view.panels[0];
}

function timeAt(x) {
  return view.panels[0].chart.toDataXCoord(x);
}

function timePerPixel() {
  return (view.window[1] - view.window[0]) / view.panels[0].area.w;
}

// A mark of time if the drag went sideways, of values if it went up or down.
function bandOf({panel, x, y}, now) {
  const {area} = panel;
  if (Math.abs(now.x - x) >= Math.abs(now.y - y)) {
    const ends = [x, now.x].map((end) => clamp(end, area.x, area.x + area.w));
    return {panel: null, from: Math.min(...ends), to: Math.max(...ends)};
  }
  const ends = [y, now.y].map((end) => clamp(end, area.y, area.y + area.h));
  return {panel, from: Math.min(...ends), to: Math.max(...ends)};
}

function zoomTo(band) {
  if (band.panel === null) {
    view.setWindow(timeAt(band.from), timeAt(band.to));
  } else {
    const {chart} = band.panel;
    band.panel.range = [chart.toDataYCoord(band.to), chart.toDataYCoord(band.from)];
    view.refresh();
  }
}

// Two fingers: what was between them stays between them.
function pinch(moved) {
  const [a, b] = [...pointers.values()].map((pointer) => position(pointer, view.panels[0]).x);
  const other = [...pointers.values()].find((pointer) => pointer.pointerId !== moved.pointerId);
  const fixed = position(other, view.panels[0]).x;
  const now = position(moved, view.panels[0]).x;
  const before = Math.abs(a - b);
  if (before > 10) view.zoom(clamp(before / Math.max(10, Math.abs(now - fixed)), 0.5, 2), timeAt(fixed));
}

stage.addEventListener("pointerdown", (pointer) => {
  if (!isReady() || pointer.button !== 0) return;
  pointers.set(pointer.pointerId, pointer);
  if (pointer.pointerType === "touch") {
    view.setCursor(view.cursorAt(timeAt(position(pointer, view.panels[0]).x), 3 * kSnap * timePerPixel()));
    return;
  }
  const panel = panelAt(pointer);
  drag = {panel, ...position(pointer, panel), window: view.window, isPan: pointer.shiftKey};
  stage.setPointerCapture(pointer.pointerId);
});

stage.addEventListener("pointermove", (pointer) => {
  if (!isReady()) return;
  if (pointers.size === 2) pinch(pointer);
  if (pointers.has(pointer.pointerId)) pointers.set(pointer.pointerId, pointer);
  const now = position(pointer, drag?.panel ?? view.panels[0]);
  if (drag?.isPan) {
    const shift = ((drag.x - now.x) * (drag.window[1] - drag.window[0])) / view.panels[0].area.w;
    view.setWindow(drag.window[0] + shift, drag.window[1] + shift);
  } else if (drag) {
    const band = bandOf(drag, now);
    view.band = band.to - band.from < kLeastDrag ? null : band;
  }
  const reach = (pointer.pointerType === "touch" ? 3 : 1) * kSnap * timePerPixel();
  view.setCursor(view.cursorAt(timeAt(now.x), reach));
});

stage.addEventListener("pointerup", (pointer) => {
  pointers.delete(pointer.pointerId);
  if (drag === null) return;
  if (view.band !== null) {
    zoomTo(view.band);
  } else if (!drag.isPan) {
    view.pinned = view.pinned === null ? view.cursor : null;
  }
  view.band = null;
  drag = null;
  view.drawOverlays();
});

stage.addEventListener("pointercancel", (pointer) => {
  pointers.delete(pointer.pointerId);
  drag = null;
  view.band = null;
  view.drawOverlays();
});

stage.addEventListener("pointerleave", (pointer) => {
  if (drag === null && pointer.pointerType !== "touch") view.setCursor(view.pinned);
});

stage.addEventListener("dblclick", () => {
  view.pinned = null;
  view.reset();
});

// Without a modifier the wheel scrolls the page.
stage.addEventListener("wheel", (wheel) => {
  if (!(wheel.ctrlKey || wheel.metaKey) || !isReady()) return;
  wheel.preventDefault();
  view.zoom(2 ** clamp(wheel.deltaY / 200, -1, 1), timeAt(position(wheel, view.panels[0]).x));
}, {passive: false});

// The recorded time next to the cursor, on either side.
function stepCursor(direction) {
  if (plot.time.length === 0) return;
  let row = 0;
  if (view.cursor === null) row = Math.min(lowerBound(plot.time, view.window[0]), plot.time.length - 1);
  else row = clamp(direction > 0 ? view.cursor.last + 1 : view.cursor.first - 1, 0, plot.time.length - 1);
  view.pinned = view.cursorAt(plot.time[row], 0);
  const [from, to] = view.window;
  if (view.pinned.t < from) view.pan(-0.5);
  if (view.pinned.t > to) view.pan(0.5);
  view.setCursor(view.pinned);
}

function stepEvent(direction) {
  const now = view.cursor?.t ?? view.window[0];
  const next = direction > 0 ? upperBound(events.times, now) : lowerBound(events.times, now) - 1;
  if (next >= 0 && next < events.times.length) view.goToEvent(next);
}

const keys = {
  ArrowLeft: (key) => (key.shiftKey ? view.pan(-0.1) : stepCursor(-1)),
  ArrowRight: (key) => (key.shiftKey ? view.pan(0.1) : stepCursor(1)),
  "+": () => view.zoom(0.5),
  "=": () => view.zoom(0.5),
  "-": () => view.zoom(2),
  "0": () => view.reset(),
  n: () => stepEvent(1),
  p: () => stepEvent(-1),
  Escape: () => view.setCursor(view.pinned = null),
};

stage.addEventListener("keydown", (key) => {
  if (key.ctrlKey || key.metaKey || key.altKey || !Object.hasOwn(keys, key.key)) return;
  key.preventDefault();
  keys[key.key](key);
  announce();
});
