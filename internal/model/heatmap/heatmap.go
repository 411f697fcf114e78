// Package heatmap is the load on a table or an index by partition and time, as the emulator reports it and as a person
// reads it.
package heatmap

import (
	"strings"
	"time"
)

// Table is the load on a table or an index, or on a Cosmos DB container, by partition and time, with the hottest keys.
type Table struct {
	Resource   string      `json:"resource" doc:"The table's name, or table/index; of a container of Cosmos DB database/container" example:"orders"`
	Account    string      `json:"account,omitempty" doc:"Whose it is, where accounts have tables of their own"`
	Partitions []Partition `json:"partitions" nullable:"false" doc:"In the order of their ranges"`
	// Minutes are the minutes of the last three hours with requests, the oldest first.
	Minutes []Minute `json:"minutes" nullable:"false" doc:"Those of the last three hours in which something was asked"`
}

// Of reports whether this is the table of a name, or an index of it.
func (t *Table) Of(name string) bool {
	return t.Resource == name || strings.HasPrefix(t.Resource, name+"/")
}

// Partition is a range of a table's or an index's key space, bounded by key prefixes: the hash of the partition key,
// the partition key, the sort key.
type Partition struct {
	ID      uint32    `json:"id"`
	Parent  uint32    `json:"parent,omitempty" doc:"The partition that it was split from"`
	Lo      []byte    `json:"lo" doc:"Where its keys begin; empty: at the beginning"`
	Hi      []byte    `json:"hi" doc:"Where its keys end, itself not included; empty: at the end"`
	Created time.Time `json:"created"`
	Bytes   int64     `json:"bytes" doc:"About: a split halves them"`
}

// Minute is the load of one minute.
type Minute struct {
	At         time.Time       `json:"at"`
	Partitions []PartitionLoad `json:"partitions" nullable:"false" doc:"Those that were asked"`
	Keys       []KeyLoad       `json:"keys" nullable:"false" doc:"The hottest first, ten at most"`
}

// PartitionLoad is the load of a partition in a minute.
type PartitionLoad struct {
	ID        uint32  `json:"id"`
	Read      float64 `json:"read" doc:"Read units"`
	Write     float64 `json:"write" doc:"Write units"`
	Throttled uint32  `json:"throttled,omitempty" doc:"Requests that were refused"`
	// Of Cosmos DB, instead of read and write units.
	Units      float64 `json:"units,omitempty" doc:"Request units, of Cosmos DB"`
	Normalized float64 `json:"normalized,omitempty" doc:"Of Cosmos DB: the part of its throughput that the partition used in its hottest second, 1 at most"`
}

// KeyLoad is the load of a partition key in a minute, as a lower bound: a key may have been evicted in between.
type KeyLoad struct {
	Key       string  `json:"key" doc:"The partition key's value"`
	Read      float64 `json:"read" doc:"Read units"`
	Write     float64 `json:"write" doc:"Write units"`
	Throttled uint32  `json:"throttled,omitempty" doc:"Requests that were refused"`
}
