package metrics

import (
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// Quotas of an account and of a table in us-east-1, as DescribeLimits returns them.
const (
	accountUnits = 80_000
	tableUnits   = 40_000
)

// Tables lists the throughput of each table and global secondary index; a dynamo.Service implements it.
type Tables interface {
	AppendThroughputs(dst []telemetry.Throughput) []telemetry.Throughput
}

// Settings updates the gauges: the provisioned throughput of tables, and its share of the account's quotas.
type Settings struct {
	registry *Registry
	service  Tables

	mu    sync.Mutex
	known map[string]bool // gauges that have a value, by the keys of their IDs
	ids   map[string]ID
	read  []telemetry.Throughput
}

// NewSettings returns the settings of a service's tables, which are read when somebody reads a metric, and by Observe.
func NewSettings(r *Registry, s Tables) *Settings {
	settings := &Settings{registry: r, service: s, known: map[string]bool{}, ids: map[string]ID{}}
	r.OnRead(settings.Refresh)
	return settings
}

// Observe reads the tables after an operation that may have changed one, so that each setting starts at its time.
func (s *Settings) Observe(e *telemetry.Event) {
	switch e.Operation {
	case "CreateTable", "UpdateTable", "DeleteTable", "RestoreTableFromBackup", "RestoreTableToPointInTime", "ImportTable":
		if e.Status == 200 {
			s.Refresh()
		}
	}
}

// Refresh reads all tables.
func (s *Settings) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.registry.clock.Now().Unix()
	s.read = s.service.AppendThroughputs(s.read[:0])
	s.registry.tables.Store(tablesOf(s.read))
	seen := map[string]bool{}
	set := func(id ID, unit string, value float64) {
		key := id.key()
		seen[key], s.ids[key] = true, id
		s.registry.Gauge(id, unit).set(step{at: now, value: value})
	}
	for _, t := range s.read {
		setTable(set, t)
	}
	for account, all := range sumByAccount(s.read) {
		all.set(set, account)
	}
	for key := range s.known {
		if !seen[key] {
			s.registry.Gauge(s.ids[key], "").set(step{at: now, noValue: true})
			delete(s.ids, key)
		}
	}
	s.known = seen
	s.registry.evictDeleted(s.registry.tables.Load())
}

// tables are the existing tables and their global secondary indexes, by account.
type tables map[tableKey]bool

type tableKey struct{ account, table, index string } // index is empty of the table itself

func tablesOf(all []telemetry.Throughput) *tables {
	there := make(tables, len(all))
	for _, t := range all {
		there[tableKey{t.Account, t.Table, t.Index}] = true
	}
	return &there
}

// has reports whether the resource of a metric exists. CloudWatch shows deleted tables for as long as it keeps points;
// in Prometheus a series ends with its resource.
func (t *tables) has(id ID) bool {
	table := id.Value("TableName")
	return t == nil || table == "" || (*t)[tableKey{id.Account, table, id.Value("GlobalSecondaryIndexName")}]
}

// setTable sets the gauges of a table or an index: provisioned units or, on demand, the configured maximums.
func setTable(set func(ID, string, float64), t telemetry.Throughput) {
	for _, g := range []struct {
		name  string
		units int64
	}{
		{"ProvisionedReadCapacityUnits", t.Reads},
		{"ProvisionedWriteCapacityUnits", t.Writes},
		{"OnDemandMaxReadRequestUnits", t.MaxReads},
		{"OnDemandMaxWriteRequestUnits", t.MaxWrites},
	} {
		if g.units > 0 {
			set(tableID(t.Account, g.name, t.Table, t.Index), count, float64(g.units))
		}
	}
}

// sums are the provisioned units of an account, and the largest of one table or index.
type sums struct{ reads, writes, mostReads, mostWrites int64 }

func sumByAccount(all []telemetry.Throughput) map[string]*sums {
	accounts := map[string]*sums{}
	for _, t := range all {
		s, ok := accounts[t.Account]
		if !ok {
			s = new(sums)
			accounts[t.Account] = s
		}
		s.reads += t.Reads
		s.writes += t.Writes
		s.mostReads, s.mostWrites = max(s.mostReads, t.Reads), max(s.mostWrites, t.Writes)
	}
	return accounts
}

func (s *sums) set(set func(ID, string, float64), account string) {
	of := func(name string) ID { return ID{account, Namespace, name, nil} }
	set(of("AccountMaxReads"), count, accountUnits)
	set(of("AccountMaxWrites"), count, accountUnits)
	set(of("AccountMaxTableLevelReads"), count, tableUnits)
	set(of("AccountMaxTableLevelWrites"), count, tableUnits)
	set(of("AccountProvisionedReadCapacityUtilization"), percent, 100*float64(s.reads)/accountUnits)
	set(of("AccountProvisionedWriteCapacityUtilization"), percent, 100*float64(s.writes)/accountUnits)
	set(of("MaxProvisionedTableReadCapacityUtilization"), percent, 100*float64(s.mostReads)/tableUnits)
	set(of("MaxProvisionedTableWriteCapacityUtilization"), percent, 100*float64(s.mostWrites)/tableUnits)
}
