package service

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
)

// world is one scenario's emulator and what came of the last request.
type world struct {
	*steps.World
	emulator *emulator.Emulator
	client   *dynamodb.Client // that does not try again
	last     reply
	heard    heard    // of the last command
	replayed replayed // of the last replay
	hook     *webhook // of the alarms; nil for none
	read     reading  // of the last reads
	dataKey  dataKey  // of KMS
	folder   folder   // of the data
	iterator *string  // of a stream
	records  int      // that it brought
	moments  map[string]time.Time
	backups  map[string]*string // the ARNs of backups by their names

	said      string    // by the last answer, of its cost
	described described // and what came of it

	flight      chan error                      // takes what came of a request that waits
	all         []error                         // what came of many requests; nil: it succeeded
	unprocessed map[string][]types.WriteRequest // of the last batch
	tally       tally                           // of many writes
	heat        heatmaps                        // that were looked at last
}

// Steps offers the steps of this package over a world.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{World: base}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target != nil { // or else the scenario does not apply to the target
			w.use(base.Target.Emulator)
		}
		return ctx, nil
	})
	w.starting(sc)
	w.tables(sc)
	w.items(sc)
	w.commands(sc)
	w.clocks(sc)
	w.replays(sc)
	w.metrics(sc)
	w.alarms(sc)
	w.staleness(sc)
	w.conflicts(sc)
	w.faults(sc)
	w.identities(sc)
	w.capacity(sc)
	w.capacityOfTables(sc)
	w.keys(sc)
	w.folders(sc)
	w.costs(sc)
	w.descriptions(sc)
	w.streams(sc)
	w.recovery(sc)
}

// use makes e the scenario's emulator.
func (w *world) use(e *emulator.Emulator) {
	w.emulator = e
	w.client = dynamodb.NewFromConfig(e.AWSConfig(), once)
}

// once has a client send each request a single time: a refusal is what a scenario wants to see.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// start gives the scenario another emulator in place of the one it has, with these options and the scenario's time.
func (w *world) start(opts ...emulator.Option) error {
	if err := w.Restart(opts...); err != nil {
		return err
	}
	w.use(w.Target.Emulator)
	return nil
}
