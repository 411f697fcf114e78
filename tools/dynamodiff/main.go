// Command dynamodiff sends the same random requests to the emulator and to another DynamoDB, and reports where their
// responses differ. The requests are generated from a seed: valid, nearly valid and hostile ones. Each difference is
// reduced to the fewest and smallest requests that show it, and looked up in known.yaml, which explains known
// differences with their sources. An unknown difference fails the run.
//
//	dynamodiff                                 the embedded emulator and DynamoDB Local, for a minute
//	dynamodiff -for 1h -seed 7
//	dynamodiff -rounds 200                     the same requests every time
//	dynamodiff -peer url=http://127.0.0.1:8001 -messages
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/tabletop-db/tabletop/features/targets"
)

// options are the databases to compare and the length of the run.
type options struct {
	ours, peer string
	seed       uint64
	window     time.Duration
	rounds     int
	messages   bool
	all        bool
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.ours, "ours", "embedded", "the emulator: a target as in tabletop features --target")
	flag.StringVar(&o.peer, "peer", "dynamodb-local", "the other DynamoDB: a target")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the requests; the same seed sends the same requests")
	flag.DurationVar(&o.window, "for", time.Minute, "how long to send requests")
	flag.IntVar(&o.rounds, "rounds", 0, "how many rounds of 30 requests to send, instead of -for")
	flag.BoolVar(&o.messages, "messages", false, "compare the messages of errors too, not only their types")
	flag.BoolVar(&o.all, "all", false, "report known differences too")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unknown argument %q: see dynamodiff -h", flag.Arg(0))
	}
	unknown, err := o.run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if unknown > 0 {
		os.Exit(1)
	}
}

// run compares the two until the time is over, and prints each new kind of difference. It returns how many are not in
// known.yaml.
func (o *options) run(ctx context.Context) (unknown int, err error) {
	rules, err := readRules()
	if err != nil {
		return 0, err
	}
	ours, err := open(ctx, o.ours)
	if err != nil {
		return 0, err
	}
	defer ours.Close()
	peer, err := open(ctx, o.peer)
	if err != nil {
		return 0, err
	}
	defer peer.Close()
	c := &comparison{ours: endpoint{ours.Endpoint}, peer: endpoint{peer.Endpoint}, messages: o.messages}
	seen, knownKinds := map[string]bool{}, 0
	end, last := time.Now().Add(o.window), o.seed+uint64(o.rounds)
	for ; o.seed < last || o.rounds == 0 && time.Now().Before(end); o.seed++ {
		found, err := c.round(newGenerator(o.seed).history())
		if err != nil {
			return unknown, err
		}
		if found == nil {
			continue
		}
		rule := rules.find(found) // first: two differences of one kind can have different requests
		kind := fmt.Sprintf("%p %s", rule, found.kind())
		if seen[kind] {
			continue
		}
		seen[kind] = true
		if rule != nil && !o.all {
			knownKinds++
			continue
		}
		found = c.shrink(found)
		if rule != nil {
			knownKinds++
			fmt.Printf("known: %s (%s)\n", rule.Because, rule.Source)
		} else {
			unknown++
		}
		fmt.Printf("seed %d\n%s\n", o.seed, found)
	}
	fmt.Printf("%d requests compared, %d kinds of known differences, %d unknown\n", c.compared, knownKinds, unknown)
	return unknown, nil
}

func open(ctx context.Context, target string) (*targets.Target, error) {
	spec, err := targets.Parse(target)
	if err != nil {
		return nil, err
	}
	return spec.Open(ctx, targets.Options{Logger: slog.Default()})
}
