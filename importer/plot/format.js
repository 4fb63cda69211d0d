// SPDX-License-Identifier: BSD-2-Clause
// Numbers as text, and where the axes put them.
"use strict";

// The shortest text that reads back as exactly this double.
function exactText(x) {
  if (Object.is(x, -0)) return "-0";
  if (x === Infinity) return "∞";
  if (x === -Infinity) return "-∞";
  return String(x);
}

// Seventeen significant digits: enough for every double, in any language.
function seventeenDigits(x) {
  return x.toPrecision(17);
}

// Six digits, for the eye.
function shortText(x) {
  return Number.isFinite(x) ? exactText(Number(x.toPrecision(6))) : exactText(x);
}

// A step of 1, 2 or 5 times a power of ten which divides `span` into at most `count` parts.
function niceStep(span, count) {
  const least = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((f) => f * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

// One label per value, all with as many digits as neighbours need to differ.
function tickLabels(values, step) {
  const largest = values.reduce((soFar, v) => Math.max(soFar, Math.abs(v)), 0);
  const exponent = Math.floor(Math.log10(step) + 1e-9);
  const isScientific = largest >= 1e6 || largest < 1e-3;
  return values.map((v) => {
    if (v === 0) return "0";
    const magnitude = Math.floor(Math.log10(Math.abs(v)) + 1e-9);
    const text = isScientific ? v.toExponential(clamp(magnitude - exponent, 0, 17))
                               : v.toFixed(clamp(-exponent, 0, 20));
    return text.replaceAll("-", "−").replace("e+", "e");
  });
}

function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

// Ticks in [low, high] for an axis with room for `count` of them, as dygraphs wants them.
function ticks(low, high, count) {
  const step = niceStep(high - low, count);
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const values = [];
  for (let k = Math.ceil(low / step); k * step <= high && values.length <= count + 1; ++k) {
    // A division by the inverse of the step keeps 0.3 from becoming 0.30000000000000004.
    values.push(step < 1 ? k / Math.round(1 / step) || k * step : k * step);
  }
  const labels = tickLabels(values, step);
  return values.map((v, k) => ({v, label: labels[k]}));
}

// The width in pixels of the longest label, on the safe side.
function widthOf(axisTicks) {
  return axisTicks.reduce((soFar, tick) => Math.max(soFar, tick.label.length), 0) * 7.5 + 8;
}

// Ticks for a horizontal axis of `width` pixels: the longer the labels, the fewer.
function horizontalTicks(low, high, width) {
  let count = Math.max(1, Math.floor(width / 70));
  for (;;) {
    const result = ticks(low, high, count);
    if (count <= 1 || result.length * (widthOf(result) + 16) <= width) return result;
    --count;
  }
}

// Ticks for a vertical axis of `height` pixels.
function verticalTicks(low, high, height) {
  return ticks(low, high, Math.max(2, Math.floor(height / 36)));
}
