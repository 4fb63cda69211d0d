// SPDX-License-Identifier: BSD-2-Clause
// Events as lines through the charts and as marks above them. However many there are, a pixel is drawn once.
"use strict";

// How a kind of event looks. The shape tells kinds apart where the colour cannot.
const kindStyles = {
  state: {variable: "--event-state", dash: [], shape: "triangle"},
  time: {variable: "--event-time", dash: [5, 3], shape: "diamond"},
  step: {variable: "--event-step", dash: [2, 3], shape: "square"},
  enter_sliding: {variable: "--event-sliding", dash: [], shape: "right"},
  exit_sliding: {variable: "--event-sliding", dash: [], shape: "left"},
  zeno: {variable: "--event-zeno", dash: [1, 2], shape: "bowtie"},
};
const otherStyle = {variable: "--event-other", dash: [6, 2, 1, 2], shape: "circle"};

const events = {
  times: plot.eventTimes,
  kinds: plot.kinds.map((name) => ({
    name: name.replaceAll("_", " "),
    count: 0,
    isShown: true,
    style: Object.hasOwn(kindStyles, name) ? kindStyles[name] : otherStyle,
  })),

  kindOf(event) {
    return events.kinds[plot.kindOfEvent[event]];
  },

  indicatorsOf(event) {
    return plot.indicatorsOfEvent[event].map((number) => plot.indicators[number]);
  },

  // Lines to be shown with it.
  notesOf(event) {
    return plot.notesOfEvent[event] ?? [];
  },

  // The shown event nearest to `t`, if it is not farther than `reach`. Null if there is none.
  nearest(t, reach) {
    const start = lowerBound(events.times, t);
    let best = null;
    const consider = (event) => {
      const distance = Math.abs(events.times[event] - t);
      if (distance > reach) return false;
      if (!events.kindOf(event).isShown) return true;
      if (best === null || distance < Math.abs(events.times[best] - t)) best = event;
      return false;
    };
    for (let k = start; k < events.times.length && consider(k); ++k);
    for (let k = start - 1; k >= 0 && consider(k); --k);
    return best;
  },

  // How many shown events lie within `reach` of `t`.
  countNear(t, reach) {
    let count = 0;
    const end = upperBound(events.times, t + reach);
    for (let k = lowerBound(events.times, t - reach); k < end; ++k) {
      if (events.kindOf(k).isShown) ++count;
    }
    return count;
  },

  // The distinct pixel columns of the visible events, one list per kind.
  columns([from, to], xOf) {
    const lists = events.kinds.map(() => []);
    const end = upperBound(events.times, to);
    for (let k = lowerBound(events.times, from); k < end; ++k) {
      const number = plot.kindOfEvent[k];
      if (!events.kinds[number].isShown) continue;
      const x = Math.round(xOf(events.times[k]));
      const list = lists[number];
      if (list[list.length - 1] !== x) list.push(x);
    }
    return lists;
  },

  // Lines from top to bottom of `area`. A crowd is drawn fainter, so that the curves stay in front.
  drawLines(context, area, interval, xOf) {
    context.save();
    context.lineWidth = 1;
    events.columns(interval, xOf).forEach((columns, number) => {
      const {style} = events.kinds[number];
      const isCrowded = (x, k) => x - columns[k - 1] < 5 || columns[k + 1] - x < 5;
      context.strokeStyle = themeColor(style.variable);
      const faint = 0.13 * Math.min(1, (0.15 * area.w) / Math.max(1, columns.length));
      for (const [alpha, isDrawn] of [[0.45, (x, k) => !isCrowded(x, k)], [faint, isCrowded]]) {
        context.globalAlpha = alpha;
        context.setLineDash(isDrawn === isCrowded ? [] : style.dash);
        context.beginPath();
        columns.forEach((x, k) => {
          if (!isDrawn(x, k)) return;
          context.moveTo(x + 0.5, area.y);
          context.lineTo(x + 0.5, area.y + area.h);
        });
        context.stroke();
      }
    });
    context.restore();
  },

  // Marks along a strip: shapes, or strokes if shapes would run into one another.
  drawMarkers(context, {width, height}, interval, xOf) {
    events.columns(interval, xOf).forEach((columns, number) => {
      const {style} = events.kinds[number];
      const isMany = columns.length * 7 > width;
      context.fillStyle = themeColor(style.variable);
      context.globalAlpha = isMany ? 0.35 : 1;
      for (const x of columns) {
        if (isMany) context.fillRect(x, 0.25 * height, 1, 0.5 * height);
        else drawShape(context, style.shape, x + 0.5, height / 2, 4.5);
      }
    });
    context.globalAlpha = 1;
  },
};

for (const number of plot.kindOfEvent) ++events.kinds[number].count;

// Corners in units of the size; what is not here is a circle. The style sheet has the same shapes.
const shapes = {
  triangle: [[-1, -1], [1, -1], [0, 1]],
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
  square: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  right: [[-1, -1], [1, 0], [-1, 1]],
  left: [[1, -1], [-1, 0], [1, 1]],
  bowtie: [[-1, -1], [0, 0], [1, -1], [1, 1], [0, 0], [-1, 1]],
};

function drawShape(context, shape, x, y, r) {
  context.beginPath();
  if (Object.hasOwn(shapes, shape)) {
    for (const [right, down] of shapes[shape]) context.lineTo(x + r * right, y + r * down);
  } else {
    context.arc(x, y, 0.9 * r, 0, 2 * Math.PI);
  }
  context.fill();
}

// A colour of the style sheet, which knows whether the page is light or dark.
function themeColor(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
