// Command gate builds the mutants of the list and runs, for each, the tests of what it breaks. At least one must fail.
// The report names the scenario, verdict or reconciliation that caught it. If a mutant is not caught, the exit status
// is 1.
//
// With -explore, it runs the TestExplore of the backends instead, with the mutants that emulator.Explore must find.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/features/mutants"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	out := flag.String("report", "reports/mutants", "folder for the report")
	only := flag.String("only", "",
		"a regular expression: the mutants whose id, clause, kind or file it matches; without it all")
	sample := flag.Int("sample", 0, "so many of them, chosen by -seed; 0: all")
	seed := flag.Uint64("seed", 1, "of the sample")
	times := flag.Int("times", 1,
		"how often in a row each must be caught: 20 shows that no proof of a race is left to luck")
	workers := flag.Int("workers", max(1, runtime.GOMAXPROCS(0)), "mutants at a time")
	exploring := flag.Bool("explore", false,
		"the mutants that emulator.Explore must find, one after the other; -times and -workers do not apply")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	selected, list := selection{*only, *sample, *seed}, mutants.Read
	if *exploring {
		list = mutants.Explored
	}
	if err := withGate(*root, list, selected, func(g *gate, chosen []mutants.Mutant) error {
		if *exploring {
			return g.exploreAll(ctx, *out, chosen)
		}
		return run(ctx, g, *out, chosen, *times, *workers)
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// withGate calls do with the mutants that are selected, and a gate whose files are removed afterwards.
func withGate(root string, list func() ([]mutants.Mutant, error), selected selection,
	do func(*gate, []mutants.Mutant) error) error {
	all, err := list()
	if err != nil {
		return err
	}
	chosen, err := selected.apply(all)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	g, err := newGate(root, work)
	if err != nil {
		return err
	}
	return do(g, chosen)
}

func run(ctx context.Context, g *gate, out string, chosen []mutants.Mutant, times, workers int) error {
	programs, err := g.buildAll(ctx, chosen)
	if err != nil {
		return err
	}
	if err := g.checkWithoutMutants(ctx, programs.original, chosen); err != nil {
		return err
	}
	results := make([]result, len(chosen))
	var group errgroup.Group
	group.SetLimit(workers)
	for i, m := range chosen {
		group.Go(func() error {
			results[i] = g.test(ctx, m, programs.byMutant[m.ID], times)
			fmt.Println(results[i])
			return nil
		})
	}
	_ = group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return write(out, results)
}

// selection selects the mutants to test.
type selection struct {
	only   string // a regular expression
	sample int    // number of mutants; 0: all that match
	seed   uint64
}

// apply returns the selected mutants, in the order of the list.
func (c selection) apply(all []mutants.Mutant) ([]mutants.Mutant, error) {
	pattern, err := regexp.Compile(c.only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	var chosen []mutants.Mutant
	for _, m := range all {
		if pattern.MatchString(m.ID) || pattern.MatchString(m.Breaks) || pattern.MatchString(m.Kind) ||
			pattern.MatchString(m.File) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only %q matches no mutant", c.only)
	}
	if c.sample <= 0 || c.sample >= len(chosen) {
		return chosen, nil
	}
	at := rand.New(rand.NewPCG(c.seed, 0)).Perm(len(chosen))[:c.sample]
	slices.Sort(at)
	sampled := make([]mutants.Mutant, len(at))
	for i, n := range at {
		sampled[i] = chosen[n]
	}
	return sampled, nil
}
