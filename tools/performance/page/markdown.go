package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
)

// markdown returns the text of the page. profiles are the files to link to.
func (d *Document) markdown(profiles []string) string {
	r := d.Results
	sections := []string{d.introduction()}
	if len(r.Memory)+len(r.Cosmos) > 0 {
		sections = append(sections, "## CPU per request\n\n"+
			"The floor is a bare net/http handler that reads the request and responds with bytes of the right size: the least "+
			"that a\nserver can do with Go's standard library. A server below it has a cheaper implementation of HTTP.\n\n"+
			picture("performance-workloads", "CPU per request of each workload, as a multiple of a bare handler's")+
			"DynamoDB, over HTTP:\n\n"+costs(r.Memory)+problems(r.Memory)+
			"Cosmos DB, over TLS, each request signed:\n\n"+costs(r.Cosmos)+problems(r.Cosmos)+workloadTable)
		sections = append(sections, "## Throughput and latency\n\n"+rates(slices.Concat(r.Memory, r.Cosmos)))
	}
	if len(r.Durable) > 0 {
		sections = append(sections, fmt.Sprintf("## Data in a folder\n\nWith `--data`, a write is acknowledged when it is on the "+
			"disk. To write 4 KiB and sync them takes %s ms here, without\nany server. The floor writes the body of each write to a "+
			"file that is large enough already, and syncs those of all\nrequests that wait at once. What other emulators sync "+
			"differs: some sync nothing.\n\n", milliseconds(r.DiskSync))+costs(r.Durable)+rates(r.Durable)+problems(r.Durable))
	}
	sections = append(sections, d.starts(), d.sizes(), d.folders(), d.profiles(profiles), peers(r))
	return strings.TrimSpace(strings.Join(sections, "")) + "\n"
}

const workloadTable = `| workload | request |
|---|---|
| put | PutItem of a new item into a table without indexes |
| get, get-consistent | GetItem of a random one of 10,000 items |
| query20, gsi-query20 | the newest 20 items of a partition of 100, of a table or of an index |
| update-cond | UpdateItem with a condition, which adds 1 and returns all attributes |
| transact2 | TransactWriteItems: an item if it does not exist, and another |
| batch25 | BatchWriteItem of 25 new items |
| scan1MB-filter | the first page of a Scan, 1 MB, with a filter that one in a hundred items passes |
| mixed@500, mixed@2000 | half put, half get, at a fixed rate; latencies count from when a request was due |
| cosmos-read, cosmos-create | a point read and a create of an item of 1 KB |
| cosmos-query20 | the newest 20 items of a partition of 100, with ` + "`ORDER BY`" + ` |

`

// introduction says what was measured where, and how far to trust it. The row of the commit is what the guard compares
// with.
func (d *Document) introduction() string {
	r := d.Results
	foreign := 0.0
	var all []float64
	for _, result := range slices.Concat(r.Memory, r.Cosmos, r.Durable) {
		all = append(all, result.Foreign)
	}
	foreign = measure.Median(all)
	return fmt.Sprintf(`# Performance

<!-- Written by make performance. Do not edit. -->

Everything on this page, except "By size, in a folder", is from one run, which anybody can repeat: `+"`make performance`"+`
measures and writes the page, in %s on this machine. It needs Linux.

| | |
|---|---|
| date | %s |
| commit | %s |
| machine | %s, %d CPUs |
| system | %s, %s |
| program | tabletop-emulator, %s MiB |
| windows | %d of %v per workload and server, after one that warms up; at a fixed rate, of %v |
| connections | %d, one request at a time on each; 4 for scan1MB-filter |
| other programs | used %.0f%% of the machine (median of all windows) |

How far to trust it:

- All servers run at once and take turns, window by window, so that other load on the machine affects all of them. The
  client runs on the same machine.
- CPU per request is the CPU clock of the server's process, user and system, divided by the requests. Trust it most: a
  busy machine changes it by some percent. Then trust ratios of servers; requests per second least.
- Figures are medians of the windows; p99.9 is of all requests together. "spread" is the highest throughput without the
  lowest, as a part of the median.
- Each response must have the right status and size. Before the first window, one response per kind is compared with
  what the service returns: 20 items with the newest first, all attributes, a page of 1 MB.
- Items have 400 bytes by DynamoDB's rules, with a map and a list. Clients send requests without an SDK.
- A test in CI compares CPU per request with this commit's: `+"`go run ./tools/performance guard`"+` fails if a workload
  needs over 15%% more ([how it works](../CONTRIBUTING.md#performance)).

`, minutes(r.Duration), d.Date.Format(time.DateOnly), d.Commit, d.Processor, d.CPUs, d.System, d.Go,
		mebibytes(r.Binary), r.Plan.Rounds, r.Plan.Window, r.Plan.RateWindow, r.Plan.Connections, foreign*100)
}

