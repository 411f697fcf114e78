package streams

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// partitionsOf returns the partitions of a stream's table. For a hidden table it returns those that it had last.
func partitionsOf(a *engine.Account, st *Stream) [][]byte {
	if t := (*a.Tables.Load())[st.TableName]; t != nil && t.Def.ID == st.Table {
		return a.PartitionBounds(t)
	}
	return st.Partitioning[len(st.Partitioning)-1].Bounds
}

// Stream is a view of a table's log, from when the stream was enabled until it was disabled or its table deleted. The
// store keeps it as JSON. It is immutable: a change makes another Stream.
type Stream struct {
	Table        uint32 // whose log it reads
	TableName    string
	ARN          string
	Label        string
	ViewType     string
	KeySchema    []engine.KeySchemaElement
	Created      float64            // seconds since 1970
	Start        changelog.Position // every record is after it
	End          changelog.Position // every record is before it; 0 while the stream is enabled
	Partitioning []Partitioning     // sorted by time, the first at Start

	Log *changelog.Log `json:"-"`
}

// streamRetention is how long a record can be read, and how long a disabled stream is listed.
const streamRetention = 24 * time.Hour

// horizon returns the first position that can still be read.
func horizon(e *engine.Engine) changelog.Position {
	return changelog.At(e.Clock.Now().Add(-streamRetention))
}

// expired reports whether a stream ended before the horizon, so that none of its records can be read.
func (st *Stream) expired(horizon changelog.Position) bool { return st.End != 0 && st.End < horizon }

// findStream returns the stream with that ARN. Error: there is none, or it has expired.
func findStream(a *engine.Account, arn string) (*Stream, error) {
	if st, ok := allStreams(a)[arn]; ok && !st.expired(horizon(a.Engine)) {
		return st, nil
	}
	// The wording is quoted in users' bug reports (localstack/localstack#2543).
	return nil, wire.DynamoError("ResourceNotFoundException", "Requested resource not found: Stream: "+arn+" not found")
}

// NewStreamSpecification returns the specification of a new stream of a table. Its label is the current time, moved
// forward if the table has a stream with that label.
func NewStreamSpecification(a *engine.Account, table, viewType string) *engine.StreamSpecification {
	for at := a.Engine.Clock.Now().UTC(); ; at = at.Add(time.Millisecond) {
		label := at.Format("2006-01-02T15:04:05.000")
		if _, taken := allStreams(a)[streamARN(a, table, label)]; !taken {
			return &engine.StreamSpecification{ViewType: viewType, Label: label}
		}
	}
}

func streamARN(a *engine.Account, table, label string) string {
	return a.ARN("dynamodb", "table/"+table+"/stream/"+label)
}

// changeStreams ends the stream of from and begins that of to; nil means no table. The table's gate must be closed, so
// that every change of an item comes entirely before or after. It returns the account's streams after the change.
func changeStreams(a *engine.Account, tx *store.Tx, from, to *engine.Table) (map[string]*Stream, error) {
	var previous, next *engine.StreamSpecification
	if from != nil {
		previous = from.Def.Stream
	}
	if to != nil {
		next = to.Def.Stream
	}
	all := allStreams(a)
	if previous == next || previous != nil && next != nil && previous.Label == next.Label {
		return all, nil
	}
	all = maps.Clone(all)
	if previous != nil {
		if err := endStream(a, tx, all, streamARN(a, from.Def.Name, previous.Label)); err != nil {
			return nil, err
		}
	}
	if next != nil {
		return all, startStream(a, tx, all, to)
	}
	return all, nil
}

func startStream(a *engine.Account, tx *store.Tx, all map[string]*Stream, t *engine.Table) error {
	start, err := t.Log.Mark(tx)
	if err != nil {
		return err
	}
	def := t.Def
	return putStream(a, tx, all, &Stream{
		Table: def.ID, TableName: def.Name, ARN: streamARN(a, def.Name, def.Stream.Label), Label: def.Stream.Label,
		ViewType:  def.Stream.ViewType,
		KeySchema: def.KeySchema, Created: a.Engine.Now(), Start: start,
		Partitioning: []Partitioning{{start, a.PartitionBounds(t)}}, Log: t.Log,
	})
}

func endStream(a *engine.Account, tx *store.Tx, all map[string]*Stream, arn string) error {
	st, ok := all[arn]
	if !ok {
		return fmt.Errorf("the stream %s does not exist", arn)
	}
	ended := *st
	var err error
	if ended.End, err = st.Log.Mark(tx); err != nil {
		return err
	}
	return putStream(a, tx, all, &ended)
}

// putStream stores a stream, replacing the one with the same ARN, if any.
func putStream(a *engine.Account, tx *store.Tx, all map[string]*Stream, st *Stream) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	all[st.ARN] = st
	return tx.Set(StreamKey(a, st.ARN), text)
}

// StreamKey returns the store key of a stream.
func StreamKey(a *engine.Account, arn string) []byte {
	key := store.AppendEscaped([]byte{engine.SpaceStreams}, []byte(a.Name))
	return append(key, arn...)
}

// loadStreams loads all streams from the store.
func (p *Extension) loadStreams() error {
	prefix := store.AppendEscaped([]byte{engine.SpaceStreams}, nil)[:1]
	return p.Engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if string(it.Key()) == string(secretKey) {
				continue
			}
			if err := p.loadStream(it.Key()[1:], it.Value()); err != nil {
				return err
			}
		}
		return it.Close()
	})
}

func (p *Extension) loadStream(key, text []byte) error {
	account, _, err := store.DecodeEscaped(key)
	if err != nil {
		return err
	}
	st := new(Stream)
	if err := json.Unmarshal(text, st); err != nil {
		return fmt.Errorf("the description of a stream cannot be read: %w", err)
	}
	p.Engine.ReserveID(st.Table)
	if st.Log, err = p.Engine.Logs.Open(st.Table); err != nil {
		return err
	}
	p.Engine.ScheduleRemoval()
	allStreams(p.Engine.EnsureAccount(string(account)))[st.ARN] = st
	return nil
}
