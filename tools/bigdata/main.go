// Command bigdata measures how the emulator behaves as its data folder grows: how long it takes to open, how much
// memory it takes, and what point reads and writes cost, at each of several numbers of items.
//
//	go run ./tools/bigdata                                  # 10,000 to 10,000,000 items of 1 KB; takes up to an hour
//	go run ./tools/bigdata -sizes 10000,1000000 -memory 512MiB
//
// It fills one folder to each size in turn, through BatchWriteItem, and updates docs/performance-sizes.json: rows of
// other sizes stay. It needs Linux, and 2 KB of free disk space for each item; with -concurrent, 8 KB.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/page"
)

func main() {
	runtime.LockOSThread() // servers end with the thread that started them
	sizes := flag.String("sizes", "10000,100000,1000000,10000000", "numbers of items, ascending")
	memory := flag.String("memory", "512MiB", "value of the emulator's flag --memory; empty: none")
	dir := flag.String("dir", "", "folder for the data; it is removed at the end. Default: a temporary folder")
	program := flag.String("emulator", "", "the emulator's program. Default: it is built")
	phase := flag.Duration("phase", 10*time.Second, "length of each phase of reads and writes")
	concurrent := flag.Int("concurrent", 0, "also add an index, back up, restore and export at each size, while this many "+
		"requests per second are served, a fifth of them writes; 0: do not")
	conns := flag.Int("conns", 16, "connections")
	out := flag.String("out", "docs/performance-sizes.json", "file to write the rows to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{program: *program, memory: *memory, phase: *phase, conns: *conns, rate: *concurrent}
	if err := b.run(ctx, *sizes, *dir, *out); err != nil {
		log.Fatalln("bigdata:", err)
	}
}

type bench struct {
	program, memory, data string
	phase                 time.Duration
	conns, rate           int
}

func (b *bench) run(ctx context.Context, sizes, parent, out string) error {
	if runtime.GOOS != "linux" {
		return errors.New("it reads the emulator's memory and CPU time from /proc: run it on Linux")
	}
	counts, err := parseSizes(sizes)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(parent, "bigdata-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // it is only a copy of what can be made again
	b.data = filepath.Join(work, "data")
	if b.program == "" {
		b.program = filepath.Join(work, "tabletop-emulator")
		if text, err := exec.Command("go", "build", "-o", b.program, "./cmd/tabletop-emulator").CombinedOutput(); err != nil {
			return fmt.Errorf("the emulator cannot be built: %w\n%s", err, text)
		}
	}
	rows, err := page.ReadFolderSizes(out)
	if err != nil {
		return err
	}
	previous := 0
	for _, n := range counts {
		row, err := b.measure(ctx, previous, n)
		if err != nil {
			return fmt.Errorf("at %d items: %w", n, err)
		}
		rows, previous = withRow(rows, row), n
		text, _ := json.MarshalIndent(rows, "", "  ") // rows hold numbers and texts
		if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
			return err
		}
		fmt.Printf("%+v\n", row)
	}
	return nil
}

// withRow returns the rows in order of their sizes, with row instead of the one of its size.
func withRow(rows []page.FolderSize, row page.FolderSize) []page.FolderSize {
	rows = slices.DeleteFunc(rows, func(r page.FolderSize) bool { return r.Items == row.Items })
	return slices.SortedFunc(slices.Values(append(rows, row)), func(a, b page.FolderSize) int { return a.Items - b.Items })
}

func parseSizes(text string) (counts []int, err error) {
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 || len(counts) > 0 && n <= counts[len(counts)-1] {
			return nil, fmt.Errorf("-sizes %s: give ascending numbers, such as 10000,100000", text)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// measure fills the folder from its previous number of items to n, and measures there.
func (b *bench) measure(ctx context.Context, previous, n int) (page.FolderSize, error) {
	commit, _ := exec.Command("git", "rev-parse", "--short=10", "HEAD").Output() // empty outside a clone
	r := page.FolderSize{Items: n, Memory: b.memory, Date: time.Now().UTC().Format(time.DateOnly),
		Commit: strings.TrimSpace(string(commit)), Command: "go run ./tools/bigdata " + strings.Join(os.Args[1:], " ")}
	for _, step := range []func(context.Context, *page.FolderSize, int) error{b.fill, b.reopen, b.kill, b.concurrent} {
		if err := step(ctx, &r, previous); err != nil {
			return r, err
		}
	}
	return r, nil
}

// fill writes the items from the previous number on, and stops the emulator as a user would.
func (b *bench) fill(ctx context.Context, r *page.FolderSize, previous int) error {
	s, _, err := b.start()
	if err != nil {
		return err
	}
	defer s.Stop()
	if previous == 0 {
		if err := s.createTable(); err != nil {
			return err
		}
	}
	began := time.Now()
	if err := s.batches(ctx, previous, r.Items, b.conns, put); err != nil {
		return err
	}
	r.LoadPerSec = round(float64(r.Items-previous) / time.Since(began).Seconds())
	r.RSSMiB = max(r.RSSMiB, s.peakRSS())
	if err := s.Terminate(); err != nil {
		return err
	}
	r.FolderMiB, err = folderSize(b.data)
	return err
}

// reopen measures opening after a clean stop, and reads and replacements of random items.
func (b *bench) reopen(ctx context.Context, r *page.FolderSize, _ int) error {
	s, ms, err := b.start()
	if err != nil {
		return err
	}
	defer s.Stop()
	r.OpenMs, r.IdleRSSMiB = ms, s.rss()
	reads, err := s.load(ctx, b.conns, b.phase, getRequest, below(r.Items))
	if err != nil {
		return err
	}
	r.GetRPS, r.GetCPU, r.GetP99Ms = reads.rps, reads.cpu, reads.p99
	writes, err := s.load(ctx, b.conns, b.phase, putRequest, below(r.Items))
	if err != nil {
		return err
	}
	r.PutRPS, r.PutCPU, r.PutP99Ms = writes.rps, writes.cpu, writes.p99
	r.RSSMiB = max(r.RSSMiB, s.peakRSS())
	return nil // killed under load, as far as an emulator knows
}

// kill measures opening after kill -9, and puts of new items, which it deletes.
func (b *bench) kill(ctx context.Context, r *page.FolderSize, _ int) error {
	s, ms, err := b.start()
	if err != nil {
		return err
	}
	defer s.Stop()
	r.OpenKillMs = ms
	inserted := above(firstInserted)
	inserts, err := s.load(ctx, b.conns, b.phase, putRequest, inserted)
	if err != nil {
		return err
	}
	r.InsertRPS, r.InsertCPU, r.InsertP99Ms = inserts.rps, inserts.cpu, inserts.p99
	r.RSSMiB = max(r.RSSMiB, s.peakRSS())
	if err := s.batches(ctx, firstInserted, inserted(), b.conns, deletion); err != nil {
		return err
	}
	return s.Terminate()
}

// firstInserted is the number of the first item that kill puts, beyond those of the folder.
const firstInserted = 1 << 31

func folderSize(dir string) (mib float64, err error) {
	var bytes int64
	err = filepath.WalkDir(dir, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return round(float64(bytes) / (1 << 20)), err
}
