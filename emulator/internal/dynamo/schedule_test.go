package dynamo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestStreamsExpiryAndRestoresInAnyOrder runs writers, readers of the stream, point-in-time restores, backups and the
// clock, which expires items and removes what is no longer kept, in a random order that a seed determines, switching at
// every view and commit of the store. A reader misses no change unless it gets an error; a restored table and a backup
// have each item as it was at one moment; at the end all expired items are gone, and no item that was overwritten in
// time.
func TestStreamsExpiryAndRestoresInAnyOrder(t *testing.T) {
	t.Parallel()
	shown := 0
	seeds.Run(t, 40, func(t *testing.T, seed uint64) {
		schedule.RunWith(t, seed, func(t *testing.T, yield func()) []schedule.Worker {
			w := newScheduledTable(t, seed, yield)
			t.Cleanup(func() { w.checkAtEnd(t); shown += w.readRecords })
			workers := []schedule.Worker{w.moveClock}
			for n := range len(w.writers) {
				workers = append(workers, func(yield func()) { w.write(t, n, yield) })
			}
			return append(workers,
				func(yield func()) { w.follow(t, yield) }, func(yield func()) { w.follow(t, yield) },
				func(yield func()) { w.restoreOften(t, "restored", yield) }, func(yield func()) { w.backUpOften(t, yield) })
		})
	})
	if shown == 0 {
		t.Error("no follower was shown any change")
	}
}

// scheduledTable is the shared state of the workers, one of which runs at a time. It has one partition, and so one open
// shard.
type scheduledTable struct {
	*Service
	readRecords int // records of the stream
	random      *rand.Rand
	clock       *clock.Clock
	stream      string
	writers     [3][]scheduledWrite // the writes of each writer, which has its own item
}

// scheduledWrite is a version of an item, which was written between two times. expires is its time to live; 0: it has
// none.
type scheduledWrite struct {
	began, ended time.Time
	expires      int64
}

