// SPDX-License-Identifier: BSD-2-Clause
// The list of events. Only the rows in sight exist as elements, so its length costs nothing.
"use strict";

const kEventRow = 36;             // pixels, as in the style sheet
const kEventsAtFirst = 50;
const kTallest = 8e6;             // pixels; browsers lose count somewhat above

const eventList = {
  listed: [],                     // numbers of the events in the list
  isComplete: events.times.length <= kEventsAtFirst,

  // Fills the list with the first events of the shown kinds, or with all of them.
  fill() {
    const shown = [];
    for (let k = 0; k < events.times.length; ++k) if (events.kindOf(k).isShown) shown.push(k);
    eventList.listed = eventList.isComplete ? shown : shown.slice(0, kEventsAtFirst);
    const button = document.getElementById("event-all");
    button.hidden = eventList.listed.length === shown.length;
    button.textContent = `Show all ${shown.length.toLocaleString("en")}`;
    const height = Math.min(eventList.listed.length * kEventRow, kTallest);
    document.getElementById("event-space").style.height = `${height}px`;
    eventList.draw();
  },

  // Makes the rows that the scroll position shows.
  draw() {
    const scroller = document.getElementById("event-scroll");
    const count = Math.ceil(scroller.clientHeight / kEventRow) + 2;
    const hidden = Math.max(1, scroller.scrollHeight - scroller.clientHeight);
    const last = Math.max(0, eventList.listed.length - count + 2);
    // In a list taller than kTallest the scroll bar counts in fractions of the list, else in rows.
    const isScaled = eventList.listed.length * kEventRow > kTallest;
    const first = isScaled ? Math.round((scroller.scrollTop / hidden) * last)
                           : Math.floor(scroller.scrollTop / kEventRow);
    const rows = eventList.listed.slice(first, first + count).map((event, k) => eventRow(event, first + k));
    const list = document.getElementById("event-rows");
    const focused = document.activeElement?.dataset?.event;
    list.style.transform = `translateY(${isScaled ? scroller.scrollTop : first * kEventRow}px)`;
    list.replaceChildren(...rows);
    if (focused !== undefined) list.querySelector(`[data-event="${focused}"]`)?.focus({preventScroll: true});
  },
};

function eventRow(event, place) {
  const t = events.times[event];
  const names = events.indicatorsOf(event).join(", ");
  const button = element("button", "event-row");
  button.type = "button";
  button.dataset.event = event;
  button.title = [`${events.kindOf(event).name} event`, `t = ${seventeenDigits(t)}`, names, ...events.notesOf(event)]
                     .filter(Boolean).join("\n");
  button.append(kindMark(events.kindOf(event)), element("span", "event-time", exactText(t)),
                element("span", "event-names", names === "" ? events.kindOf(event).name : names));
  button.addEventListener("click", () => view.goToEvent(event));
  const item = element("li", "");
  item.setAttribute("aria-posinset", place + 1);
  item.setAttribute("aria-setsize", eventList.listed.length);
  item.append(button);
  return item;
}

// The mark of a kind, as above the charts.
function kindMark(kind) {
  const mark = element("span", `mark mark-${kind.style.shape}`);
  mark.style.background = `var(${kind.style.variable})`;
  return mark;
}

// One switch for each kind: it hides the events from the charts and from the list.
function makeKindSwitches() {
  document.getElementById("kinds").replaceChildren(...events.kinds.map((kind) => {
    const label = element("label", "kind");
    const box = element("input", "");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => {
      kind.isShown = box.checked;
      eventList.fill();
      view.refresh();
    });
    label.append(box, kindMark(kind), element("span", "", kind.name),
                 element("span", "count", kind.count.toLocaleString("en")));
    return label;
  }));
  if (sliding.phases.length > 0) document.getElementById("kinds").append(sliding.makeSwitch());
}

function makeEventList() {
  const count = events.times.length;
  const card = document.getElementById("events");
  document.getElementById("event-count").textContent = count.toLocaleString("en");
  card.open = count <= kEventsAtFirst;
  card.hidden = count === 0 && sliding.phases.length === 0;
  card.addEventListener("toggle", eventList.draw);
  document.getElementById("event-scroll").addEventListener("scroll", eventList.draw);
  document.getElementById("event-all").addEventListener("click", () => {
    eventList.isComplete = true;
    eventList.fill();
    document.getElementById("event-scroll").focus({preventScroll: true});
  });
  makeKindSwitches();
  eventList.fill();
}
