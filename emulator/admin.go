package emulator

import (
	"context"
	"net"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/heatmap"
	"github.com/tabletop-db/tabletop/internal/version"
)

// guard says who may command the emulator.
func (e *Emulator) guard(o options) control.Guard {
	hosts := o.adminHosts
	if host, _, err := net.SplitHostPort(o.addr); err == nil && host != "" { // the name it was told to listen on
		hosts = append(hosts[:len(hosts):len(hosts)], host)
	}
	return control.Guard{Addr: e.port.listener.Addr().String(), Beyond: o.admin, Hosts: hosts}
}

// console is what commands the emulator and shows its metrics.
func (e *Emulator) console(o options) control.Console {
	if o.console == nil {
		return control.NoConsole()
	}
	return o.console(control.Emulator{
		Guard: e.guard(o), Version: version.Current(), Logger: o.logger,
		About: func() control.About { return e.about(o) }, Clock: e.clock, State: content{e}, Backup: e.store.BeginBackup,
		Recorder: e.recorder, Faults: e.faults, Used: e.spending.used, Heat: e.heat, Identities: e.identity,
		Metrics: []prometheus.Collector{e.measures.registry.Collector(), e.cosmos.measures},
	})
}

// about is what the emulator says of itself.
func (e *Emulator) about(o options) control.About {
	url := e.DynamoDBURL()
	addresses := map[string]string{"dynamodb": url, "admin": url + control.Path}
	for name, url := range map[string]string{"cosmos": e.CosmosURL(), "cosmos over http": e.CosmosHTTPURL()} {
		if url != "" {
			addresses[name] = url
		}
	}
	return control.About{
		Version: version.Current(), Temperament: temperament(o), Seed: o.seed, Data: o.dir, On: e.on(o), Storage: e.health(), Addresses: addresses,
	}
}

// heat is the load on the tables of DynamoDB and the containers of Cosmos DB.
func (e *Emulator) heat() []heatmap.Table { return append(e.dynamo.Heat(), e.cosmos.service.Heat()...) }

// temperament is strict, or the pieces of the cloud's.
func temperament(o options) string {
	var pieces []string
	for _, p := range Pieces() {
		if o.like(p) {
			pieces = append(pieces, string(p))
		}
	}
	if len(pieces) == 0 {
		return "strict"
	}
	return "like the cloud: " + strings.Join(pieces, ", ")
}

// on lists what is on beyond the defaults.
func (e *Emulator) on(o options) []string {
	var all []string
	if o.isolate {
		all = append(all, "isolation")
	}
	if e.identity.Gate("dynamodb").On() {
		all = append(all, "identities")
	}
	if e.faults.On() {
		all = append(all, "faults")
	}
	if o.recording != nil || e.recorder.onDemand.Load() != nil {
		all = append(all, "recording")
	}
	if o.showCost != "" {
		all = append(all, "cost of each request")
	}
	return all
}

// content is the emulator's state as the admin API commands it.
type content struct{ *Emulator }

// Keep copies the state.
func (c content) Keep() (restore func(context.Context) error, err error) {
	s, err := c.Snapshot()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return c.RestoreContext(ctx, s) }, nil
}

// Reset drops everything.
func (c content) Reset(ctx context.Context) error {
	return c.ResetContext(ctx)
}
