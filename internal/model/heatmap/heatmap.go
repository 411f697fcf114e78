// Package heatmap is the load on a table or an index by partition and time, as the emulator reports it and as a person
// reads it.
package heatmap

import (
	"strings"
	"time"
)

// Table is the load on a table or an index, or on a Cosmos DB container, by partition and time, with the hottest keys.
type Table struct {
	Resource   string      `json:"resource" doc:"TABLE, TABLE/INDEX, or DATABASE/CONTAINER for Cosmos DB" example:"orders"`
	Account    string      `json:"account,omitempty" doc:"Account of the table, if accounts are isolated"`
	Cloud      string      `json:"cloud,omitempty" doc:"dynamodb or cosmos" example:"dynamodb"`
	Partitions []Partition `json:"partitions" nullable:"false" doc:"In the order of their key ranges"`
	// Minutes are the minutes of the last three hours with requests, the oldest first.
	Minutes []Minute `json:"minutes" nullable:"false" doc:"Minutes of the last three hours that had traffic"`
}

// Of reports whether this is the table of a name, or an index of it.
func (t *Table) Of(name string) bool {
	return t.Resource == name || strings.HasPrefix(t.Resource, name+"/")
}

// Partition is a range of a table's or an index's key space, bounded by key prefixes: the hash of the partition key,
// the partition key, the sort key.
type Partition struct {
	ID      uint32    `json:"id"`
	Parent  uint32    `json:"parent,omitempty" doc:"Partition that this one was split from"`
	Lo      []byte    `json:"lo" doc:"First key of the range; empty: from the start"`
	Hi      []byte    `json:"hi" doc:"End of the range, exclusive; empty: to the end"`
	Created time.Time `json:"created"`
	Bytes   int64     `json:"bytes" doc:"Approximate size: a split halves it"`
}

// Minute is the load of one minute.
type Minute struct {
	At         time.Time       `json:"at"`
	Partitions []PartitionLoad `json:"partitions" nullable:"false" doc:"Partitions that had traffic"`
	Keys       []KeyLoad       `json:"keys" nullable:"false" doc:"At most ten, the hottest first"`
}

// PartitionLoad is the load of a partition in a minute.
type PartitionLoad struct {
	ID        uint32  `json:"id"`
	Read      float64 `json:"read" doc:"Read units"`
	Write     float64 `json:"write" doc:"Write units"`
	Throttled uint32  `json:"throttled,omitempty" doc:"Throttled requests"`
	// Of Cosmos DB, instead of read and write units.
	Units      float64 `json:"units,omitempty" doc:"Request units (Cosmos DB only)"`
	Normalized float64 `json:"normalized,omitempty" doc:"Share of the partition's throughput used in its hottest second, at most 1 (Cosmos DB only)"`
}

// KeyLoad is the load of a partition key in a minute, as a lower bound: a key may have been evicted in between.
type KeyLoad struct {
	Key       string  `json:"key" doc:"Partition key value"`
	Read      float64 `json:"read" doc:"Read units"`
	Write     float64 `json:"write" doc:"Write units"`
	Throttled uint32  `json:"throttled,omitempty" doc:"Throttled requests"`
}
