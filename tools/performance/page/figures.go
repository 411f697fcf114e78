package page

import (
	"fmt"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
)

// servers returns the names of the servers of some results, in their order.
func servers(results []measure.Result) (names []string) {
	for _, r := range results {
		if !slices.Contains(names, r.Server) {
			names = append(names, r.Server)
		}
	}
	return names
}

// workloads groups results by workload, in their order.
func workloads(results []measure.Result) (groups [][]measure.Result) {
	for _, r := range results {
		if n := len(groups); n > 0 && groups[n-1][0].Workload == r.Workload {
			groups[n-1] = append(groups[n-1], r)
		} else {
			groups = append(groups, []measure.Result{r})
		}
	}
	return groups
}

// costs is the table of CPU time per request, by workload and server.
func costs(results []measure.Result) string {
	head, rows := []string{"µs of CPU per request"}, [][]string(nil)
	for _, name := range servers(results) {
		head = append(head, name)
		if name == suite.Emulator && results[0].Floor {
			head = append(head, "× floor")
		}
	}
	for _, group := range workloads(results) {
		row := []string{group[0].Workload}
		for _, r := range group {
			row = append(row, figure(r, microseconds(r.CPU)))
			if r.Server == suite.Emulator && group[0].Floor {
				row = append(row, ratio(r.CPU, group[0].CPU))
			}
		}
		rows = append(rows, row)
	}
	return table(1, head, rows)
}

// rates is the table of throughput and latencies, a row per workload and server.
func rates(results []measure.Result) string {
	var rows [][]string
	for _, r := range results {
		rows = append(rows, []string{r.Workload, r.Server, figure(r, thousands.Group(int64(r.Throughput))),
			fmt.Sprintf("%.0f%%", r.Spread*100), milliseconds(r.P50), milliseconds(r.P99), milliseconds(r.P999),
			thousands.Group(int64(r.Requests)), fmt.Sprint(r.Errors)})
	}
	return table(2, []string{"workload", "server", "requests/s", "spread", "p50 ms", "p99 ms", "p99.9 ms", "requests",
		"errors"}, rows)
}

// problems lists why servers have no figures, or sent wrong responses.
func problems(results []measure.Result) (text string) {
	for _, r := range results {
		if r.Problem != "" {
			text += fmt.Sprintf("- %s on %s: `%.100s`\n", r.Workload, r.Server, r.Problem)
		}
	}
	if text != "" {
		text = "Not measured, or with wrong responses:\n\n" + text + "\n"
	}
	return text
}

func figure(r measure.Result, text string) string {
	if r.Requests == 0 {
		return "–"
	}
	return text
}

func ratio(d, floor time.Duration) string {
	if floor == 0 || d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", float64(d)/float64(floor))
}

func microseconds(d time.Duration) string { return digits(float64(d.Nanoseconds()) / 1e3) }
func milliseconds(d time.Duration) string { return digits(float64(d.Nanoseconds()) / 1e6) }
func mebibytes(n int64) string            { return digits(float64(n) / (1 << 20)) }

// pictures returns the charts of the page by name.
func (d *Document) pictures(t theme) map[string]string {
	all := map[string]string{}
	results := slices.Concat(d.Results.Memory, d.Results.Cosmos)
	if series, groups := overheads(results); len(groups) > 0 {
		all["performance-workloads"] = drawBars(t, "CPU per request, as a multiple of a bare net/http handler's", "× floor",
			series, groups)
	}
	if cpu, memory := bySize(d.Results.Sizes); len(cpu) > 0 {
		all["performance-sizes"] = drawLines(t, "CPU per request by the size of a table in memory", "items of 400 bytes",
			"µs", cpu)
		all["performance-memory"] = drawLines(t, "Resident memory", "items of 400 bytes", "MiB", memory)
	}
	if len(d.Folders) > 1 {
		all["performance-folder"] = drawLines(t, "CPU per request by the size of a data folder", "items", "µs",
			[]lineSeries{folderLine("get", d.Folders, func(f FolderSize) float64 { return f.GetCPU }),
				folderLine("put", d.Folders, func(f FolderSize) float64 { return f.PutCPU })})
		all["performance-open"] = drawLines(t, "Opening a data folder", "items", "ms",
			[]lineSeries{folderLine("from the start to the first response", d.Folders,
				func(f FolderSize) float64 { return f.OpenMs })})
	}
	return all
}

// overheads returns the CPU time of each workload as a multiple of the floor's. Workloads at a fixed rate are left out:
// they mostly cost waiting and waking up.
func overheads(results []measure.Result) (series []string, groups []barGroup) {
	for _, name := range servers(results) {
		if name != "floor" {
			series = append(series, name)
		}
	}
	for _, group := range workloads(results) {
		if !group[0].Floor || group[0].Rate > 0 || group[0].CPU == 0 {
			continue
		}
		g := barGroup{label: group[0].Workload, values: make([]float64, len(series))}
		for _, r := range group[1:] {
			g.values[slices.Index(series, r.Server)] = float64(r.CPU) / float64(group[0].CPU)
		}
		groups = append(groups, g)
	}
	return series, groups
}

// bySize returns the lines of the emulator's CPU time by workload, and of its memory.
func bySize(sizes []suite.Size) (cpu, memory []lineSeries) {
	memory = []lineSeries{{name: suite.Emulator}}
	for _, s := range sizes {
		if s.Server != suite.Emulator {
			continue
		}
		memory[0].points = append(memory[0].points, point{float64(s.Items), float64(s.ResidentBytes) / (1 << 20)})
		for i, r := range s.Results {
			if i == len(cpu) {
				cpu = append(cpu, lineSeries{name: r.Workload})
			}
			cpu[i].points = append(cpu[i].points, point{float64(s.Items), float64(r.CPU.Nanoseconds()) / 1e3})
		}
	}
	return cpu, memory
}

func folderLine(name string, all []FolderSize, value func(FolderSize) float64) lineSeries {
	line := lineSeries{name: name}
	for _, f := range all {
		line.points = append(line.points, point{float64(f.Items), value(f)})
	}
	return line
}
