package emulator

import (
	"context"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// guard returns the rule for who may control the emulator on a port, which listens on addr.
func (e *Emulator) guard(o options, p *port) control.Guard {
	return control.Guard{Addr: p.listener.Addr().String(), AllowRemote: o.admin,
		Hosts: append(o.adminHosts[:len(o.adminHosts):len(o.adminHosts)], o.listeningHosts()...)}
}

// newConsole returns the handlers of the web console, the admin API and the metrics. aws serves DynamoDB.
func (e *Emulator) newConsole(o options, aws http.Handler) control.Console {
	if o.console == nil {
		return control.NoConsole()
	}
	return o.console(control.Emulator{
		Guard: e.guard(o, e.port), Version: version.Current(), Logger: o.logger,
		About: func() control.About { return e.about(o) }, Clock: e.clock, State: adminState{e}, Backup: e.store.BeginBackup,
		Recorder: e.recorder, Faults: e.faults, Usage: e.spending.used, Heat: e.heat, Identities: e.identity,
		Metrics:     e.Collectors(),
		Connections: func() control.Connections { return e.connections(o) }, AWS: aws, Cosmos: e.cosmosForConsole(),
		Observe: e.watcher.set, History: e.dynamo.History(),
		CosmosHistory: e.cosmosHistory(), ResourcePolicy: e.dynamo.ResourcePolicy,
	})
}

// about returns the emulator's description for the admin API.
func (e *Emulator) about(o options) control.About {
	url := e.DynamoDBURL()
	addresses := map[string]string{"dynamodb": url, "admin": url + control.Path}
	for name, url := range map[string]string{"cosmos": e.CosmosURL(), "cosmos over http": e.CosmosHTTPURL()} {
		if url != "" {
			addresses[name] = url
		}
	}
	return control.About{
		Version: version.Current(), Behaviour: behavioursText(o), Seed: o.seed, Data: o.dir, On: e.enabledFeatures(o),
		Storage: e.health(), Addresses: addresses,
	}
}

// heat returns the load on DynamoDB's tables and Cosmos DB's containers.
func (e *Emulator) heat() []heatmap.Table { return append(e.dynamo.Heat(), e.cosmos.service.Heat()...) }

// behavioursText returns "strict", or the list of enabled cloud behaviours.
func behavioursText(o options) string {
	var pieces []string
	for _, p := range Pieces() {
		if o.enabled(p) {
			pieces = append(pieces, string(p))
		}
	}
	if len(pieces) == 0 {
		return "strict"
	}
	return "like the cloud: " + strings.Join(pieces, ", ")
}

// enabledFeatures lists the features that are on beyond the defaults.
func (e *Emulator) enabledFeatures(o options) []string {
	var all []string
	if o.isolate {
		all = append(all, "isolation")
	}
	if len(o.regions) > 0 {
		all = append(all, "regions")
	}
	if e.identity.Gate("dynamodb").Enabled() {
		all = append(all, "identities")
	}
	if e.faults.Active() {
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

// adminState gives the admin API access to the emulator's state.
type adminState struct{ *Emulator }

// TakeSnapshot takes a snapshot and returns the function that restores it.
func (c adminState) TakeSnapshot() (restore func(context.Context) error, err error) {
	s, err := c.Snapshot()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return c.RestoreContext(ctx, s) }, nil
}

// Reset deletes the whole state.
func (c adminState) Reset(ctx context.Context) error {
	return c.ResetContext(ctx)
}
