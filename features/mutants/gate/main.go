// Command gate builds the mutants of the list, and runs for each the proofs of what it breaks: they must fail. The report says which
// scenario, verdict or reckoning caught it. A mutant that nothing catches makes the exit status 1.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/features/mutants"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	out := flag.String("report", "reports/mutants", "folder for the report")
	only := flag.String("only", "", "a regular expression: the mutants whose id, clause or file it matches; without it all")
	workers := flag.Int("workers", max(1, runtime.GOMAXPROCS(0)), "mutants at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *root, *out, *only, *workers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, out, only string, workers int) error {
	chosen, err := choose(only)
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
	programs, err := g.programs(ctx, chosen)
	if err != nil {
		return err
	}
	if err := g.sound(ctx, programs.sound, chosen); err != nil {
		return err
	}
	results := make([]result, len(chosen))
	var group errgroup.Group
	group.SetLimit(workers)
	for i, m := range chosen {
		group.Go(func() error {
			results[i] = g.try(ctx, m, programs.of[m.ID])
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

// choose returns the mutants that only matches.
func choose(only string) ([]mutants.Mutant, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	all, err := mutants.Read()
	if err != nil {
		return nil, err
	}
	var chosen []mutants.Mutant
	for _, m := range all {
		if pattern.MatchString(m.ID) || pattern.MatchString(m.Breaks) || pattern.MatchString(m.File) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only %q matches no mutant", only)
	}
	return chosen, nil
}
