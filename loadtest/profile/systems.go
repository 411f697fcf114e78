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
	subject    string // the part of the population that requests use in turn, and that a part's only refers to
	cosmos     bool   // the backend is on Cosmos DB
	onDatabase bool   // it is a table, attacked without a backend
	check      func(*Profile) error
}

// Kind is one kind of request that a mix can name.
type Kind struct {
	maxBatch    int    // maximum number of things in a request, which the part's batch sets; 0: it carries none
	requires    string // the part of the population that must exist before the attack
	Writes      bool
	Index       bool // it reads from an index
	hasItemSize bool // the part's bytes set the size of its items
}

// count limits how many of a thing a population may have.
type count struct {
	min, max int
	scales   bool // scales with the rate
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
			"ingest":   {maxBatch: telemetryapi.MaxReadings, Writes: true},
			"repeat":   {maxBatch: telemetryapi.MaxReadings, Writes: true},
			"register": {Writes: true},
			"device":   {},
			"latest":   {requires: "readings"},
			"range":    {requires: "readings"},
			"devices":  {},
			"key":      {},
		},
		population: map[string]count{
			"devices":  {min: 1, max: fleet.MaxDevices, scales: true},
			"keys":     {min: 1, max: 1_000}, // API keys, which requests use in turn
			"readings": {max: 10_000},        // per device
		},
		subject: "devices",
	}
}

// devicetokenSystem describes the backend of phones that receive push messages, and its requests.
func devicetokenSystem() system {
	return system{
		kinds: map[string]Kind{
			"register": {Writes: true, requires: "devices"}, // refreshes one of the user's phones
			"install":  {Writes: true},                      // registers a new phone
			"device":   {requires: "devices"},
			"devices":  {},
		},
		population: map[string]count{
			"users":   {min: 1, max: 100_000, scales: true},
			"devices": {max: 1_000}, // per user
		},
		subject: "users",
	}
}

// kefirSystem describes the backend of people who brew kefir, and its requests.
func kefirSystem() system {
	return system{
		kinds: map[string]Kind{
			"profile":   {},
			"batches":   {},
			"active":    {},
			"batch":     {Index: true, requires: "batches"},
			"timeline":  {Index: true, requires: "batches"},
			"events":    {requires: "batches"},
			"upcoming":  {Index: true},
			"devices":   {},
			"note":      {Writes: true, requires: "batches"},
			"remind":    {Writes: true, requires: "batches"},
			"status":    {Writes: true, requires: "batches"},
			"new-batch": {Writes: true},
			"rename":    {Writes: true}, // renames the user
		},
		population: map[string]count{
			"users":     {min: 1, max: 10_000, scales: true},
			"batches":   {max: 100}, // per user, like all that follow
			"events":    {max: 10_000},
			"reminders": {max: 1_000},
			"devices":   {max: 100},
		},
		subject: "users",
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
			"read":            {Writes: true, requires: "notifications"},
			"dismiss":         {Writes: true, requires: "notifications"},
			"preferences":     {},
			"set-preferences": {Writes: true},
			"register":        {Writes: true},
		},
		population: map[string]count{
			"users":         {min: 1, max: 100_000, scales: true},
			"notifications": {max: 1_000}, // per user
		},
		subject: "users", cosmos: true,
	}
}

// verificationSystem describes the backend of identity checks, and its requests.
func verificationSystem() system {
	return system{
		kinds: map[string]Kind{
			"create":    {Writes: true},
			"announce":  {Writes: true, requires: "cases"}, // announces a document of a case
			"case":      {requires: "cases"},
			"documents": {requires: "cases"},
			"cases":     {Index: true},
			"status":    {Index: true},
			"day":       {Index: true}, // a reviewer's list for a day
		},
		population: map[string]count{
			"clients": {min: 1, max: 1_000, scales: true},
			"cases":   {max: 1_000}, // per client
		},
		subject: "clients",
	}
}

// tableSystem describes a table of its own, attacked without a backend, and its requests.
func tableSystem() system {
	return system{
		kinds: map[string]Kind{
			"put":       {Writes: true, hasItemSize: true},
			"get":       {},
			"batch-put": {maxBatch: MaxPuts, Writes: true, hasItemSize: true},
			"batch-get": {maxBatch: maxGets},
		},
		population: map[string]count{
			"items": {min: 1, max: 10_000_000},
			"bytes": {max: MaxItemBytes}, // per item
		},
		subject: "items", onDatabase: true, check: checkTable,
	}
}

// MaxPuts and maxGets are the maximum number of items that the database accepts in one batch.
const (
	MaxPuts = 25
	maxGets = 100
)

// MaxItemBytes is the maximum size of an item.
const MaxItemBytes = 400 << 10
