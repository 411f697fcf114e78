package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// FolderSize is the figures of an emulator with its data in a folder, at one number of items. tools/bigdata measures
// them. CPU times in ms per 1,000 requests are µs per request.
type FolderSize struct {
	Items       int              `json:"items"`        // of 1 KB
	FolderMiB   float64          `json:"folder_mib"`   // size of the data folder
	LoadPerSec  float64          `json:"load_per_sec"` // items per second while the folder was filled from the previous size
	OpenMs      float64          `json:"open_ms"`      // from the start of the process to its first response, after a clean stop
	OpenKillMs  float64          `json:"open_kill_ms"` // the same after kill -9 under load
	IdleRSSMiB  float64          `json:"idle_rss_mib"` // resident memory after opening
	RSSMiB      float64          `json:"rss_mib"`      // peak resident memory under load, of all phases
	GetRPS      float64          `json:"get_rps"`      // point reads of random items
	PutRPS      float64          `json:"put_rps"`      // replacements of random items
	InsertRPS   float64          `json:"insert_rps"`   // puts of new items
	GetCPU      float64          `json:"get_cpu_ms_per_1000"`
	PutCPU      float64          `json:"put_cpu_ms_per_1000"`
	InsertCPU   float64          `json:"insert_cpu_ms_per_1000"`
	GetP99Ms    float64          `json:"get_p99_ms"`
	PutP99Ms    float64          `json:"put_p99_ms"`
	InsertP99Ms float64          `json:"insert_p99_ms"`
	Concurrent  []ConcurrentWork `json:"concurrent,omitempty"` // with -concurrent
	Memory      string           `json:"memory"`               // the value of --memory; empty: none
	Command     string           `json:"command"`              // that measured this row
	Date        string           `json:"date"`
	Commit      string           `json:"commit"`
}

// ConcurrentWork is the figures of requests at a fixed rate while much data is worked on.
type ConcurrentWork struct {
	Work    string  `json:"work"`    // such as "index": an index was added; "none": only the requests
	Seconds float64 `json:"seconds"` // that the work took
	RPS     float64 `json:"rps"`     // requests per second that were served meanwhile
	P50Ms   float64 `json:"p50_ms"`
	P99Ms   float64 `json:"p99_ms"`
	MaxMs   float64 `json:"max_ms"`
	PeakMiB float64 `json:"peak_rss_mib"`
}

// ReadFolderSizes reads a file of performance-sizes.json's form; none are the result if there is no file.
func ReadFolderSizes(file string) (sizes []FolderSize, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &sizes); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return sizes, nil
}

// folders is the section about data folders.
func (d *Document) folders() string {
	if len(d.Folders) == 0 {
		return ""
	}
	text := "## By size, in a folder\n\n" + d.foldersMeasured()
	if len(d.Folders) > 1 {
		text += picture("performance-folder", "CPU per request by the number of items in a data folder") +
			picture("performance-open", "Time to open a data folder by its number of items")
	}
	var rows [][]string
	for _, f := range d.Folders {
		rows = append(rows, []string{thousands.Group(f.Items), digits(f.FolderMiB), digits(f.OpenMs), digits(f.OpenKillMs),
			digits(f.RSSMiB), digits(f.GetCPU), digits(f.PutCPU),
			thousands.Group(int64(f.GetRPS)), thousands.Group(int64(f.PutRPS))})
	}
	return text + table(0, []string{"items", "folder MiB", "open ms", "after kill -9", "memory MiB", "get µs", "put µs",
		"get/s", "put/s"}, rows) + d.concurrentWork()
}

// foldersMeasured tells with which commands the sizes were measured.
func (d *Document) foldersMeasured() string {
	var commands []string
	for _, f := range d.Folders {
		command := fmt.Sprintf("`%s` (commit %s, %s)", f.Command, f.Commit, f.Date)
		if !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return "Items of 1 KB, in an emulator with `--memory 512MiB`, measured by:\n\n- " + strings.Join(commands, "\n- ") + "\n\n"
}

// concurrentWork is the table of requests while much data is worked on.
func (d *Document) concurrentWork() string {
	var rows [][]string
	for _, f := range d.Folders {
		for _, c := range f.Concurrent {
			rows = append(rows, []string{c.Work, thousands.Group(f.Items), digits(c.Seconds), thousands.Group(int64(c.RPS)),
				digits(c.P50Ms), digits(c.P99Ms), digits(c.MaxMs), digits(c.PeakMiB)})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return "Requests at a fixed rate, a fifth of them puts, while all items are worked on. A request that could not be sent " +
		"in time\ncounts from when it was due.\n\n" + table(1, []string{"work", "items", "seconds", "requests/s", "p50 ms",
		"p99 ms", "max ms", "peak memory MiB"}, rows)
}
