package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/page"
	"github.com/tabletop-db/tabletop/tools/performance/suite"
)

// defaultSizes are numbers of items. The largest is that of the memory of other emulators.
const defaultSizes = "1000,10000,50000,200000"

// runMeasure measures everything and writes the page.
func runMeasure(args []string) (err error) {
	flags := flag.NewFlagSet("measure", flag.ExitOnError)
	o := suite.Options{Out: os.Stdout}
	flags.StringVar(&o.Binary, "emulator", "bin/tabletop-emulator", "the program to measure")
	flags.BoolVar(&o.Peers, "peers", true, "also measure other emulators that are on this machine")
	flags.IntVar(&o.Plan.Rounds, "rounds", 7, "windows per workload and server; their median counts")
	flags.DurationVar(&o.Plan.Window, "window", 400*time.Millisecond, "length of a window")
	flags.DurationVar(&o.Plan.RateWindow, "rate-window", time.Second, "length of a window at a fixed rate")
	flags.IntVar(&o.Plan.Connections, "connections", 16, "connections of the client")
	flags.IntVar(&o.Starts, "starts", 10, "starts of each server")
	sizes := flags.String("sizes", defaultSizes, "items of the tables by whose size figures are measured")
	docs := flags.String("docs", "docs", "folder to write performance.md and its pictures to")
	reports := flags.String("reports", "reports/performance", "folder of results.json, and for data during the run")
	from := flags.String("from", "", "write the page from this results.json instead of measuring")
	o.Workloads = workloadsFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from != "" {
		d, err := page.Read(*from)
		if err != nil {
			return err
		}
		return d.Write(*docs)
	}
	if o.Sizes, err = numbers(*sizes); err != nil {
		return err
	}
	if o.Self, err = os.Executable(); err != nil {
		return err
	}
	return measureInto(o, *reports, *docs)
}

// measureInto measures, with the data of servers in a folder that is deleted at the end.
func measureInto(o suite.Options, reports, docs string) (err error) {
	if err := os.MkdirAll(reports, 0o755); err != nil {
		return err
	}
	if o.Folder, err = os.MkdirTemp(reports, "run-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.Folder)
	if o.Folder, err = filepath.Abs(o.Folder); err != nil {
		return err
	}
	results, err := suite.Run(o)
	if err != nil {
		return err
	}
	d := page.New(results)
	if err := d.Save(filepath.Join(reports, "results.json")); err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "%4.0f s  %s\n", results.Duration.Seconds(), filepath.Join(docs, "performance.md"))
	return d.Write(docs)
}

func numbers(list string) (all []int, err error) {
	for _, text := range strings.Split(list, ",") {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
