package kinesis

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// retention is how long a record can be read.
const retention = 24 * time.Hour

// The modes of streams.
const (
	provisioned = "PROVISIONED"
	onDemand    = "ON_DEMAND"
)

// stream is a stream, which is stored as JSON. It is immutable, except for deleted.
type stream struct {
	Name    string
	Mode    string // PROVISIONED or ON_DEMAND
	Shards  int
	Created timestamp
	Tags    map[string]string
	FirstID uint32 // id of the first shard's log; the ids of the others follow

	logs    []*changelog.Log
	gate    *store.Gate // passed by requests that append, closed by the deletion
	deleted atomic.Bool // set while the gate is closed
}

// maxHashKey is the greatest hash key: 2^128 - 1.
var maxHashKey = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))

// hashRange returns the first and the last hash key of a shard. As on the service, the shards have equal parts of the
// range, and the last one also has the remainder.
func (st *stream) hashRange(shard int) (from, to *big.Int) {
	part := new(big.Int).Div(new(big.Int).Add(maxHashKey, big.NewInt(1)), big.NewInt(int64(st.Shards)))
	from = new(big.Int).Mul(part, big.NewInt(int64(shard)))
	if shard == st.Shards-1 {
		return from, maxHashKey
	}
	return from, new(big.Int).Sub(new(big.Int).Add(from, part), big.NewInt(1))
}

// shardOf returns the shard with a hash key.
func (st *stream) shardOf(hashKey *big.Int) int {
	part := new(big.Int).Div(new(big.Int).Add(maxHashKey, big.NewInt(1)), big.NewInt(int64(st.Shards)))
	shard := new(big.Int).Div(hashKey, part)
	return min(int(shard.Int64()), st.Shards-1)
}

func shardID(shard int) string { return fmt.Sprintf("shardId-%012d", shard) }

// findShard returns the number of the shard with that id; ok is false if there is none. Leading zeros may be missing,
// as in shardId-0.
func (st *stream) findShard(id string) (shard int, ok bool) {
	const prefix = "shardId-"
	if len(id) <= len(prefix) || id[:len(prefix)] != prefix {
		return 0, false
	}
	n, err := strconv.ParseUint(id[len(prefix):], 10, 31)
	return int(n), err == nil && int(n) < st.Shards
}

// record is a record to append.
type record struct {
	shard        int
	partitionKey string
	data         []byte
	at           time.Time // zero: now
}

// appendRecords appends records, within the stream's gate and with the stream's tickets, and returns their positions.
func (st *stream) appendRecords(tx *store.Tx, records []record) ([]changelog.Position, error) {
	positions := make([]changelog.Position, len(records))
	for i, r := range records {
		if r.data == nil {
			r.data = []byte{}
		}
		p, err := st.logs[r.shard].AppendAt(tx, r.at, &changelog.Record{Kind: changelog.Insert, Key: []byte(r.partitionKey),
			New: r.data})
		if err != nil {
			return nil, err
		}
		positions[i] = p
	}
	return positions, nil
}

// beginAppends takes a ticket for each shard. The caller must call end, even if it appends nothing.
func (st *stream) beginAppends() (end func()) {
	tickets := make([]changelog.Ticket, len(st.logs))
	for i, l := range st.logs {
		tickets[i] = l.Begin()
	}
	return func() {
		for _, t := range tickets {
			t.End()
		}
	}
}

// Stream is a stream as a source of records sees it.
type Stream struct {
	stream *stream
	end    func()
}

// OpenStream returns the stream of an account with that ARN; ok is false if there is none. The caller must Close it.
func (s *Service) OpenStream(accountName, arn string) (_ *Stream, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	a := s.account(accountName)
	st, err := a.find(streamRef{StreamARN: &arn})
	if err != nil {
		return nil, false
	}
	return &Stream{st, st.beginAppends()}, true
}

// Close ends the use of the stream, after the transaction is on disk or was abandoned.
func (s *Stream) Close() { s.end() }

// Gate returns the gate that transactions which call Append must pass.
func (s *Stream) Gate() *store.Gate { return s.stream.gate }

// Append appends a record with the time of its event. It does nothing if the stream has been deleted. The transaction
// must have passed the stream's gate.
func (s *Stream) Append(tx *store.Tx, partitionKey string, data []byte, at time.Time) error {
	if s.stream.deleted.Load() {
		return nil
	}
	shard := s.stream.shardOf(hashOf(partitionKey))
	_, err := s.stream.appendRecords(tx, []record{{shard, partitionKey, data, at}})
	return err
}

// put appends records in their own transaction. Error: the stream was deleted.
func (a *account) put(ctx context.Context, st *stream, records []record) (positions []changelog.Position, err error) {
	defer st.beginAppends()()
	err = a.store.UpdateContext(ctx, store.Latch().Within(st.gate), func(tx *store.Tx) error {
		if st.deleted.Load() {
			return a.streamNotFound(st.Name)
		}
		positions, err = st.appendRecords(tx, records)
		return err
	})
	return positions, err
}
