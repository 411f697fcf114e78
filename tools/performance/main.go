// Command performance measures the emulator:
//
//	go run ./tools/performance measure     measure it, and other emulators, and write docs/performance.md
//	go run ./tools/performance guard       compare its CPU time per request with an earlier commit
//	go run ./tools/performance profiles    write the functions that take the most time and memory to docs/profiles
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/floor"
	"github.com/tabletop-db/tabletop/tools/performance/guard"
	"github.com/tabletop-db/tabletop/tools/performance/machine"
	"github.com/tabletop-db/tabletop/tools/performance/profiles"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

func main() {
	runtime.LockOSThread() // servers end with the thread that started them
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "performance:", err)
		os.Exit(1)
	}
}

const usage = "usage: performance measure|guard|profiles [flags]"

func run(args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "guard":
		return runGuard(args[1:])
	case "profiles":
		return runProfiles(args[1:])
	case "measure":
		return runMeasure(args[1:])
	}
	switch {
	case len(args) == 4 && args[0] == profiles.ServeCommand:
		return profiles.Serve(args[1], args[2], args[3])
	case len(args) == 2 && args[0] == suite.FloorDynamoDB:
		return floor.ServeDynamoDB(args[1], "")
	case len(args) == 3 && args[0] == suite.FloorDynamoDB:
		return floor.ServeDynamoDB(args[1], args[2])
	case len(args) == 2 && args[0] == suite.FloorCosmosDB:
		return floor.ServeCosmosDB(args[1])
	default:
		return errors.New(usage)
	}
}

func runGuard(args []string) error {
	flags := flag.NewFlagSet("guard", flag.ExitOnError)
	o := guard.Options{Folder: ".", Out: os.Stdout}
	flags.StringVar(&o.Base, "base", os.Getenv(guard.BaseVariable), "commit to compare with; default: the merge base with "+
		"main, and on main the commit of the figures in docs/performance.md")
	flags.StringVar(&o.Binary, "base-binary", "", "built emulator to compare with, instead of a commit")
	flags.IntVar(&o.Rounds, "rounds", 16, "windows per workload and emulator")
	flags.Float64Var(&o.Limit, "limit", 0.15, "largest loss that passes, as a part")
	o.Workloads = workloadsFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	return guard.Run(o)
}

func runProfiles(args []string) error {
	flags := flag.NewFlagSet("profiles", flag.ExitOnError)
	o := profiles.Options{Out: os.Stdout}
	flags.StringVar(&o.Folder, "folder", "docs/profiles", "folder to write WORKLOAD.txt to")
	flags.BoolVar(&o.Binary, "binary", false, "also write FOLDER/WORKLOAD.pprof, for go tool pprof -http")
	flags.DurationVar(&o.Duration, "duration", 4*time.Second, "length of each profile of CPU time, in whole seconds")
	o.Workloads = workloadsFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.Machine = fmt.Sprintf("commit %s, %s, %d CPUs, %s", machine.Commit(), machine.Processor(), runtime.NumCPU(),
		runtime.Version())
	return profiles.Run(o)
}

// workloadsFlag adds the flag that selects workloads, and returns the names that it selects when flags are parsed.
func workloadsFlag(flags *flag.FlagSet) map[string]bool {
	names := map[string]bool{}
	flags.Func("workloads", "only these workloads, separated by commas; default: all", func(list string) error {
		return workload.Select(names, list)
	})
	return names
}
