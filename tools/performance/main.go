// Command performance measures the emulator:
//
//	go run ./tools/performance guard       compare its CPU time per request with an earlier commit
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/tabletop-db/tabletop/tools/performance/guard"
)

func main() {
	runtime.LockOSThread() // servers end with the thread that started them
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "performance:", err)
		os.Exit(1)
	}
}

const usage = "usage: performance guard [flags]"

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s", usage)
	}
	switch args[0] {
	case "guard":
		return runGuard(args[1:])
	default:
		return fmt.Errorf("%s", usage)
	}
}

func runGuard(args []string) error {
	flags := flag.NewFlagSet("guard", flag.ExitOnError)
	o := guard.Options{Folder: ".", Out: os.Stdout}
	flags.StringVar(&o.Base, "base", os.Getenv(guard.BaseVariable), "commit to compare with; default: the merge base with "+
		"main, and on main the commit of the figures in docs/performance.md")
	flags.StringVar(&o.Binary, "base-binary", "", "built emulator to compare with, instead of a commit")
	flags.IntVar(&o.Rounds, "rounds", 12, "windows per workload and emulator")
	flags.Float64Var(&o.Limit, "limit", 0.15, "largest loss that passes, as a part")
	names := workloadsFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.Workloads = names()
	return guard.Run(o)
}

// workloadsFlag adds the flag that selects workloads.
func workloadsFlag(flags *flag.FlagSet) func() map[string]bool {
	list := flags.String("workloads", "", "only these workloads, separated by commas; default: all")
	return func() map[string]bool {
		names := map[string]bool{}
		for _, name := range strings.Split(*list, ",") {
			if name != "" {
				names[name] = true
			}
		}
		return names
	}
}
