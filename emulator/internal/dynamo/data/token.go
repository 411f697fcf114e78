package data

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// tokenLifetime is how long a client request token is valid.
const tokenLifetime = 10 * time.Minute

// A token is stored under the 10-minute period in which it was first sent, so that one deletion removes all tokens of a
// period. It is looked up in the current period and the one before.

// tokenRecord is the stored record of a request with a token.
type tokenRecord struct {
	Expires     int64 // in nanoseconds since 1970
	Fingerprint [32]byte
	Costs       []tableCost
}

// tableCost is the cost, in one table, of sending the request again.
type tableCost struct {
	Table string
	Units float64
}

// encode returns the record's stored form: expiry, request, then a table name and units for each table.
func (r *tokenRecord) encode() []byte {
	out := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(r.Expires))
	out = append(out, r.Fingerprint[:]...)
	for _, cost := range r.Costs {
		out = store.AppendEscaped(out, []byte(cost.Table))
		out = binary.BigEndian.AppendUint64(out, math.Float64bits(cost.Units))
	}
	return out
}

var errTokenRecord = errors.New("a client request token cannot be read")

func decodeToken(value []byte) (*tokenRecord, error) {
	const head = 8 + 32
	if len(value) < head {
		return nil, errTokenRecord
	}
	r := &tokenRecord{Expires: int64(binary.BigEndian.Uint64(value)), Fingerprint: [32]byte(value[8:head])}
	for rest := value[head:]; len(rest) > 0; {
		name, tail, err := store.DecodeEscaped(rest)
		if err != nil || len(tail) < 8 {
			return nil, errTokenRecord
		}
		r.Costs = append(r.Costs, tableCost{string(name), math.Float64frombits(binary.BigEndian.Uint64(tail))})
		rest = tail[8:]
	}
	return r, nil
}

// token is a client request token of one account.
type token struct {
	account, text string
	now           time.Time
}

// latch returns the key on which requests with this token wait for each other.
func (t token) latch() []byte {
	return append(store.AppendEscaped([]byte{engine.SpaceTokens}, []byte(t.account)), t.text...)
}

func (t token) period() int64 { return t.now.UnixNano() / int64(tokenLifetime) }

// periodKey returns the prefix of the keys of all tokens of a period.
func periodKey(period int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{engine.SpaceTokens}, uint64(period))
}

func (t token) key(period int64) []byte {
	return append(store.AppendEscaped(periodKey(period), []byte(t.account)), t.text...)
}

// lookUp returns the token's unexpired record, nil if there is none.
func (t token) lookUp(r *store.Reader) (*tokenRecord, error) {
	for _, period := range []int64{t.period(), t.period() - 1} {
		value, ok, err := r.Get(t.key(period))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		record, err := decodeToken(value)
		if err != nil {
			return nil, err
		}
		if t.now.UnixNano() < record.Expires {
			return record, nil
		}
	}
	return nil, nil
}

// save stores what a request with the token did, in the request's own transaction.
func (t token) save(tx *store.Tx, record tokenRecord) error {
	record.Expires = t.now.Add(tokenLifetime).UnixNano()
	return tx.Set(t.key(t.period()), record.encode())
}

// purgeExpiredTokens deletes the tokens of expired periods, once in each period. No request looks these up any more, so
// the deletion waits for no request.
func purgeExpiredTokens(e *engine.Engine, t token) error {
	period := t.period()
	if e.LastTokenPurge.Swap(period) == period {
		return nil
	}
	return e.Store.Update(store.Latch(periodKey(0)), func(tx *store.Tx) error {
		return tx.DeleteRange(periodKey(0), periodKey(period-1))
	})
}
