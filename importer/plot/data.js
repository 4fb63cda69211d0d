// SPDX-License-Identifier: BSD-2-Clause
// The numbers of the plot, as the writer put them into the page, and the rows of them that a chart needs.
"use strict";

// One column of doubles. It stays base64 text until somebody wants all of it.
class Column {
  constructor(id) {
    this.text = document.getElementById(`column-${id}`).textContent;
    this.decoded = null;
  }

  // All values. Browsers run on little-endian machines only, so the bytes need no turning.
  get values() {
    if (this.decoded === null) {
      const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(this.text) : bytesOf(this.text);
      this.decoded = new Float64Array(bytes.buffer);
      this.text = "";
    }
    return this.decoded;
  }

  // One value, without decoding the others: its eight bytes lie in at most four groups of four characters.
  at(row) {
    if (this.decoded !== null) return this.decoded[row];
    const group = Math.floor((8 * row) / 3);
    const bytes = bytesOf(this.text.slice(4 * group, 4 * Math.ceil((8 * row + 8) / 3)));
    return new DataView(bytes.buffer).getFloat64(8 * row - 3 * group, true);
  }
}

function bytesOf(base64) {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < characters.length; ++k) bytes[k] = characters.charCodeAt(k);
  return bytes;
}

const plot = JSON.parse(document.getElementById("description").textContent);
plot.time = new Column("time").values;
plot.eventTimes = new Column("events").values;
plot.series.forEach((series, k) => {
  series.column = new Column(k);
});

// The first index whose value is not below `x`, in an ascending array.
function lowerBound(ascending, x) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The first index whose value is above `x`.
function upperBound(ascending, x) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The rows at the recorded time nearest to `t`: more than one where an event left two limits. Null without rows.
function rowsNear(t) {
  const time = plot.time;
  if (time.length === 0) return null;
  let row = Math.min(lowerBound(time, t), time.length - 1);
  if (row > 0 && t - time[row - 1] < time[row] - t) --row;
  return {first: lowerBound(time, time[row]), last: upperBound(time, time[row]) - 1};
}

// What a chart of `columns` (arrays) draws in the window [from, to]: rows [t, value, ...], at most a handful for each of
// `buckets` slices of time, and the least and greatest value among them. The curve is cut at the edges of the window, for
// a canvas counts pixels in single precision and would bend a line that ends far outside.
function visibleRows(columns, [from, to], buckets) {
  const time = plot.time;
  const first = lowerBound(time, from);
  const end = upperBound(time, to);
  const chosen = thinnedRows(columns, first, end, [from, to], buckets);
  const rows = chosen.map((row) => [time[row], ...columns.map((values) => finiteOrGap(values[row]))]);
  if (first > 0 && first < time.length) rows.unshift(rowBetween(columns, first, from));
  if (end > 0 && end < time.length) rows.push(rowBetween(columns, end, to));
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows) {
    for (let k = 1; k < row.length; ++k) {
      if (row[k] < low) low = row[k];
      if (row[k] > high) high = row[k];
    }
  }
  return {rows, low, high};
}

function finiteOrGap(value) {
  return Number.isFinite(value) ? value : NaN;
}

// The point at `t` on the line from row `next - 1` to row `next`.
function rowBetween(columns, next, t) {
  const t0 = plot.time[next - 1];
  const weight = (t - t0) / (plot.time[next] - t0);
  return [t, ...columns.map((y) => finiteOrGap(y[next - 1] * (1 - weight) + y[next] * weight))];
}

// Of the rows [first, end), those that shape the picture: in each slice of time the first and the last, and for each
// column the least, the greatest and a gap.
function thinnedRows(columns, first, end, [from, to], buckets) {
  const chosen = [];
  if (end - first <= 4 * buckets) {
    for (let row = first; row < end; ++row) chosen.push(row);
    return chosen;
  }
  let start = first;
  for (let bucket = 1; bucket <= buckets && start < end; ++bucket) {
    const edge = from + ((to - from) * bucket) / buckets;
    const stop = bucket === buckets ? end : Math.min(end, lowerBound(plot.time, edge));
    if (stop === start) continue;
    const keep = [start, stop - 1];
    for (const values of columns) addExtremes(values, start, stop, keep);
    keep.sort((a, b) => a - b);
    keep.forEach((row, k) => {
      if (k === 0 || row !== keep[k - 1]) chosen.push(row);
    });
    start = stop;
  }
  return chosen;
}

function addExtremes(values, start, stop, keep) {
  let low = -1;
  let high = -1;
  let gap = -1;
  for (let row = start; row < stop; ++row) {
    const value = values[row];
    if (value - value !== 0) gap = row;
    else {
      if (low < 0 || value < values[low]) low = row;
      if (high < 0 || value > values[high]) high = row;
    }
  }
  for (const row of [low, high, gap]) if (row >= 0) keep.push(row);
}
