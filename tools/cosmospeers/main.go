// Command cosmospeers compares emulators of Cosmos DB in one run on one machine: reads and creates over sixteen
// connections, queries, start time and memory. It also measures a bare net/http handler that responds with the same
// bytes, which is the best that HTTP and this client allow. The servers take turns, round by round, so that other load
// on the machine affects all of them; trust the ratios, not the absolute figures.
//
//	cosmospeers -tabletop bin/tabletop -cosmium …/cosmium -zeit …/cosmosdb-server
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// options are the programs to measure and the length of the measurement.
type options struct {
	tabletop, cosmium, zeit string
	rounds                  int
	window                  time.Duration
	items                   int
	only                    string
}

func main() {
	log.SetFlags(0)
	if len(os.Args) == 3 && os.Args[1] == bareCommand {
		log.Fatal(serveBare(os.Args[2]))
	}
	var o options
	flag.StringVar(&o.tabletop, "tabletop", "bin/tabletop", "path of the tabletop binary")
	flag.StringVar(&o.cosmium, "cosmium", "", "path of the cosmium binary; empty: skip cosmium")
	flag.StringVar(&o.zeit, "zeit", "", "path of the script of @zeit/cosmosdb-server; empty: skip it")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds per measurement; the median is reported")
	flag.DurationVar(&o.window, "window", time.Second, "how long each server is measured per round")
	flag.IntVar(&o.items, "items", 100_000, "items of 1 KB for the memory and for pages in descending order")
	flag.StringVar(&o.only, "only", "", "one of point, query, large; empty: all")
	flag.Parse()
	runtime.LockOSThread() // child processes end with the thread that started them
	if err := o.run(); err != nil {
		log.Fatal(err)
	}
}

// run measures and prints the results. Errors: a missed target.
func (o *options) run() error {
	r := &report{}
	for _, part := range []struct {
		name    string
		measure func(*report) error
	}{{"point", o.measurePoint}, {"query", o.measureQueries}, {"large", o.measureLargeContainer}} {
		if o.only != "" && o.only != part.name {
			continue
		}
		if err := part.measure(r); err != nil {
			return err
		}
	}
	fmt.Print(r)
	if missed := r.failures(); len(missed) > 0 {
		return fmt.Errorf("missed targets: %s", strings.Join(missed, "; "))
	}
	return nil
}

// peers returns the available servers: tabletop first, the bare handler last.
func (o *options) peers() []*peer {
	all := []*peer{{name: "tabletop", args: []string{o.tabletop, "emulator", "--quiet", "--dynamodb-addr", "127.0.0.1:0",
		"--cosmos-addr", "", "--cosmos-http-addr", "{addr}"}}}
	if o.cosmium != "" {
		all = append(all, &peer{name: "cosmium", args: []string{o.cosmium, "-DisableTls", "-Host", "127.0.0.1", "-Port",
			"{port}", "-LogLevel", "silent"}})
	}
	if o.zeit != "" {
		all = append(all, &peer{name: "zeit", args: []string{"node", o.zeit, "--no-ssl", "--host", "127.0.0.1",
			"-p", "{port}"}})
	}
	self, err := os.Executable()
	if err == nil {
		all = append(all, &peer{name: "bare", bare: true, args: []string{self, bareCommand, "{addr}"}})
	}
	return all
}

// startAll starts the peers. stop ends them.
func startAll(peers []*peer) (stop func(), err error) {
	stop = func() {
		for _, p := range peers {
			p.stop()
		}
	}
	for _, p := range peers {
		if err := p.start(); err != nil {
			stop()
			return nil, err
		}
	}
	return stop, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}
