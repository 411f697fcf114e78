package profile

import (
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// system describes what profiles can attack: the requests that a mix can name, the things that a population can have,
// and the rules for its profiles.
type system struct {
	kinds      map[string]Kind
	population map[string]count
	turns      string // the part of the population that requests use in turn, and that a part's only refers to
	cosmos     bool   // the backend is on Cosmos DB
	onDatabase bool   // it is a table, attacked without a backend
	check      func(*Profile) error
}

// Kind is one kind of request that a mix can name.
type Kind struct {
	carries int    // maximum number of things in a request, which the part's batch sets; 0: it carries none
	needs   string // the part of the population that must exist before the attack
	Writes  bool
	Index   bool // it reads from an index
	sized   bool // the part's bytes set the size of its items
}

// count limits how many of a thing a population may have.
type count struct {
	least, most int
	scales      bool // scales with the rate
}

// systems returns the systems that profiles can attack, by name.
func systems() map[string]system {
	return map[string]system{
		"devicetoken":  devicetokenSystem(),
		"kefir":        kefirSystem(),
		"notification": notificationSystem(),
		"telemetry":    telemetrySystem(),
		"verification": verificationSystem(),
		"table":        tableSystem(),
	}
}

// telemetrySystem describes the backend of sensor devices, and its requests.
func telemetrySystem() system {
	return system{
		kinds: map[string]Kind{
			"ingest":   {carries: telemetryapi.MaxReadings, Writes: true},
			"repeat":   {carries: telemetryapi.MaxReadings, Writes: true},
			"register": {Writes: true},
			"device":   {},
			"latest":   {needs: "readings"},
			"range":    {needs: "readings"},
			"devices":  {},
			"key":      {},
		},
		population: map[string]count{
			"devices":  {least: 1, most: fleet.MaxDevices, scales: true},
			"keys":     {least: 1, most: 1_000}, // API keys, which requests use in turn
			"readings": {most: 10_000},          // per device
		},
		turns: "devices",
	}
}

// devicetokenSystem describes the backend of phones that receive push messages, and its requests.
func devicetokenSystem() system {
	return system{
		kinds: map[string]Kind{
			"register": {Writes: true, needs: "devices"}, // refreshes one of the user's phones
			"install":  {Writes: true},                   // registers a new phone
			"device":   {needs: "devices"},
			"devices":  {},
		},
		population: map[string]count{
			"users":   {least: 1, most: 100_000, scales: true},
			"devices": {most: 1_000}, // per user
		},
		turns: "users",
	}
}

// kefirSystem describes the backend of people who brew kefir, and its requests.
func kefirSystem() system {
	return system{
		kinds: map[string]Kind{
			"profile":   {},
			"batches":   {},
			"active":    {},
			"batch":     {Index: true, needs: "batches"},
			"timeline":  {Index: true, needs: "batches"},
			"events":    {needs: "batches"},
			"upcoming":  {Index: true},
			"devices":   {},
			"note":      {Writes: true, needs: "batches"},
			"remind":    {Writes: true, needs: "batches"},
			"status":    {Writes: true, needs: "batches"},
			"new-batch": {Writes: true},
			"rename":    {Writes: true}, // renames the user
		},
		population: map[string]count{
			"users":     {least: 1, most: 10_000, scales: true},
			"batches":   {most: 100}, // per user, like all that follow
			"events":    {most: 10_000},
			"reminders": {most: 1_000},
			"devices":   {most: 100},
		},
		turns: "users",
	}
}

// notificationSystem describes the backend of notifications, and its requests.
func notificationSystem() system {
	return system{
		kinds: map[string]Kind{
			"enqueue":         {Writes: true},
			"work":            {Writes: true},
			"list":            {},
			"unread":          {},
			"read":            {Writes: true, needs: "notifications"},
			"dismiss":         {Writes: true, needs: "notifications"},
			"preferences":     {},
			"set-preferences": {Writes: true},
			"register":        {Writes: true},
		},
		population: map[string]count{
			"users":         {least: 1, most: 100_000, scales: true},
			"notifications": {most: 1_000}, // per user
		},
		turns: "users", cosmos: true,
	}
}

// verificationSystem describes the backend of identity checks, and its requests.
func verificationSystem() system {
	return system{
		kinds: map[string]Kind{
			"create":    {Writes: true},
			"announce":  {Writes: true, needs: "cases"}, // announces a document of a case
			"case":      {needs: "cases"},
			"documents": {needs: "cases"},
			"cases":     {Index: true},
			"status":    {Index: true},
			"day":       {Index: true}, // a reviewer's list for a day
		},
		population: map[string]count{
			"clients": {least: 1, most: 1_000, scales: true},
			"cases":   {most: 1_000}, // per client
		},
		turns: "clients",
	}
}

// tableSystem describes a table of its own, attacked without a backend, and its requests.
func tableSystem() system {
	return system{
		kinds: map[string]Kind{
			"put":       {Writes: true, sized: true},
			"get":       {},
			"batch-put": {carries: MaxPuts, Writes: true, sized: true},
			"batch-get": {carries: maxGets},
		},
		population: map[string]count{
			"items": {least: 1, most: 10_000_000},
			"bytes": {most: MaxItemBytes}, // per item
		},
		turns: "items", onDatabase: true, check: checkTable,
	}
}

// MaxPuts and maxGets are the maximum number of items that the database accepts in one batch.
const (
	MaxPuts = 25
	maxGets = 100
)

// MaxItemBytes is the maximum size of an item.
const MaxItemBytes = 400 << 10
