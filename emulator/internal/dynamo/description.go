package dynamo

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"time"
)

// tableDescription is what the service tells of a table.
type tableDescription struct {
	AttributeDefinitions       []attributeDefinition
	TableName                  string
	KeySchema                  []keySchemaElement
	TableStatus                string
	CreationDateTime           float64
	ProvisionedThroughput      throughputDescription
	TableSizeBytes             int64
	ItemCount                  int64
	TableArn                   string
	TableId                    string
	BillingModeSummary         *billingModeSummary            `json:",omitempty"`
	TableThroughputModeSummary *throughputModeSummary         `json:",omitempty"`
	LocalSecondaryIndexes      []indexDescription             `json:",omitempty"`
	GlobalSecondaryIndexes     []indexDescription             `json:",omitempty"`
	StreamSpecification        *streamDescription             `json:",omitempty"`
	LatestStreamLabel          string                         `json:",omitempty"`
	LatestStreamArn            string                         `json:",omitempty"`
	SSEDescription             *sseDescription                `json:",omitempty"`
	ArchivalSummary            *archivalSummary               `json:",omitempty"`
	TableClassSummary          *tableClassSummary             `json:",omitempty"`
	OnDemandThroughput         *onDemandThroughputDescription `json:",omitempty"`
	WarmThroughput             *warmThroughputDescription     `json:",omitempty"`
	RestoreSummary             *restoreSummary                `json:",omitempty"`
	DeletionProtectionEnabled  bool
}

type throughputDescription struct {
	LastIncreaseDateTime   float64 `json:",omitempty"`
	LastDecreaseDateTime   float64 `json:",omitempty"`
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

type billingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type throughputModeSummary struct {
	TableThroughputMode               string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type indexDescription struct {
	IndexName             string
	KeySchema             []keySchemaElement
	Projection            projectionDescription
	IndexStatus           string                         `json:",omitempty"` // of global indexes only, as the next four
	Backfilling           *bool                          `json:",omitempty"`
	ProvisionedThroughput *throughputDescription         `json:",omitempty"`
	OnDemandThroughput    *onDemandThroughputDescription `json:",omitempty"`
	WarmThroughput        *warmThroughputDescription     `json:",omitempty"`
	IndexSizeBytes        int64
	ItemCount             int64
	IndexArn              string
}

type projectionDescription struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

type streamDescription struct {
	StreamEnabled  bool
	StreamViewType string
}

type tableClassSummary struct{ TableClass string }

type onDemandThroughputDescription struct {
	MaxReadRequestUnits  int64 `json:",omitempty"`
	MaxWriteRequestUnits int64 `json:",omitempty"`
}

// The states of tables and indexes.
const (
	creating = "CREATING"
	updating = "UPDATING"
	deleting = "DELETING"
	active   = "ACTIVE"
)

// describe tells of a table. All is as if every change were done at once; who answers such a change says that it is under
// way.
func (t *table) describe() *tableDescription {
	d := &tableDescription{
		AttributeDefinitions: t.def.Attributes, TableName: t.def.Name, KeySchema: t.def.KeySchema, TableStatus: t.status(),
		CreationDateTime: t.def.Created, ProvisionedThroughput: t.def.Throughput.describe(), TableArn: t.def.ARN, TableId: t.def.UUID,
		TableSizeBytes: t.stats.bytes.Load(), ItemCount: t.stats.items.Load(),
		SSEDescription: t.def.SSE, ArchivalSummary: t.def.Archival, DeletionProtectionEnabled: t.def.DeletionProtection,
	}
	for _, x := range t.indexes {
		if x.local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, t.describeIndex(x, t.def.Local))
		} else {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, t.describeIndex(x, t.def.Global))
		}
	}
	t.def.describeBilling(d)
	t.def.describeStream(d)
	if t.def.Class != "" {
		d.TableClassSummary = &tableClassSummary{t.def.Class}
	}
	d.OnDemandThroughput = (*OnDemandThroughputInput)(nil).describe(t.def.OnDemand)
	d.WarmThroughput = t.stats.describeWarm(t.def.Warm)
	return d
}

