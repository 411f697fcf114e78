package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// startKeyInvalid begins the messages about an invalid ExclusiveStartKey.
const startKeyInvalid = "The provided starting key is invalid"

// source is the table or index that a Query or a Scan reads.
type source struct {
	table *engine.Table
	index *engine.Index     // nil: the table itself
	keys  *engine.KeySchema // of the table or the index
	id    uint32            // in the keys of the store
	scan  bool              // across partition keys
}

// ResolveSource returns the table or index that the request reads.
func (in *readRequest) ResolveSource(req *engine.Request) (*source, error) {
	t, err := req.Account.Table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if !in.IndexName.Set {
		return &source{table: t, keys: &t.Keys, id: t.Def.ID}, nil
	}
	x, ok := t.Index(in.IndexName.V)
	if !ok {
		return nil, wire.ValidationError("The table does not have the specified index: " + in.IndexName.V)
	}
	if x.Backfilling {
		return nil, wire.ValidationError("Cannot read from backfilling global secondary index: " + x.Name)
	}
	if in.ConsistentRead.V && !x.Local {
		return nil, wire.ValidationError("Consistent reads are not supported on global secondary indexes")
	}
	return &source{table: t, index: x, keys: &x.Keys, id: x.ID}, nil
}

// storeKey returns the store key of an item in the table or index.
func (s *source) storeKey(it item.Value) []byte {
	if s.index == nil {
		return s.table.Key(it)
	}
	return s.index.Key(s.table, it)
}

// keyNames returns the names of the attributes that identify an item: the key of the table and that of the index.
func (s *source) keyNames() []string {
	if s.index == nil {
		return s.keys.Names()
	}
	return s.index.PageKey
}

// appendLastKey appends the LastEvaluatedKey of a page whose last item is it.
func (s *source) appendLastKey(dst []byte, it item.Value) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for _, name := range s.keyNames() {
		v, _ := it.Field(name)
		dst = jsonwrite.AppendString(append(dst, ','), name)
		dst = v.AppendJSON(append(dst, ':'))
	}
	return wire.CloseObject(dst, start)
}

// isFullKey reports whether a start key has the right number of attributes.
func (s *source) isFullKey(start item.Value) bool { return start.Len() == len(s.keyNames()) }

// checkStartAttributes returns an error for a start key that lacks a key attribute, or has a wrong value for it.
func checkStartAttributes(start item.Value, attributes []engine.KeyAttribute) error {
	for _, a := range attributes {
		v, ok := start.Field(a.Name)
		if !ok {
			return wire.ValidationError(startKeyInvalid)
		}
		if v.Type() != a.Type {
			return engine.ErrKeySchema()
		}
		if err := engine.CheckKeyValue(a, v); err != nil {
			return err
		}
	}
	return nil
}

// checkStartKey returns an error for a start key that does not contain a key of the table.
func (s *source) checkStartKey(start item.Value) error {
	err := s.table.Keys.CheckKey(s.table.Keys.Extract(start))
	var e *wire.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Message == engine.ErrKeySchema().Message:
		return wire.ValidationError(startKeyInvalid)
	}
	return wire.ValidationError(startKeyInvalid + ": " + e.Message)
}

// replicaFor returns the replica that answers a Query or a Scan. A local index follows its table; a global one has a
// single view, which all readers see.
func replicaFor(req *engine.Request, s *source, consistent bool) lag.Replica {
	switch {
	case s.index == nil || s.index.Local:
		return req.Replica(consistent)
	case req.Stale:
		return lag.Oldest
	case req.Engine.PendingWrites.Lagging():
		return lag.Second
	}
	return lag.Leader
}
