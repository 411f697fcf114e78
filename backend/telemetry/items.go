package telemetry

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Conversion between the types of model.go and items, by dynamodbav tags, and the attributes that only items have.

// readingRecord is a reading as stored.
type readingRecord struct {
	Reading
	TSBatch string `dynamodbav:"ts_batch"`
}

func readingItem(r *Reading) ddb.Item {
	return ddb.Marshal(readingRecord{*r, tsBatch(r.TimestampMS, r.BatchID)})
}

func readingOf(in ddb.Item) Reading {
	r := Reading{Sensors: map[string]json.Number{}, SensorStatus: map[string]string{}}
	ddb.Unmarshal(in, &r)
	return r
}

// marker is the item of processed_batches that makes a batch count once.
type marker struct {
	BatchID    string    `dynamodbav:"batch_id"`
	HardwareID string    `dynamodbav:"hardware_id"`
	ReceivedAt Timestamp `dynamodbav:"received_at"`
	ExpiresAt  int64     `dynamodbav:"expiration_time"` // epoch seconds
}

func deviceOf(in ddb.Item) Device {
	d := Device{Capabilities: Capabilities{}.nonNil()}
	ddb.Unmarshal(in, &d)
	return d
}

// nonNil replaces a missing list or map by an empty one.
func (c Capabilities) nonNil() Capabilities {
	if c.Sensors == nil {
		c.Sensors = []SensorName{}
	}
	if c.Features == nil {
		c.Features = Features{}
	}
	return c
}

// keyRecord is an API key as stored: its public record and the hash of the key, which never leaves the service.
type keyRecord struct {
	APIKey
	Hash string `dynamodbav:"api_key_hash"`
}

// listedKey is an API key with its keys in the listing's index.
type listedKey struct {
	keyRecord
	Partition string    `dynamodbav:"gsi1pk"`
	Sort      Timestamp `dynamodbav:"gsi1sk"`
}

func keyOf(in ddb.Item) (k keyRecord) {
	ddb.Unmarshal(in, &k)
	return k
}

func apiKeyOf(in ddb.Item) APIKey { return keyOf(in).APIKey }