func (t *table) describeIndex(x *index, definitions []indexDefinition) indexDescription {
	def := definitions[indexAt(definitions, x.name)]
	d := indexDescription{
		IndexName: x.name, KeySchema: def.KeySchema, Projection: projectionDescription(def.Projection),
		IndexSizeBytes: x.stats.bytes.Load(), ItemCount: x.stats.items.Load(), IndexArn: t.def.ARN + "/index/" + x.name,
	}
	if !x.local {
		units := def.Throughput.describe()
		d.IndexStatus, d.ProvisionedThroughput = active, &units
		d.OnDemandThroughput = (*OnDemandThroughputInput)(nil).describe(def.OnDemand)
		d.WarmThroughput = x.stats.describeWarm(def.Warm)
	}
	if def.Backfilling {
		d.IndexStatus, d.Backfilling = creating, &def.Backfilling
	}
	return d
}

func (u throughput) describe() throughputDescription {
	return throughputDescription{u.LastIncrease, u.LastDecrease, u.NumberOfDecreasesToday, u.ReadCapacityUnits, u.WriteCapacityUnits}
}

// describeBilling tells of the billing mode once it is, or was, on demand; a table that never was has no summary.
func (def *definition) describeBilling(d *tableDescription) {
	if def.BillingMode == onDemand || def.OnDemandSince != 0 {
		d.BillingModeSummary = &billingModeSummary{def.BillingMode, def.OnDemandSince}
		d.TableThroughputModeSummary = &throughputModeSummary{def.BillingMode, def.OnDemandSince}
	}
}

func (def *definition) describeStream(d *tableDescription) {
	if def.Stream != nil {
		d.StreamSpecification = &streamDescription{true, def.Stream.ViewType}
		d.LatestStreamLabel = def.Stream.Label
		d.LatestStreamArn = def.ARN + "/stream/" + def.Stream.Label
	}
}

// allIndexes gives every global index of a description that state.
func (d *tableDescription) allIndexes(status string) {
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].IndexStatus = status
	}
}

// describeNewWarm tells of the warm throughput in the answer to a request that makes a table, of what it asked for alone:
// that is being prepared.
func (d *tableDescription) describeNewWarm(in *CreateTableInput) {
	if d.WarmThroughput.Status = updating; in.WarmThroughput.empty() {
		d.WarmThroughput = nil
	}
	for _, x := range in.GlobalSecondaryIndexes {
		for i := range d.GlobalSecondaryIndexes {
			g := &d.GlobalSecondaryIndexes[i]
			if g.IndexName != *x.IndexName {
				continue
			}
			if g.WarmThroughput.Status = updating; x.WarmThroughput.empty() {
				g.WarmThroughput = nil
			}
		}
	}
}

// forgetBillingTime leaves out when the table came to be on demand.
func (d *tableDescription) forgetBillingTime() {
	if d.BillingModeSummary != nil {
		d.BillingModeSummary.LastUpdateToPayPerRequestDateTime = 0
		d.TableThroughputModeSummary.LastUpdateToPayPerRequestDateTime = 0
	}
}

// arn is the name of something of the account among all resources of all services.
func (a *account) arn(service, resource string) string {
	return "arn:aws:" + service + ":" + a.region() + ":" + a.id() + ":" + resource
}

// region is where the account is.
func (a *account) region() string {
	if _, of, ok := strings.Cut(a.name, "/"); ok && of != "" {
		return of
	}
	return defaultRegion
}

// id is the number of the account: that of its name where identities are configured.
func (a *account) id() string { return accountNumber(a.name) }

func accountNumber(name string) string {
	if id, _, _ := strings.Cut(name, "/"); len(id) == len(accountID) && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return accountID
}

// now is the time in seconds since 1970, with milliseconds.
func (s *Service) now() float64 { return math.Round(float64(s.clock.Now().UnixMilli())) / 1000 }

// dayOf is the day of a time in seconds since 1970.
func dayOf(seconds float64) string { return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly) }

// appendMarshalled writes an answer that comes too seldom to have code of its own.
func appendMarshalled(dst []byte, answer any) []byte {
	out := bytes.NewBuffer(dst)
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		panic(err) // answers are structs of strings and numbers
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
