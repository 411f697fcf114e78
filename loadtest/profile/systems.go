package profile

import (
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// system is what profiles attack: the requests that their mixes can name, what their populations are of, and what only
// its profiles have to keep.
type system struct {
	kinds      map[string]Kind
	population map[string]count
	turns      string // what of the population the requests are about in turn, and a part's only names one of
	cosmos     bool   // its backend is on Cosmos DB
	onDatabase bool   // it is a table, attacked without a backend
	check      func(*Profile) error
}

// A Kind is one kind of request that a mix can name.
type Kind struct {
	carries int    // how many things a request may have at most, as the part's batch says; 0: it has none
	needs   string // what there has to be of the population before the attack
	Writes  bool
	Index   bool // it reads from an index
	sized   bool // the part's bytes say how large its items are
}

// count is how many of a thing a population may have.
type count struct {
	least, most int
	scales      bool // with the rate
}

// systems are what there is to attack, by the names that profiles use.
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

// telemetrySystem is the backend of sensor devices, and its requests.
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
			"keys":     {least: 1, most: 1_000}, // API keys, which the requests present in turn
			"readings": {most: 10_000},          // of each device
		},
		turns: "devices",
	}
}

// devicetokenSystem is the backend of phones that get push messages, and its requests.
func devicetokenSystem() system {
	return system{
		kinds: map[string]Kind{
			"register": {Writes: true, needs: "devices"}, // one of the user's phones, which is refreshed
			"install":  {Writes: true},                   // a phone that was not there
			"device":   {needs: "devices"},
			"devices":  {},
		},
		population: map[string]count{
			"users":   {least: 1, most: 100_000, scales: true},
			"devices": {most: 1_000}, // of each user
		},
		turns: "users",
	}
}

// kefirSystem is the backend of people who brew kefir, and its requests.
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
			"rename":    {Writes: true}, // of the user
		},
		population: map[string]count{
			"users":     {least: 1, most: 10_000, scales: true},
			"batches":   {most: 100}, // of each user, as are all that follow
			"events":    {most: 10_000},
			"reminders": {most: 1_000},
			"devices":   {most: 100},
		},
		turns: "users",
	}
}

// notificationSystem is the backend of notifications, and its requests.
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
			"notifications": {most: 1_000}, // of each user
		},
		turns: "users", cosmos: true,
	}
}

// verificationSystem is the backend of identity checks, and its requests.
func verificationSystem() system {
	return system{
		kinds: map[string]Kind{
			"create":    {Writes: true},
			"announce":  {Writes: true, needs: "cases"}, // a document of a case
			"case":      {needs: "cases"},
			"documents": {needs: "cases"},
			"cases":     {Index: true},
			"status":    {Index: true},
			"day":       {Index: true}, // a reviewer's list of a day
		},
		population: map[string]count{
			"clients": {least: 1, most: 1_000, scales: true},
			"cases":   {most: 1_000}, // of each client
		},
		turns: "clients",
	}
}

// tableSystem is a table of its own, attacked without a backend, and its requests.
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
			"bytes": {most: MaxItemBytes}, // of each item
		},
		turns: "items", onDatabase: true, check: checkTable,
	}
}

// maxPuts and maxGets are how many items the database takes in one batch.
const (
	MaxPuts = 25
	maxGets = 100
)

// MaxItemBytes is the size of the largest item.
const MaxItemBytes = 400 << 10
