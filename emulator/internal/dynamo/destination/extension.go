package destination

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// Kinesis opens streams.
type Kinesis interface {
	// OpenStream returns the stream of an account with that ARN; ok is false if there is none. The caller must Close it.
	OpenStream(account, arn string) (s Stream, ok bool)
}

// Stream is a Kinesis stream.
type Stream interface {
	// Gate returns the gate that transactions which call Append must pass.
	Gate() *store.Gate
	// Append appends a record with the time of its change.
	Append(tx *store.Tx, partitionKey string, data []byte, at time.Time) error
	// Close ends the use of the stream, after the transaction is on disk or was abandoned.
	Close()
}

// Extension stores how far each table's log has been delivered.
type Extension struct {
	engine.BaseExtension
	Engine  *engine.Engine
	Kinesis Kinesis // nil: there are no streams
}

// retention is how long undelivered changes are kept: as long as the stream would keep them.
const retention = 24 * time.Hour

// PrepareChange records the positions in the table's log where an enabled destination begins and a disabled one ends.
func (p *Extension) PrepareChange(_ *engine.Account, from, to *engine.Table) (engine.Writes, error) {
	var d *engine.KinesisDestination
	if to != nil {
		d = to.Def.Delivering()
	}
	switch {
	case d == nil && (from == nil || from.Def.Delivering() == nil):
		return nil, nil
	case d == nil:
		return func(tx *store.Tx) error { return tx.Delete(progressKey(from.Def.ID)) }, nil
	}
	return func(tx *store.Tx) error { return mark(tx, to, d) }, nil
}

// mark sets the positions of a destination in a new definition, which is not shared yet.
func mark(tx *store.Tx, t *engine.Table, d *engine.KinesisDestination) (err error) {
	if d.Start == 0 {
		if d.Start, err = t.Log.Mark(tx); err != nil {
			return err
		}
		return setProgress(tx, t.Def.ID, d.Start)
	}
	if d.Change == engine.DisableDestination && d.End == 0 {
		d.End, err = t.Log.Mark(tx)
	}
	return err
}

// ExtendLogRetention extends the retention of the log to the changes that are not delivered.
func (*Extension) ExtendLogRetention(a *engine.Account, periods map[*changelog.Log]time.Duration) {
	for _, t := range *a.Tables.Load() {
		if t.Log != nil && t.Def.Delivering() != nil {
			periods[t.Log] = max(periods[t.Log], retention)
		}
	}
}

// progressKey returns the store key of the position up to which a table's changes are delivered.
func progressKey(table uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{keyspace.DynamoDelivered}, table)
}

func setProgress(tx *store.Tx, table uint32, p changelog.Position) error {
	return tx.Set(progressKey(table), binary.BigEndian.AppendUint64(nil, uint64(p)))
}

// progress returns the position up to which a table's changes are delivered.
func progress(tx *store.Tx, table uint32) (changelog.Position, error) {
	value, ok, err := tx.Get(progressKey(table))
	if err != nil || !ok || len(value) != 8 {
		return 0, err
	}
	return changelog.Position(binary.BigEndian.Uint64(value)), nil
}

// HasStream reports whether an account has a stream.
func (p *Extension) HasStream(a *engine.Account, arn string) bool {
	if p.Kinesis == nil {
		return false
	}
	s, ok := p.Kinesis.OpenStream(a.Name, arn)
	if ok {
		s.Close()
	}
	return ok
}

// DeliverTo delivers the undelivered changes of an account's tables to a stream.
func (p *Extension) DeliverTo(ctx context.Context, account, arn string) (err error) {
	p.Engine.RunIfServing(func() {
		a := p.Engine.AccountNamed(account)
		for _, t := range *a.Tables.Load() {
			if d := t.Def.Delivering(); d != nil && d.StreamARN == arn {
				if err = p.Deliver(ctx, a, t); err != nil {
					return
				}
			}
		}
	})
	return err
}
