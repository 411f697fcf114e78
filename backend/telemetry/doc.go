// Package telemetry is the backend of the sensor fleet: devices register, deliver readings that are stored once
// however often they are sent, and are listed and read back; API keys open the data endpoints.
//
// It follows the locked schema document 1.0.0. Every access pattern is one function of store.go, and nothing else
// speaks to DynamoDB:
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
// Where the document contradicts itself or DynamoDB, the decision stands beside the code that takes it: TL-D1 in
// model.go, TL-D2 and TL-D3 in store_ingest.go and ingest.go, TL-D4 in apikeys.go, TL-D5 in schema.go, TL-D6 in
// store.go, TL-D7 in activity.go.
//
// What the document leaves open is decided so:
//   - A sensor need not be known: any name of up to 64 small letters, digits and '_' with a number that DynamoDB keeps
//     exactly is stored. No range is checked; that is for whoever knows the sensor.
//   - A batch_id counts once over all devices, for its marker has no other key. A reading under an id that another device has used is
//     rejected, not called a duplicate: its sender would drop it, and nobody has it.
//   - An error of the database fails the whole request with 503, though some of its readings may be stored. The sender
//     repeats it, and those are then duplicates.
//
// Time comes from Config.Now alone. Metadata times are RFC 3339 in whole seconds of UTC, reading times epoch
// milliseconds, expiry times epoch seconds (TL-R5).
package telemetry
