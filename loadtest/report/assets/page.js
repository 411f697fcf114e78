"use strict";
// Draws the plots of each run from the columns in its data-plots attribute.
const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const axis = extra => ({ stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line") }, ...extra });
const number = (_, v) => v == null ? "–" : +v.toPrecision(3) + "";
const line = (label, name, extra) => ({ label, stroke: colour(name), width: 1.5, points: { show: false }, value: number, ...extra });
const seconds = (_, values) => values.map(v => v + " s");

function draw(place, options, data) {
  options = { width: place.clientWidth, height: 220, cursor: { drag: { x: true, y: false } }, ...options };
  // The legend shows the last values until the pointer is over the plot.
  const showLast = plot => plot.setLegend({ idx: plot.data[1].findLastIndex(v => v != null) });
  const leave = plot => { if (plot.cursor.left < 0) showLast(plot); };
  const plot = new uPlot({ ...options, hooks: { ready: [showLast], setCursor: [leave] } }, data, place);
  addEventListener("resize", () => plot.setSize({ width: place.clientWidth, height: 220 }));
}

// overTime plots lines against seconds since the start.
function overTime(place, data, lines, scale) {
  draw(place, {
    scales: { x: { time: false }, y: scale },
    axes: [axis({ values: seconds }), axis({ size: 60 })],
    series: [{ label: "time", value: (_, v) => v == null ? "–" : +v.toFixed(2) + " s" }, ...lines],
  }, data);
}

function percentile(v) { return v == null ? "" : "p" + +(100 - 100 / v).toPrecision(5); }

function spectrum(place, data) {
  draw(place, {
    scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
    axes: [
      axis({ splits: () => [1, 2, 10, 100, 1000, 10000].filter(v => v <= data[0].at(-1)), filter: (_, splits) => splits, values: (_, vs) => vs.map(percentile) }),
      axis({ size: 60, values: (_, vs) => vs.map(v => v == null ? "" : +v.toPrecision(3)) }),
    ],
    series: [{ label: "percentile", value: (_, v) => percentile(v) || "–" }, line("ms", "blue", { points: { show: true, size: 5 } })],
  }, data);
}

function drawRun(run) {
  const p = JSON.parse(run.dataset.plots);
  const place = name => run.querySelector("." + name);
  const fromZero = { range: (_, low, high) => [0, (high || 1) * 1.1] };
  const dashed = { dash: [4, 4], paths: uPlot.paths.stepped({ align: 1 }) };
  overTime(place("latency"), [p.time, p.p50, p.p99, p.max], [line("p50", "green"), line("p99", "amber"), line("max", "red")], fromZero);
  overTime(place("requests"), [p.time, p.planned, p.sent, p.errors], [line("planned", "soft", dashed), line("sent", "blue"), line("errors", "red")], fromZero);
  spectrum(place("spectrum"), p.spectrum);
  if (p.readings) overTime(place("readings"), [p.time, p.readings], [line("stored", "blue")], fromZero);
  else place("readings")?.closest("figure").remove();
}

// A plot needs the width of its place, so those of a closed run are drawn when it is opened.
for (const run of document.querySelectorAll("[data-plots]")) {
  const details = run.closest("details");
  if (!details || details.open) drawRun(run);
  else details.addEventListener("toggle", () => drawRun(run), { once: true });
}

// A link to a run opens it.
function openLinked() {
  const run = document.getElementById(location.hash.slice(1));
  if (run instanceof HTMLDetailsElement) run.open = true;
}
addEventListener("hashchange", openLinked);
openLinked();
