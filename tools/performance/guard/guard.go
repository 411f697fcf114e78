// Package guard compares the CPU time per request of the emulator in the working tree with that of an earlier commit,
// in one run on one machine. Absolute figures depend on the machine; the ratio of two emulators that take turns does
// much less.
package guard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/measure"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// Options are what to compare. The zero value of a field is invalid unless its comment says otherwise.
type Options struct {
	Folder    string          // the clone
	Base      string          // the commit to compare with; "": see FindBase
	Binary    string          // a built emulator to compare with, instead of a commit; "": none
	Workloads map[string]bool // only these; empty: all at no fixed rate
	Rounds    int             // of windows per emulator
	Limit     float64         // the largest loss that passes, as a part: 0.15
	Out       io.Writer
}

// Run compares, and prints a table. A workload whose loss is beyond two thirds of the limit is measured again, on
// several new pairs of processes, whose median decides. Errors: the loss is beyond the limit; each workload is named
// with its figures. Or nothing was compared.
func Run(o Options) error {
	if o.Rounds < 1 {
		return fmt.Errorf("-rounds %d: must be 1 or more", o.Rounds)
	}
	began := time.Now()
	folder, err := os.MkdirTemp("", "performance-guard")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	base, head, err := o.binaries(folder)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "built in %.0f s\n\n%-16s %12s %12s %8s\n", time.Since(began).Seconds(), "workload", "base", "head",
		"change")
	var s summary
	bases, heads := server.Emulators("base", base), server.Emulators("head", head)
	for i := range bases {
		if err := o.compare(bases[i], heads[i], &s); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Out, "\nCPU time of the emulator per request, in µs; compared: %d, not compared: %d; %.0f s in all\n",
		s.compared, s.broken, time.Since(began).Seconds())
	return s.err()
}

// summary is the result of all comparisons.
type summary struct {
	compared int
	broken   int      // workloads to which the base does not respond correctly
	failures []string // a line for each workload that fails
}

func (s *summary) add(results []*comparison) {
	for _, c := range results {
		if c.broken != "" {
			s.broken++
		} else {
			s.compared++
		}
	}
}

// err returns the error that workloads fail, or that there is no verdict.
func (s *summary) err() error {
	switch {
	case len(s.failures) > 0:
		return fmt.Errorf("the emulator needs more CPU per request than before:\n%s", strings.Join(s.failures, "\n"))
	case s.compared == 0:
		return errors.New("nothing was compared: use workloads at no fixed rate, to which the base responds correctly; name " +
			"another base by -base")
	}
	return nil
}

// binaries builds both emulators.
func (o Options) binaries(folder string) (base, head string, err error) {
	head, base = filepath.Join(folder, "head-emulator"), o.Binary
	here := repository(o.Folder)
	if err := here.build(head); err != nil {
		return "", "", err
	}
	if base != "" {
		fmt.Fprintf(o.Out, "base: %s\n", base)
		return base, head, nil
	}
	found, err := FindBase(o.Folder, o.Base)
	if err != nil {
		return "", "", err
	}
	fmt.Fprintf(o.Out, "base: %s\n      %s\nhead: the working tree at %s\n", here.describe(found.Commit), found.Reason,
		here.describe("HEAD"))
	there, err := here.checkout(found.Commit, folder)
	if err != nil {
		return "", "", err
	}
	base = filepath.Join(folder, "base-emulator")
	return base, head, there.build(base)
}

// compare compares one service's workloads and adds the results to the summary.
func (o Options) compare(base, head *server.Program, s *summary) error {
	var selected []*workload.Workload
	for _, w := range base.Service().Find(o.Workloads) {
		if w.Rate == 0 {
			selected = append(selected, w)
		}
	}
	results, err := o.measure(base, head, selected, o.Rounds)
	if err != nil {
		return err
	}
	s.add(results)
	var again []*workload.Workload
	for _, c := range results {
		c.print(o.Out)
		if c.broken == "" && c.ratio() > 1+o.Limit*2/3 {
			again = append(again, c.workload)
		}
	}
	failures, err := o.repeat(base, head, again)
	s.failures = append(s.failures, failures...)
	return err
}

// repetitions is how many pairs of processes measure a workload again. A process can be slower than another of the same
// program for as long as it runs, by its layout in memory or the times of its garbage collections.
const repetitions = 3

// repeat measures workloads again, and returns a line for each that fails.
func (o Options) repeat(base, head *server.Program, workloads []*workload.Workload) (failures []string, err error) {
	repeated := make([][]*comparison, len(workloads))
	for range repetitions {
		results, err := o.measure(base, head, workloads, o.Rounds)
		if err != nil {
			return nil, err
		}
		for i, c := range results {
			fmt.Fprint(o.Out, "again: ")
			c.print(o.Out)
			repeated[i] = append(repeated[i], c)
		}
	}
	for _, all := range repeated {
		slices.SortFunc(all, func(a, b *comparison) int { return cmp.Compare(a.ratio(), b.ratio()) })
		if median := all[len(all)/2]; median.ratio() > 1+o.Limit {
			failures = append(failures, median.failure())
		}
	}
	return failures, nil
}

func (o Options) measure(base, head *server.Program, workloads []*workload.Workload, rounds int) ([]*comparison,
	error) {
	if len(workloads) == 0 {
		return nil, nil
	}
	p, err := start(base, head)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	return p.compare(workloads, rounds)
}

func (c *comparison) print(out io.Writer) {
	if c.broken != "" {
		fmt.Fprintf(out, "%-16s not compared, because the base does not respond correctly: %s\n", c.workload.Name, c.broken)
		return
	}
	fmt.Fprintf(out, "%-16s %12.1f %12.1f %+7.1f%%\n", c.workload.Name, microseconds(c.base), microseconds(c.head),
		(c.ratio()-1)*100)
}

// failure returns the line for a workload that fails.
func (c *comparison) failure() string {
	return fmt.Sprintf("  %s: %.1f µs, before %.1f µs (%+.0f%%); see what it does: go run ./tools/performance profiles "+
		"-workloads %s", c.workload.Name, microseconds(c.head), microseconds(c.base), (c.ratio()-1)*100, c.workload.Name)
}

func microseconds(values []time.Duration) float64 {
	return float64(measure.Median(values).Nanoseconds()) / 1000
}
