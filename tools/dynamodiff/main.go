// Command dynamodiff sends the same random requests to the emulator and to other DynamoDBs, and reports where their
// responses differ. The requests are generated from a seed: valid, nearly valid and hostile ones. Each difference is
// reduced to the fewest and smallest requests that show it, and looked up in the file about the other DynamoDB in
// known, which explains known differences with their sources. An unknown difference fails the run.
//
//	dynamodiff                                 the embedded emulator and its peers, a minute each
//	dynamodiff -peers dynoxide -dynoxide ~/bin/dynoxide -for 1h -seed 7
//	dynamodiff -rounds 200                     the same requests every time
//	dynamodiff -peers url=http://127.0.0.1:8001 -messages
//
// The peers are DynamoDB Local, which needs Docker or Java with Maven, and Dynoxide, which is left out if its program
// is not installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"
)

// options are the databases to compare and the length of the run.
type options struct {
	ours, peers string
	dynoxide    string // the program
	seed        uint64
	window      time.Duration
	rounds      int
	messages    bool
	all         bool
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.ours, "ours", "embedded", "the emulator: a target as in tabletop features --target")
	flag.StringVar(&o.peers, "peers", "dynamodb-local,dynoxide",
		"the other DynamoDBs, separated by commas: targets, or dynoxide, which is left out if it is not installed")
	flag.StringVar(&o.dynoxide, "dynoxide", "dynoxide",
		"the program of Dynoxide, in PATH unless it has a folder; get it with: cargo install dynoxide-rs")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the requests; the same seed sends the same requests")
	flag.DurationVar(&o.window, "for", time.Minute, "how long to send requests, for each peer")
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

// run compares the emulator with each peer. It returns how many kinds of differences are not known.
func (o *options) run(ctx context.Context) (unknown int, err error) {
	ours, err := open(ctx, o.ours)
	if err != nil {
		return 0, err
	}
	defer ours.Close()
	compared := false
	for name := range strings.SplitSeq(o.peers, ",") {
		p, err := o.openPeer(ctx, name)
		if errors.Is(err, errNotInstalled) {
			log.Print(err)
			continue
		}
		if err != nil {
			return unknown, err
		}
		n, err := o.compare(name, &comparison{ours: endpoint{ours.Endpoint}, peer: p.endpoint, messages: o.messages}, p.known)
		p.close()
		if compared, unknown = true, unknown+n; err != nil {
			return unknown, err
		}
	}
	if !compared {
		return 0, errors.New("nothing was compared: install one of the peers")
	}
	return unknown, nil
}

// compare compares two databases until the time is over, and prints each new kind of difference. It returns how many no
// rule explains.
func (o *options) compare(peer string, c *comparison, known rules) (unknown int, err error) {
	seen, knownKinds := map[string]bool{}, 0
	end, last := time.Now().Add(o.window), o.seed+uint64(o.rounds)
	for seed := o.seed; seed < last || o.rounds == 0 && time.Now().Before(end); seed++ {
		found, err := c.round(newGenerator(seed).history())
		if err != nil {
			return unknown, err
		}
		if found == nil {
			continue
		}
		rule := known.find(found) // first: two differences of one kind can have different requests
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
		fmt.Printf("seed %d\n%s\n", seed, found)
	}
	fmt.Printf("%s: %d requests compared, %d kinds of known differences, %d unknown\n", peer, c.compared, knownKinds, unknown)
	return unknown, nil
}
