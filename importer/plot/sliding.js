// SPDX-License-Identifier: BSD-2-Clause
// Stretches of sliding as shaded bands behind the curves. However many there are, a pixel is drawn once.
"use strict";

const sliding = {
  phases: plot.sliding,       // [begin, end, surfaces], in order of time
  begins: plot.sliding.map(([begin]) => begin),
  isShown: true,

  // On how many surfaces the motion slides at `t`; an end belongs to its stretch.
  surfacesAt(t) {
    const phase = sliding.phases[upperBound(sliding.begins, t) - 1];
    return phase !== undefined && t <= phase[1] ? phase[2] : 0;
  },

  // Bands from top to bottom of `area`, stronger on more surfaces. A stretch shorter than a pixel is still seen.
  drawBands(context, area, [from, to], xOf) {
    if (!sliding.isShown) return;
    context.save();
    context.fillStyle = themeColor("--sliding");
    let drawn = area.x;
    const end = upperBound(sliding.begins, to);
    for (let k = Math.max(0, upperBound(sliding.begins, from) - 1); k < end; ++k) {
      const [begin, stop, surfaces] = sliding.phases[k];
      if (stop < from) continue;
      const left = Math.max(drawn, Math.round(xOf(begin)));
      const right = Math.min(area.x + area.w, Math.max(Math.round(xOf(stop)), Math.round(xOf(begin)) + 1));
      if (right <= left) continue;
      context.globalAlpha = Math.min(0.36, 0.12 * surfaces);
      context.fillRect(left, area.y, right - left, area.h);
      drawn = right;
    }
    context.restore();
  },

  // The switch of the bands, beside those of the kinds of events; it is their legend too.
  makeSwitch() {
    const label = element("label", "kind");
    const box = element("input", "");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => {
      sliding.isShown = box.checked;
      view.refresh();
    });
    label.append(box, element("span", "mark mark-band"), element("span", "", "sliding"),
                 element("span", "count", sliding.phases.length.toLocaleString("en")));
    label.title = "The motion goes on along a switching surface";
    return label;
  },
};