func newScheduledTable(t *testing.T, seed uint64, yield func()) *scheduledTable {
	state, err := store.Open(store.Options{Pause: yield})
	if err != nil {
		t.Fatal(err)
	}
	w := &scheduledTable{random: rand.New(rand.NewPCG(seed, 1)), clock: clock.Manual(time.Unix(1_800_000_000, 0))}
	w.Service = openService(t, state, w.clock)
	t.Cleanup(func() {
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	w.must(t, "CreateTable", `{"TableName":"counts","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
		"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	w.must(t, "UpdateContinuousBackups", `{"TableName":"counts","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":1}}`)
	w.must(t, "UpdateTimeToLive",
		`{"TableName":"counts","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
	var described struct {
		Table struct{ LatestStreamArn string }
	}
	w.read(t, w.must(t, "DescribeTable", `{"TableName":"counts"}`), &described)
	w.stream = described.Table.LatestStreamArn
	return w
}

// call sends a request; answer is the response, or the text of the error.
func (w *scheduledTable) call(name, body string) (answer string, failed bool) {
	prefix := "DynamoDB_20120810."
	if streamOperations[name] != nil {
		prefix = "DynamoDBStreams_20120810."
	}
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header = http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {prefix + name},
		"Authorization": {
			"AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"},
		"X-Amz-Date": {"20260101T000000Z"}}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	return out.Body.String(), out.Code != http.StatusOK
}

func (w *scheduledTable) must(t *testing.T, name, body string) string {
	answer, failed := w.call(name, body)
	if failed {
		t.Errorf("%s %s: %s", name, body, answer)
	}
	return answer
}

func (w *scheduledTable) read(t *testing.T, answer string, into any) {
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		t.Errorf("%s: %v", answer, err)
	}
}

func (w *scheduledTable) moveClock(yield func()) {
	steps := []time.Duration{time.Second, time.Minute, 5 * time.Minute, 10 * time.Minute, 14 * time.Minute, time.Hour,
		30 * time.Hour, 60 * time.Hour}
	for range 14 {
		if err := w.clock.Advance(steps[w.random.IntN(len(steps))]); err != nil {
			panic(err)
		}
		yield()
	}
}

func (w *scheduledTable) write(t *testing.T, writer int, yield func()) {
	for range 8 {
		n, one := len(w.writers[writer]), scheduledWrite{began: w.clock.Now()}
		until := ""
		if w.random.IntN(3) == 0 {
			one.expires = one.began.Unix() + int64(w.random.IntN(1200))
			until = fmt.Sprintf(`,"until":{"N":"%d"}`, one.expires)
		}
		// Others see the write before it is answered.
		w.writers[writer] = append(w.writers[writer], scheduledWrite{began: one.began, ended: one.began.Add(1000 * time.Hour),
			expires: one.expires})
		w.must(t, "PutItem", fmt.Sprintf(`{"TableName":"counts","Item":{"id":{"S":"%d"},"n":{"N":"%d"}%s}}`,
			writer, n, until))
		one.ended = w.clock.Now()
		w.writers[writer][n] = one
		yield()
	}
}

// countedItem is an item of a writer, in a response.
type countedItem struct {
	ID struct{ S string }
	N  struct {
		N int `json:",string"`
	}
}

func (i *countedItem) writer() int { return int(i.ID.S[0] - '0') }

// follow reads the stream from its oldest record, and starts again there when it gets an error that records are gone.
func (w *scheduledTable) follow(t *testing.T, yield func()) {
	at, shard, next := "", "", map[int]int{} // the next number of each writer; unknown after a gap
	for i := range 3 {
		next[i] = 0
	}
	for range 14 {
		if at == "" {
			if at, shard = w.nextShard(t, shard, next); at == "" {
				continue
			}
		}
		yield()
		answer, failed := w.call("GetRecords", fmt.Sprintf(`{"ShardIterator":%q,"Limit":%d}`, at, 1+w.random.IntN(4)))
		if failed {
			if !isTrimmedError(answer) {
				t.Errorf("GetRecords: %s", answer)
			}
			at, shard = "", ""
			clear(next)
			continue
		}
		at = w.checkRecords(t, answer, next)
		yield()
	}
}

// isTrimmedError reports whether an error means that the next records may be gone.
func isTrimmedError(answer string) bool {
	return strings.Contains(answer, "TrimmedDataAccessException") || strings.Contains(answer,
		"ExpiredIteratorException") ||
		strings.Contains(answer, "Invalid ShardId in ShardIterator")
}

func (w *scheduledTable) checkRecords(t *testing.T, answer string, next map[int]int) (at string) {
	var page struct {
		NextShardIterator string
		Records           []struct {
			EventName string
			Dynamodb  struct{ OldImage, NewImage *countedItem }
		}
	}
	w.read(t, answer, &page)
	w.readRecords += len(page.Records)
	for _, one := range page.Records {
		image, due := one.Dynamodb.NewImage, 0
		if one.EventName == "REMOVE" {
			image, due = one.Dynamodb.OldImage, -1 // of the last one
		}
		if n, known := next[image.writer()]; known && image.N.N != n+due {
			t.Errorf("the stream shows %s of version %d of item %d where version %d is due", one.EventName, image.N.N,
				image.writer(), n+due)
		}
		next[image.writer()] = image.N.N + 1
	}
	return page.NextShardIterator
}

// nextShard returns an iterator at the oldest record of the shard after one that was read to its end, or of the first
// shard. If the shard's parent is another one, records are gone.
func (w *scheduledTable) nextShard(t *testing.T, read string, next map[int]int) (at, shard string) {
	var described struct {
		StreamDescription struct {
			Shards []struct{ ShardId, ParentShardId string }
		}
	}
	w.read(t, w.must(t, "DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, w.stream)), &described)
	shards := described.StreamDescription.Shards
	for len(shards) > 1 && shards[0].ShardId <= read {
		shards = shards[1:]
	}
	if shard = shards[0].ShardId; shards[0].ParentShardId != read {
		clear(next)
	}
	answer, failed := w.call("GetShardIterator",
		fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":"TRIM_HORIZON"}`, w.stream, shard))
	if failed { // it was just removed
		if !strings.Contains(answer, "Shard does not exist") {
			t.Errorf("GetShardIterator: %s", answer)
		}
		clear(next)
		return "", ""
	}
	w.forgetTrimmed(next)
	var begun struct{ ShardIterator string }
	w.read(t, answer, &begun)
	return begun.ShardIterator, shard
}

// forgetTrimmed forgets the next numbers of versions that may be older than the retention, when a shard is read from
// its trim horizon: there is no error for earlier records.
func (w *scheduledTable) forgetTrimmed(next map[int]int) {
	horizon := w.clock.Now().Add(-24 * time.Hour)
	for writer, due := range next {
		if due < len(w.writers[writer]) && !w.writers[writer][due].began.After(horizon) {
			delete(next, writer)
		}
	}
}

// restoreOften restores the table to seconds of the last day.
func (w *scheduledTable) restoreOften(t *testing.T, name string, yield func()) {
	for range 5 {
		second := w.clock.Now().Add(-5*time.Minute - time.Duration(w.random.IntN(24*3600))*time.Second).Truncate(time.Second)
		answer, failed := w.call("RestoreTableToPointInTime",
			fmt.Sprintf(`{"SourceTableName":"counts","TargetTableName":%q,"RestoreDateTime":%d}`, name, second.Unix()))
		if failed {
			if !strings.Contains(answer, "InvalidRestoreTimeException") {
				t.Errorf("a restore: %s", answer)
			}
			yield()
			continue
		}
		w.checkMoment(t, fmt.Sprint("the table restored to ", second), name, second, second.Add(time.Second))
		w.must(t, "DeleteTable", fmt.Sprintf(`{"TableName":%q}`, name))
		yield()
	}
}

// backUpOften makes backups and restores them.
func (w *scheduledTable) backUpOften(t *testing.T, yield func()) {
	for i := range 3 {
		began := w.clock.Now()
		var made struct{ BackupDetails struct{ BackupArn string } }
		w.read(t, w.must(t, "CreateBackup", fmt.Sprintf(`{"TableName":"counts","BackupName":"b%d00"}`, i)), &made)
		ended := w.clock.Now()
		yield()
		w.must(t, "RestoreTableFromBackup", fmt.Sprintf(`{"BackupArn":%q,"TargetTableName":"from-backup"}`,
			made.BackupDetails.BackupArn))
		w.checkMoment(t, "the restored backup", "from-backup", began, ended.Add(time.Nanosecond))
		w.must(t, "DeleteTable", `{"TableName":"from-backup"}`)
		yield()
	}
}

// checkMoment checks that a table equals the writers' items at some moment between two times: it has every version that
// was acknowledged before, and none that began later.
func (w *scheduledTable) checkMoment(t *testing.T, what, table string, from, to time.Time) {
	var page struct{ Items []countedItem }
	w.read(t, w.must(t, "Scan", fmt.Sprintf(`{"TableName":%q,"ConsistentRead":true}`, table)), &page)
	shown := map[int]int{}
	for _, one := range page.Items {
		shown[one.writer()] = one.N.N
	}
	for writer, versions := range w.writers {
		n, there := shown[writer]
		if there && !versions[n].began.Before(to) {
			t.Errorf("%s has version %d of item %d, which began at %v, after %v", what, n, writer, versions[n].began, to)
		}
		for later := n + 1; there && later < len(versions); later++ {
			if versions[later].ended.Before(from) {
				t.Errorf("%s has version %d of item %d, of which version %d was there at %v", what, n, writer, later,
					versions[later].ended)
			}
		}
		if !there {
			w.checkAbsent(t, what, writer, from)
		}
	}
}

// checkAbsent checks that an item may have been absent at a time: there was no version, or the last one may have
// expired.
func (w *scheduledTable) checkAbsent(t *testing.T, what string, writer int, at time.Time) {
	last, possible := -1, false
	for n, one := range w.writers[writer] {
		if one.ended.Before(at) {
			last = n
		}
		possible = possible || one.expires != 0 && n >= last
	}
	if last >= 0 && w.writers[writer][last].expires == 0 && !possible {
		t.Errorf("%s has no item %d, whose version %d was there and does not expire", what, writer, last)
	}
}

// checkAtEnd lets everything expire: the last version of each item is there, or gone if it expires.
func (w *scheduledTable) checkAtEnd(t *testing.T) {
	if err := w.clock.Advance(time.Hour); err != nil {
		t.Error(err)
	}
	var page struct{ Items []countedItem }
	w.read(t, w.must(t, "Scan", `{"TableName":"counts","ConsistentRead":true}`), &page)
	shown := map[int]int{}
	for _, one := range page.Items {
		shown[one.writer()] = one.N.N
	}
	for writer, versions := range w.writers {
		n, there := shown[writer]
		last := len(versions) - 1
		if there != (versions[last].expires == 0) || there && n != last {
			t.Errorf("item %d is there: %t, as version %d of %d, of which the last expires at %d", writer, there, n, last,
				versions[last].expires)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
