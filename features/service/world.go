package service

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// world is one scenario's emulator and the results of its last requests.
type world struct {
	*steps.World
	response adminResponse // response to the last admin request
	secret   string        // secret of the issued access key
	replayed replayResult  // result of the last replay
	read     readResults   // results of the last reads
	dataKey  dataKey       // data key from KMS
	folder   folder        // data folder
	iterator *string       // shard iterator
	records  int           // records returned by the iterator
	moments  map[string]time.Time
	backups  map[string]*string // ARNs of backups by name

	said        string      // cost header of the last response
	description description // description of tables, and the result of applying it

	writes writeResults // results of many writes
	heat   heatmaps     // last read heat maps

	imports    imports          // the scenario's imports and exports
	bulk       bulkPuts         // the scenario's bulk operation
	statement  statementResults // results of the last PartiQL statements
	compressor *compressor      // of the scenario's client, if it compresses
}

// Steps registers the steps of this package.
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
	w.autoScaling(sc)
	w.keys(sc)
	w.folders(sc)
	w.costs(sc)
	w.descriptions(sc)
	w.streams(sc)
	w.recovery(sc)
	w.statements(sc)
	w.indexes(sc)
	w.kinesis(sc)
	w.globalTables(sc)
	w.insights(sc)
	w.requests(sc)
	w.tags(sc)
	w.importing(sc)
	w.bulkPutting(sc)
}

// noRetries makes a client send each request only once: a scenario wants to see a refusal.
func noRetries(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }
