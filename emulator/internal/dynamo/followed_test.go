package dynamo_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestStreamsAndRestoresMatchTheHistory runs random histories on a table with a stream, point-in-time recovery and time
// to live, and records the table's state over time. The stream, replayed from the beginning, gives the table; each
// record continues the previous one of its item; and the table restored to any second is as it was then. In between,
// the service is closed and reopened, and its state restored from a snapshot.
func TestStreamsAndRestoresMatchTheHistory(t *testing.T) {
	t.Parallel()
	until, failing := time.Now().Add(2*time.Second), false
	rapid.Check(t, func(t *rapid.T) {
		if !failing && time.Now().After(until) {
			return
		}
		defer func() { failing = failing || t.Failed() }()
		f := newRecordedTable(t)
		for range rapid.IntRange(5, 60).Draw(t, "steps") {
			f.step(t)
		}
		f.checkStream(t)
		for range 3 {
			f.checkRestored(t, f.second(t, rapid.IntRange(0, int(f.now().Sub(f.start)/time.Second)).Draw(t, "second")))
		}
	})
}

// recordedTable is a table and its recorded history.
type recordedTable struct {
	*historyService
	start    time.Time
	changes  []recordedChange
	stream   string // its ARN
	restored int    // restored so far
}

// recordedChange is the value of an item, nil for none, from a time on.
type recordedChange struct {
	at   time.Time
	id   string
	item object
}

func newRecordedTable(t *rapid.T) *recordedTable {
	dir, err := os.MkdirTemp("", "followed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	f := &recordedTable{historyService: &historyService{name: "followed", dir: dir,
		clock: clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}}
	f.open(t)
	t.Cleanup(func() { f.close(t) })
	f.start = f.now()
	f.call(t, "CreateTable", `{"TableName":"followed","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"v","AttributeType":"N"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
		"GlobalSecondaryIndexes":[{"IndexName":"by-v","KeySchema":[{"AttributeName":"v","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	f.call(t, "UpdateContinuousBackups",
		`{"TableName":"followed","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	f.call(t, "UpdateTimeToLive",
		`{"TableName":"followed","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
	f.stream = f.call(t, "DescribeTable", `{"TableName":"followed"}`)["Table"].(object)["LatestStreamArn"].(string)
	return f
}

func (f *recordedTable) now() time.Time { return f.clock.Now() }

// call runs an operation that must succeed.
func (f *recordedTable) call(t *rapid.T, operation, request string) object {
	c := conversation{service: f.service, clock: f.clock}
	w := c.post(target(operation), request)
	var answer object
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		t.Fatalf("%s %s: %d %s", operation, request, w.Code, w.Body)
	}
	return answer
}

func jsonOf(t *rapid.T, v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// step performs a random step.
func (f *recordedTable) step(t *rapid.T) {
	switch rapid.IntRange(0, 12).Draw(t, "step") {
	case 0:
		f.advance(t, time.Duration(rapid.IntRange(1, 3).Draw(t, "seconds"))*time.Second)
	case 1:
		if f.now().Sub(f.start) < 15*time.Hour {
			f.advance(t, time.Duration(rapid.IntRange(1, 300).Draw(t, "minutes"))*time.Minute)
		}
	case 2:
		f.reopen(t, 0)
	case 3:
		f.restoreSnapshot(t)
	case 4:
		f.call(t, "UpdateTable",
			fmt.Sprintf(`{"TableName":"followed","WarmThroughput":{"ReadUnitsPerSecond":%d,"WriteUnitsPerSecond":12000}}`,
				12001+len(f.changes)+int(f.now().Sub(f.start)/time.Millisecond)+f.restored))
		f.restored++
	case 5:
		f.remove(t, f.id(t))
	case 6, 7:
		f.transact(t)
	default:
		f.put(t, f.id(t), f.item(t))
	}
}

func (f *recordedTable) id(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "id")) }

// item returns an item without its key, which may expire.
func (f *recordedTable) item(t *rapid.T) object {
	it := object{"v": object{"N": fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "value"))}}
	if oneIn(t, "expires", 4) {
		it["until"] = object{"N": fmt.Sprint(f.now().Unix() + int64(rapid.IntRange(0, 5).Draw(t, "until")))}
	}
	return it
}

func (f *recordedTable) put(t *rapid.T, id string, it object) {
	it["id"] = object{"S": id}
	f.call(t, "PutItem", jsonOf(t, object{"TableName": "followed", "Item": it}))
	f.recordChange(f.now(), id, it)
}

func (f *recordedTable) remove(t *rapid.T, id string) {
	f.call(t, "DeleteItem", jsonOf(t, object{"TableName": "followed", "Key": object{"id": object{"S": id}}}))
	f.recordChange(f.now(), id, nil)
}

// transact updates one item and deletes another in one transaction.
func (f *recordedTable) transact(t *rapid.T) {
	a, b := f.id(t), f.id(t)
	if a == b {
		return
	}
	f.call(t, "TransactWriteItems", fmt.Sprintf(`{"TransactItems":[
		{"Update":{"TableName":"followed","Key":{"id":{"S":%q}},"UpdateExpression":"ADD v :one","ExpressionAttributeValues":{":one":{"N":"1"}}}},
		{"Delete":{"TableName":"followed","Key":{"id":{"S":%q}}}}]}`, a, b))
	it, sum := maps.Clone(f.itemsAt(f.now())[a]), 1
	if it == nil {
		it = object{"id": object{"S": a}}
	} else {
		fmt.Sscan(it["v"].(object)["N"].(string), &sum)
		sum++
	}
	it["v"] = object{"N": fmt.Sprint(sum)}
	f.recordChange(f.now(), a, it)
	f.recordChange(f.now(), b, nil)
}

// recordChange records a change, and the expiry of an item that expires.
func (f *recordedTable) recordChange(at time.Time, id string, it object) {
	f.changes = append(f.changes, recordedChange{at, id, it})
}

// advance moves the clock. Items expire in the second after their time.
func (f *recordedTable) advance(t *rapid.T, d time.Duration) {
	before, after := f.now(), f.now().Add(d)
	if err := f.clock.Advance(d); err != nil {
		t.Fatal(err)
	}
	type end struct {
		at time.Time
		id string
	}
	var ends []end
	for id, it := range f.itemsAt(before) {
		if until, ok := it["until"].(object); ok {
			var seconds int64
			fmt.Sscan(until["N"].(string), &seconds)
			if at := time.Unix(seconds+1, 0).UTC(); !at.After(after) {
				ends = append(ends, end{at, id})
			}
		}
	}
	slices.SortFunc(ends, func(a, b end) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	for _, e := range ends {
		if e.at.Before(before) {
			e.at = before
		}
		f.recordChange(e.at, e.id, nil)
	}
}

// restoreSnapshot takes a snapshot, changes something and restores the snapshot, which undoes the change.
func (f *recordedTable) restoreSnapshot(t *rapid.T) {
	snapshot, err := f.store.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	f.call(t, "PutItem", `{"TableName":"followed","Item":{"id":{"S":"0"},"gone":{"BOOL":true}}}`)
	if err := f.service.Replace(t.Context(), func() error { return f.store.Restore(snapshot) }); err != nil {
		t.Fatal(err)
	}
}

// itemsAt returns the table's items at a time.
func (f *recordedTable) itemsAt(when time.Time) map[string]object {
	state := map[string]object{}
	for _, c := range f.changes {
		if c.at.After(when) {
			continue
		}
		if state[c.id] = c.item; c.item == nil {
			delete(state, c.id)
		}
	}
	return state
}

// second returns a second to which the table can be restored. It moves the clock by five minutes, so that the second is
// past.
func (f *recordedTable) second(t *rapid.T, seconds int) time.Time {
	f.advance(t, 5*time.Minute)
	return f.start.Add(time.Duration(seconds) * time.Second)
}

// checkRestored restores the table to a second, and compares items, index and counts with the history.
func (f *recordedTable) checkRestored(t *rapid.T, second time.Time) {
	f.restored++
	name := fmt.Sprintf("restored%d", f.restored)
	f.call(t, "RestoreTableToPointInTime",
		fmt.Sprintf(`{"SourceTableName":"followed","TargetTableName":%q,"RestoreDateTime":%d}`, name, second.Unix()))
	want := f.itemsAt(second.Add(time.Second - 1))
	for _, index := range []string{"", `,"IndexName":"by-v"`} {
		got := map[string]object{}
		for _, it := range f.call(t, "Scan", fmt.Sprintf(`{"TableName":%q%s}`, name, index))["Items"].([]any) {
			got[it.(object)["id"].(object)["S"].(string)] = it.(object)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("restored to %v%s: %v, want %v", second, index, got, want)
		}
	}
	if n := f.call(t, "DescribeTable", fmt.Sprintf(`{"TableName":%q}`, name))["Table"].(object)["ItemCount"]; n != float64(
		len(want)) {
		t.Fatalf("the restored table says that it has %v items, and has %d", n, len(want))
	}
}

// checkStream replays the stream.
func (f *recordedTable) checkStream(t *rapid.T) {
	state := map[string]object{}
	for _, r := range f.records(t) {
		changed := r["dynamodb"].(object)
		id := changed["Keys"].(object)["id"].(object)["S"].(string)
		oldImage, _ := changed["OldImage"].(object)
		if before := state[id]; !reflect.DeepEqual(oldImage, before) {
			t.Fatalf("%v follows on %v", r, before)
		}
		if newImage, ok := changed["NewImage"].(object); ok {
			state[id] = newImage
		} else {
			delete(state, id)
		}
	}
	if want := f.itemsAt(f.now()); !reflect.DeepEqual(state, want) {
		t.Fatalf("the stream makes %v, the table is %v", state, want)
	}
}

// records returns all records of the stream, parent shards before their children.
func (f *recordedTable) records(t *rapid.T) []object {
	var all []object
	stream := f.call(t, "DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, f.stream))["StreamDescription"].(object)
	for _, s := range stream["Shards"].([]any) {
		answer := f.call(t, "GetShardIterator", jsonOf(t, object{"StreamArn": f.stream, "ShardId": s.(object)["ShardId"],
			"ShardIteratorType": "TRIM_HORIZON"}))
		next, _ := answer["ShardIterator"].(string)
		for next != "" {
			answer := f.call(t, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q,"Limit":%d}`, next,
				rapid.IntRange(1, 10).Draw(t, "limit")))
			records := answer["Records"].([]any)
			for _, r := range records {
				all = append(all, r.(object))
			}
			if next, _ = answer["NextShardIterator"].(string); len(records) == 0 {
				break
			}
		}
	}
	for i := 1; i < len(all); i++ {
		if reflect.DeepEqual(all[i], all[i-1]) {
			t.Fatalf("%v comes twice", all[i])
		}
	}
	return all
}
