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

// FolderSize is the figures of an emulator with its data in a folder, by the number of items. tools/bigdata measures
// them.
type FolderSize struct {
	Items      int              `json:"items"`
	FolderMiB  float64          `json:"folder_mib"`
	OpenMS     float64          `json:"open_ms"`      // from its start to the first response
	KilledMS   float64          `json:"open_kill_ms"` // the same after kill -9
	RSSMiB     float64          `json:"rss_mib"`      // at most
	GetRate    float64          `json:"get_rps"`
	PutRate    float64          `json:"put_rps"`
	GetCPU     float64          `json:"get_cpu_ms_per_1000"` // the same as µs per request
	PutCPU     float64          `json:"put_cpu_ms_per_1000"`
	Concurrent []ConcurrentWork `json:"concurrent"`
	Command    string           `json:"command"`
	Date       string           `json:"date"`
	CommitRef  string           `json:"commit"`
}

// ConcurrentWork is the figures of requests at a fixed rate while much data is worked on.
type ConcurrentWork struct {
	Work    string  `json:"work"` // such as "index"; "none": only the requests
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"rps"`
	P50MS   float64 `json:"p50_ms"`
	P99MS   float64 `json:"p99_ms"`
	MaxMS   float64 `json:"max_ms"`
	PeakMiB float64 `json:"peak_rss_mib"`
}

func (d *Document) readFolders(file string) error {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &d.Folders); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
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
		rows = append(rows, []string{thousands.Group(f.Items), digits(f.FolderMiB), digits(f.OpenMS), digits(f.KilledMS),
			digits(f.RSSMiB), digits(f.GetCPU), digits(f.PutCPU),
			thousands.Group(int64(f.GetRate)), thousands.Group(int64(f.PutRate))})
	}
	return text + table(0, []string{"items", "folder MiB", "open ms", "after kill -9", "memory MiB", "get µs", "put µs",
		"get/s", "put/s"}, rows) + d.concurrentWork()
}

// foldersMeasured tells with which commands the sizes were measured.
func (d *Document) foldersMeasured() string {
	var commands []string
	for _, f := range d.Folders {
		command := fmt.Sprintf("`%s` (commit %s, %s)", f.Command, f.CommitRef, f.Date)
		if !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	return "Items of 1 KB, measured by:\n\n- " + strings.Join(commands, "\n- ") + "\n\n"
}

// concurrentWork is the table of requests while much data is worked on.
func (d *Document) concurrentWork() string {
	var rows [][]string
	for _, f := range d.Folders {
		for _, c := range f.Concurrent {
			rows = append(rows, []string{c.Work, thousands.Group(f.Items), digits(c.Seconds), thousands.Group(int64(c.Rate)),
				digits(c.P50MS), digits(c.P99MS), digits(c.MaxMS), digits(c.PeakMiB)})
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return "Requests at a fixed rate, a fifth of them puts, while all items are worked on. A request that could not be sent " +
		"in time\ncounts from when it was due.\n\n" + table(1, []string{"work", "items", "seconds", "requests/s", "p50 ms",
		"p99 ms", "max ms", "peak memory MiB"}, rows)
}
