// SPDX-License-Identifier: BSD-2-Clause
// One panel: the series of one unit in one chart. dygraphs draws axes and curves; the cursor and the zoom band lie on a
// canvas above, so that they move without redrawing the curves.
"use strict";

const kRightGap = 14;
const kTimeAxisHeight = 26;
const kTimeLabelHeight = 18;

class Panel {
  constructor(unit) {
    this.unit = unit;
    this.series = [];
    this.range = null;      // chosen by the reader; null: fits the visible curves
    this.chart = null;
    this.root = element("section", "panel");
    this.root.setAttribute("aria-label", unit === "" ? "Series without unit" : `Series in ${unit}`);
    this.legend = element("div", "legend");
    this.body = element("div", "chart");
    this.overlay = element("canvas", "overlay");
    const head = element("header", "panel-head");
    head.append(element("span", "unit", unit === "" ? "" : `[${unit}]`), this.legend);
    const frame = element("div", "frame");
    frame.append(this.body, this.overlay);
    this.root.append(head, frame);
  }

  // Sets which series the chart shows.
  show(series) {
    this.destroy();
    this.series = series;
    this.legend.replaceChildren(...series.map((one) => {
      const entry = element("span", "entry");
      one.legendValue = element("span", "entry-value");
      entry.append(swatch(one), element("span", "name", one.name), one.legendValue);
      if (one.description !== "") entry.title = one.description;
      return entry;
    }));
  }

  destroy() {
    if (this.chart !== null) this.chart.destroy();
    this.chart = null;
  }

  // Chooses rows and range for an interval of time, and says how wide the labels of the vertical axis will be.
  prepare(interval, height) {
    const columns = this.series.map((one) => one.column.values);
    this.body.style.height = `${height}px`;
    this.data = visibleRows(columns, interval, Math.max(100, this.body.clientWidth));
    if (this.data.rows.length === 0) this.data.rows = interval.map((t) => [t, ...columns.map(() => NaN)]);
    this.shownRange = this.range ?? paddedRange(this.data.low, this.data.high);
    return widthOf(verticalTicks(...this.shownRange, height));
  }

  draw(interval, labelWidth, hasTimeAxis) {
    const plotWidth = this.body.clientWidth - labelWidth - kRightGap;
    const timeLabelWidth = widthOf(horizontalTicks(...interval, plotWidth));
    const options = {
      file: this.data.rows,
      // A tick at the very end would count as outside.
      dateWindow: [interval[0], interval[1] + 1e-9 * (interval[1] - interval[0])],
      valueRange: this.shownRange,
      xlabel: hasTimeAxis ? "time" : null,
      colors: this.series.map((one) => themeColor(one.color)),
      gridLineColor: themeColor("--grid"),
      axisLineColor: themeColor("--axis"),
      axes: {
        x: {drawAxis: hasTimeAxis, axisLabelWidth: timeLabelWidth, ticker: horizontalTicks},
        y: {axisLabelWidth: labelWidth, ticker: verticalTicks},
      },
    };
    // dygraphs clips its canvas to the first layout it had, so a new layout needs a new chart.
    const layout = `${labelWidth} ${hasTimeAxis}`;
    if (layout !== this.layout) this.destroy();
    this.layout = layout;
    if (this.chart !== null) {
      this.chart.resize();
      this.chart.updateOptions(options);
      return;
    }
    this.chart = new Dygraph(this.body, this.data.rows, {
      ...options,
      labels: ["t", ...this.series.map((_, k) => `series ${k}`)],
      underlayCallback: (context, area, chart) => {
        sliding.drawBands(context, area, chart.xAxisRange(), (t) => chart.toDomXCoord(t));
        events.drawLines(context, area, chart.xAxisRange(), (t) => chart.toDomXCoord(t));
      },
      legend: "never",
      showLabelsOnHighlight: false,
      highlightCircleSize: 0,
      interactionModel: {},
      strokeWidth: 1.75,
      pointSize: 2,
      gridLineWidth: 1,
      rightGap: kRightGap,
      xAxisHeight: kTimeAxisHeight,
      xLabelHeight: kTimeLabelHeight,
      axisLabelFontSize: 12,
      axisTickSize: 4,
    });
  }

  // The rectangle of the curves inside the chart, in pixels.
  get area() {
    return this.chart.getArea();
  }

  // Draws what follows the pointer: `cursor` (see view.js) and `band`, the stretch that a drag has marked.
  drawOverlay(cursor, band) {
    const context = prepareCanvas(this.overlay, this.body.clientWidth, this.body.clientHeight);
    const {x, y, w, h} = this.area;
    context.save();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
    if (band !== null && (band.panel === null || band.panel === this)) {
      context.fillStyle = themeColor("--band");
      if (band.panel === null) context.fillRect(band.from, y, band.to - band.from, h);
      else context.fillRect(x, band.from, w, band.to - band.from);
    }
    if (cursor !== null) this.drawCursor(context, cursor);
    context.restore();
  }

  drawCursor(context, cursor) {
    const {y, h} = this.area;
    const x = this.chart.toDomXCoord(cursor.t);
    context.strokeStyle = themeColor("--cursor");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, y);
    context.lineTo(Math.round(x) + 0.5, y + h);
    context.stroke();
    for (const one of this.series) {
      const color = themeColor(one.color);
      const [left, right] = [cursor.first, cursor.last].map((row) => this.chart.toDomYCoord(one.column.at(row)));
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x, left);
      context.lineTo(x, right);
      context.stroke();
      context.fillStyle = color;
      context.strokeStyle = themeColor("--surface");
      for (const top of new Set([left, right])) {
        context.beginPath();
        context.arc(x, top, 4.5, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
      }
    }
  }
}

// A range with some air around the curves. A constant stands in the middle of its panel.
function paddedRange(low, high) {
  if (!(low <= high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const kHuge = 8e307;    // beyond it the length of the range would overflow
  if (low === high) {
    const air = size === 0 ? 1 : 0.1 * size;
    return [clamp(low - air, -kHuge, kHuge), clamp(high + air, -0.9 * kHuge, kHuge)];
  }
  // Nor may it be so short that its inverse overflows, or that its ends are neighbours.
  const length = clamp(high, -kHuge, kHuge) - clamp(low, -kHuge, kHuge);
  const air = Math.max(0.06 * length, 4e-15 * size, 1e-300);
  return [Math.max(low - air, -kHuge), Math.min(high + air, kHuge)];
}

// An element with a class and, as text and never as markup, its content.
function element(tag, className, text = "") {
  const created = document.createElement(tag);
  created.className = className;
  created.textContent = text;
  return created;
}

function swatch(series) {
  const mark = element("span", "swatch");
  mark.style.background = `var(${series.color})`;
  return mark;
}

// A cleared canvas whose unit is one CSS pixel, sharp on every screen.
function prepareCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return context;
}