func minutes(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.0f seconds", d.Seconds())
	}
	return fmt.Sprintf("%.0f minutes", d.Minutes())
}

// starts is the section about starts of the servers.
func (d *Document) starts() string {
	var rows [][]string
	for _, s := range d.Results.Starts {
		rows = append(rows, []string{s.Server, s.Service, milliseconds(s.Median), milliseconds(s.Lowest),
			milliseconds(s.Most)})
	}
	if len(rows) == 0 {
		return ""
	}
	return "## Start\n\nFrom the start of the process to its first response, which is polled every millisecond:\n\n" +
		table(2, []string{"server", "service", "median ms", "lowest", "highest"}, rows)
}

// sizes is the section about tables of different sizes in memory.
func (d *Document) sizes() string {
	if len(d.Results.Sizes) == 0 {
		return ""
	}
	head := []string{"server", "items", "memory MiB", "items/s written"}
	var rows [][]string
	for _, s := range d.Results.Sizes {
		for _, r := range s.Results {
			if name := r.Workload + " µs"; !slices.Contains(head, name) {
				head = append(head, name)
			}
		}
	}
	for _, s := range d.Results.Sizes {
		row := []string{s.Server, thousands.Group(s.Items), mebibytes(s.ResidentBytes), thousands.Group(int64(s.Fill))}
		for _, r := range s.Results {
			row = append(row, figure(r, microseconds(r.CPU)))
		}
		for len(row) < len(head) {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	return "## By size, in memory\n\nHalf of the items have partitions of their own, the other half are in one. get and put " +
		"use the former; query20 reads a\npartition of 100 items, query20-large the newest 20 items of the large one. µs are CPU " +
		"per request.\n\n" +
		picture("performance-sizes", "CPU per request by the number of items in a table") +
		picture("performance-memory", "Resident memory by the number of items in a table") + table(1, head, rows)
}

func (d *Document) profiles(files []string) string {
	if len(files) == 0 {
		return ""
	}
	var links []string
	for _, f := range files {
		name := filepath.Base(f)
		links = append(links, fmt.Sprintf("[%s](profiles/%s)", strings.TrimSuffix(name, ".txt"), name))
	}
	return "## Profiles\n\nThe functions that take the most CPU time, and those that allocate the most memory, by workload " +
		"(`go run\n./tools/performance profiles`):\n" + strings.Join(links, ",\n") + ".\n\n"
}

// peers is the section about other emulators.
func peers(r *suite.Results) string {
	text := "## Other emulators\n\n`make performance` also measures other emulators that are on this machine. Those that need " +
		"a virtual machine to warm up,\nor that write slowly, make it take longer; `ARGS=-peers=false` leaves them out.\n\n"
	var rows [][]string
	for _, p := range server.Peers() {
		state := "measured"
		if slices.Contains(r.Missing, p) {
			state = "not installed"
		}
		rows = append(rows, []string{p.Name, strings.TrimSpace("`" + p.Get + "` " + p.Note), state})
	}
	text += table(3, []string{"emulator", "how to get it", "in this run"}, rows)
	for _, reason := range r.Broken {
		text += "- Left out: " + strings.ReplaceAll(fmt.Sprintf("%.200s", reason), "\n", " ") + "\n"
	}
	return text
}
