package dynamo

import (
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// failingStore is a store in a folder one of whose commits can be made to fail.
type failingStore struct {
	*store.Store
	left atomic.Int32 // the pauses until one panics
}

// The pauses until a commit fails: of an update that begins, and of the one that runs (see store.Options.Pause).
const (
	nextUpdate    = 2
	runningUpdate = 1
)

func newFailingStore(t *testing.T) *failingStore {
	t.Helper()
	f := new(failingStore)
	var err error
	if f.Store, err = store.Open(store.Options{Dir: t.TempDir(), Pause: func() {
		if f.left.Add(-1) == 0 {
			panic("the commit fails")
		}
	}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// failCommit makes the commit of an update fail.
func (f *failingStore) failCommit(pauses int32) { f.left.Store(pauses) }

// wantFailure runs an operation whose commit fails.
func wantFailure(t *testing.T, s *Service, name, body string) {
	t.Helper()
	if err := panics.AsError(name, func() error {
		_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), name, []byte(body), nil)
		return err
	}); err == nil {
		t.Fatalf("%s succeeds", name)
	}
}

// TestChangesOfTablesThatAreNotCommittedChangeNothing fails the commits of changes of tables: requests, the next start
// and a repetition of the request find everything as it was.
func TestChangesOfTablesThatAreNotCommittedChangeNothing(t *testing.T) {
	t.Parallel()
	for _, request := range []struct{ operation, body string }{
		{"CreateTable", orders},
		{"DeleteTable", `{"TableName":"sessions"}`},
		{"UpdateTable", `{"TableName":"sessions","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}`},
		{"UpdateTable", `{"TableName":"sessions",
			"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`},
		{"UpdateTable", `{"TableName":"sessions","BillingMode":"PROVISIONED",
			"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
			"GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"by-city",
				"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]}`},
		{"UpdateTimeToLive", `{"TableName":"sessions","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`},
	} {
		t.Run(request.operation, func(t *testing.T) {
			t.Parallel()
			state := newFailingStore(t)
			now := clock.Manual(time.Unix(1_800_000_000, 0))
			s := openService(t, state.Store, now)
			mustRun(t, s, "CreateTable", sessions)
			mustRun(t, s, "UpdateTable", byCity)
			putCity := func(id string) {
				mustRun(t, s, "PutItem", `{"TableName":"sessions","Item":{"id":{"S":"`+id+`"},"city":{"S":"Oslo"}}}`)
			}
			putCity("a")
			describe := func() (all []string) {
				return []string{answerTo(t, s, "ListTables", `{}`), answerTo(t, s, "ListStreams", `{}`),
					answerTo(t, s, "DescribeTable", `{"TableName":"sessions"}`),
					answerTo(t, s, "DescribeTimeToLive", `{"TableName":"sessions"}`),
					answerTo(t, s, "Scan", `{"TableName":"sessions"}`),
					answerTo(t, s, "Scan", `{"TableName":"sessions","IndexName":"by-city"}`)}
			}
			before := describe()
			extensions := s.engine.Extensions
			s.engine.Extensions = append(slices.Clone(extensions), failingExtension{fail: func() error {
				state.failCommit(runningUpdate)
				return nil
			}})
			wantFailure(t, s, request.operation, request.body)
			s.engine.Extensions = extensions
			if got := describe(); !slices.Equal(got, before) {
				t.Errorf("after the failure: %q\nwant %q", got, before)
			}
			putCity("b")
			before = describe()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openService(t, state.Store, now)
			if got := describe(); !slices.Equal(got, before) {
				t.Errorf("after the restart: %q\nwant %q", got, before)
			}
			mustRun(t, s, request.operation, request.body)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// provisionedWithStream is a table of one partition with a stream.
const provisionedWithStream = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`

// fivePartitions gives the table orders five partitions.
const fivePartitions = `{"TableName":"orders","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":5000}}`

// TestShardsThatAreNotCommittedAreNotListed fails the commit of new shards: the next request makes them, and they
// exist after a restart.
func TestShardsThatAreNotCommittedAreNotListed(t *testing.T) {
	t.Parallel()
	state := newFailingStore(t)
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	s := openService(t, state.Store, now)
	mustRun(t, s, "CreateTable", provisionedWithStream)
	describe := `{"StreamArn":"` + streamOf(s, "orders").ARN + `"}`
	mustRun(t, s, "UpdateTable", fivePartitions)
	state.failCommit(nextUpdate)
	wantFailure(t, s, "DescribeStream", describe)
	shards := func() []string {
		return regexp.MustCompile(`"ShardId":"[^"]+"`).FindAllString(answerTo(t, s, "DescribeStream", describe), -1)
	}
	listed := shards()
	if len(listed) <= 1 {
		t.Errorf("the stream has %d shards", len(listed))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openService(t, state.Store, now)
	got := shards()
	for _, shard := range listed { // there may be more: the partitions are others after a restart
		if !slices.Contains(got, shard) {
			t.Errorf("after the restart the shards are %q, without %q", got, shard)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestStreamsThatCouldNotBeRemovedAreRemovedLater fails the commit that removes an expired stream.
func TestStreamsThatCouldNotBeRemovedAreRemovedLater(t *testing.T) {
	t.Parallel()
	state := newFailingStore(t)
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	s := openService(t, state.Store, now)
	defer s.Close()
	mustRun(t, s, "CreateTable", provisionedWithStream)
	mustRun(t, s, "UpdateTable", `{"TableName":"orders","StreamSpecification":{"StreamEnabled":false}}`)
	a := s.engine.SharedAccount.Load()
	stored := streams.StreamKey(a, streamOf(s, "orders").ARN)
	s.engine.Retention.Stop() // otherwise the service removes the stream
	if err := now.Advance(25 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := a.DDL.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer a.DDL.Open()
	remove := func() error {
		_, err := engine.ExtensionOf[*streams.Extension](s.engine).RemoveExpired(a)
		return err
	}
	state.failCommit(nextUpdate)
	if err := panics.AsError("the removal", remove); err == nil {
		t.Fatal("the stream was removed")
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	if n := keysUnder(t, state.Store, stored); n != 0 {
		t.Error("the stream is stored")
	}
}

// streamOf returns a stream of a table.
func streamOf(s *Service, table string) *streams.Stream {
	for _, st := range streamsOf(s.engine.SharedAccount.Load()).All() {
		if st.TableName == table {
			return st
		}
	}
	return nil
}
