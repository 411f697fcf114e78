// Package telemetry is the backend of a fleet of sensors: devices register and deliver readings, which are stored once
// however often they are sent and can be listed and read; API keys admit to the data endpoints.
//
// It follows the locked schema document 1.0.0. Every access pattern is one function of store.go or store_*.go, and
// nothing else accesses DynamoDB:
//
//	id      pattern                          table, index            operation
//	TL-P1   register or re-register          devices                 UpdateItem, if_not_exists, ALL_NEW
//	TL-P2   devices by last activity         devices, gsi1           Query gsi1pk = devices, descending
//	TL-P3   one device                       devices                 GetItem, consistent
//	TL-P4   set friendly_name                devices                 UpdateItem if the device exists
//	TL-P5   latest reading                   device_readings         Query hardware_id, descending, Limit 1
//	TL-P6   readings in a time range         device_readings         Query ts_batch BETWEEN {from:013}# AND {to:013}#\uffff
//	TL-P7   idempotent ingestion             processed_batches,      TransactWriteItems: marker if batch_id is new,
//	                                         device_readings         and the reading, or neither
//	        names at ingestion (TL-R7)       devices                 BatchGetItem, consistent, one key a device
//	TL-P8   validate an API key              api_keys,               Query api_key_hash = hash, then GetItem,
//	                                         api_key_hash_index      consistent (TL-D4)
//	TL-P9   API keys, newest first           api_keys, gsi1          Query gsi1pk = api_keys, descending
//	TL-P10  create an API key                api_keys                PutItem if key_id is new
//	TL-P11  last use, at most once in 5 min  api_keys                UpdateItem if last_used_at is old enough
//	TL-P12  revoke an API key                api_keys                UpdateItem is_active = false if the key exists
//
// Where the document contradicts itself or DynamoDB, the decision is documented next to the code: TL-D1 in model.go,
// TL-D2 and TL-D3 in store_ingest.go and ingest.go, TL-D4 in apikeys.go, TL-D5 in keys.go, TL-D6 in store.go, TL-D7 in
// activity.go, TL-D8 in http.go, TL-D9 in ingest.go.
//
// Decisions that the document leaves open:
//   - Sensors need not be known in advance: any name of up to 64 lowercase letters, digits and '_' is stored, with a
//     number that DynamoDB can represent exactly. The service checks no ranges, because it does not know the sensors.
//   - A batch_id counts once across all devices, because it is the marker's only key. A reading whose batch_id another
//     device has used is rejected rather than called a duplicate: otherwise its sender would drop data that was never
//     stored.
//   - A database error fails the whole request with 503, though some of its readings may be stored. The sender repeats
//     the request, and those readings are then duplicates.
//
// Time comes only from Config.Now. Metadata times are RFC 3339 in UTC with whole seconds, reading times epoch
// milliseconds, expiry times epoch seconds (TL-R5).
package telemetry
