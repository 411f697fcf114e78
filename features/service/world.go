package service

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// world is one scenario's emulator and what came of the last request.
type world struct {
	*steps.World
	heard    heard    // of the last command
	secret   string   // of the access key that was told
	replayed replayed // of the last replay
	read     reading  // of the last reads
	dataKey  dataKey  // of KMS
	folder   folder   // of the data
	iterator *string  // of a stream
	records  int      // that it brought
	moments  map[string]time.Time
	backups  map[string]*string // the ARNs of backups by their names

	said      string    // by the last answer, of its cost
	described described // and what came of it

	tally tally    // of many writes
	heat  heatmaps // that were looked at last
}

// Steps offers the steps of this package over a world.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{World: base}
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

// once has a client send each request a single time: a refusal is what a scenario wants to see.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }
