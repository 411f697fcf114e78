package dynamo

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// stream is what a table's log shows to those who follow the table, from when the stream was enabled until it was disabled
// or its table deleted. The store keeps it in JSON. It does not change: what changes one makes another.
type stream struct {
	Table        uint32 // whose log it reads
	TableName    string
	ARN          string
	Label        string
	ViewType     string
	KeySchema    []keySchemaElement
	Created      float64            // seconds since 1970
	Start        changelog.Position // every record comes after it
	End          changelog.Position // every record comes before it; 0 while the stream is enabled
	Partitioning []partitioning     // in the order of time, the first at Start

	log *changelog.Log
}

// streamRetention is for how long a record can be read, and a stream that ended be found.
const streamRetention = 24 * time.Hour

// horizon is the first position that can still be read.
func (s *Service) horizon() changelog.Position {
	return changelog.At(s.clock.Now().Add(-streamRetention))
}

// gone says whether a stream ended, and so long ago that nothing of it can be read any more.
func (st *stream) gone(horizon changelog.Position) bool { return st.End != 0 && st.End < horizon }

// stream finds a stream by its ARN.
func (a *account) stream(arn string) (*stream, error) {
	if st, ok := (*a.streams.Load())[arn]; ok && !st.gone(a.service.horizon()) {
		return st, nil
	}
	// As users of the service quote it in their bug reports (localstack/localstack#2543).
	return nil, dynamoError("ResourceNotFoundException", "Requested resource not found: Stream: "+arn+" not found")
}

// newStream describes a stream of a table that begins now. Its label, which tells it from all others of the table, is the
// time, or a little later where the clock stands still.
func (a *account) newStream(table, viewType string) *streamSpecification {
	for at := a.service.clock.Now().UTC(); ; at = at.Add(time.Millisecond) {
		label := at.Format("2006-01-02T15:04:05.000")
		if _, taken := (*a.streams.Load())[a.streamARN(table, label)]; !taken {
			return &streamSpecification{ViewType: viewType, Label: label}
		}
	}
}

func (a *account) streamARN(table, label string) string {
	return a.arn("dynamodb", "table/"+table+"/stream/"+label)
}

// changeStreams ends the stream of a definition and begins that of the one which takes its place; nil is none. All keys must
// be latched, so that a change of an item is either of before or of after. It gives what becomes of the account's streams.
func (a *account) changeStreams(tx *store.Tx, from, to *table) (map[string]*stream, error) {
	var former, next *streamSpecification
	if from != nil {
		former = from.def.Stream
	}
	if to != nil {
		next = to.def.Stream
	}
	all := *a.streams.Load()
	if former == next || former != nil && next != nil && former.Label == next.Label {
		return all, nil
	}
	all = maps.Clone(all)
	if former != nil {
		if err := a.endStream(tx, all, a.streamARN(from.def.Name, former.Label)); err != nil {
			return nil, err
		}
	}
	if next != nil {
		return all, a.beginStream(tx, all, to)
	}
	return all, nil
}

func (a *account) beginStream(tx *store.Tx, all map[string]*stream, t *table) error {
	start, err := t.log.Mark(tx)
	if err != nil {
		return err
	}
	def := t.def
	return a.putStream(tx, all, &stream{
		Table: def.ID, TableName: def.Name, ARN: a.streamARN(def.Name, def.Stream.Label), Label: def.Stream.Label, ViewType: def.Stream.ViewType,
		KeySchema: def.KeySchema, Created: a.service.now(), Start: start, Partitioning: []partitioning{{start, a.partitions(t)}}, log: t.log,
	})
}

func (a *account) endStream(tx *store.Tx, all map[string]*stream, arn string) error {
	st, ok := all[arn]
	if !ok {
		return fmt.Errorf("the stream %s is not there", arn)
	}
	ended := *st
	var err error
	if ended.End, err = st.log.Mark(tx); err != nil {
		return err
	}
	return a.putStream(tx, all, &ended)
}

// putStream stores a stream in the place of the one with its ARN, if any.
func (a *account) putStream(tx *store.Tx, all map[string]*stream, st *stream) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	all[st.ARN] = st
	return tx.Set(a.streamKey(st.ARN), text)
}

func (a *account) streamKey(arn string) []byte {
	key := store.AppendEscaped([]byte{spaceStreams}, []byte(a.name))
	return append(key, arn...)
}

// loadStreams takes all streams from the store. s.mu must be held.
func (s *Service) loadStreams() error {
	prefix := store.AppendEscaped([]byte{spaceStreams}, nil)[:1]
	return s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if string(it.Key()) == string(secretKey) {
				continue
			}
			if err := s.loadStream(it.Key()[1:], it.Value()); err != nil {
				return err
			}
		}
		return it.Close()
	})
}

func (s *Service) loadStream(key, text []byte) error {
	account, _, err := store.DecodeEscaped(key)
	if err != nil {
		return err
	}
	st := new(stream)
	if err := json.Unmarshal(text, st); err != nil {
		return fmt.Errorf("the description of a stream cannot be read: %w", err)
	}
	s.nextID = max(s.nextID, st.Table)
	if st.log, err = s.logs.Open(st.Table); err != nil {
		return err
	}
	s.keepRemoving()
	(*s.loading(string(account)).streams.Load())[st.ARN] = st
	return nil
}
