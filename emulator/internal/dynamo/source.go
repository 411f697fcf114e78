package dynamo

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// source is what a Query or a Scan reads: a table, or one of its indexes.
type source struct {
	table *table
	index *index    // nil: the table itself
	keys  keySchema // what it is read by
	id    uint32    // in the keys of the store
	scan  bool      // it is read across partition keys
}

// source finds what the request reads.
func (in *readRequest) source(a *request) (*source, error) {
	t, err := a.account.table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if !in.IndexName.Set {
		return &source{table: t, keys: t.keys, id: t.def.ID}, nil
	}
	x, ok := t.index(in.IndexName.V)
	if !ok {
		return nil, validationError("The table does not have the specified index: " + in.IndexName.V)
	}
	if x.backfilling {
		return nil, validationError("Cannot read from backfilling global secondary index: " + x.name)
	}
	if in.ConsistentRead.V && !x.local {
		return nil, validationError("Consistent reads are not supported on global secondary indexes")
	}
	return &source{table: t, index: x, keys: x.keys, id: x.id}, nil
}

// key is where an item lies in what is read.
func (s *source) key(it item.Value) []byte {
	if s.index == nil {
		return s.table.key(it)
	}
	return s.index.key(s.table, it)
}

// fullKey are the names of what tells an item there from all others: the key of the index and that of the table.
func (s *source) fullKey() []string {
	names := s.table.keys.names()
	if s.index == nil {
		return names
	}
	for _, name := range s.keys.names() {
		if name != s.table.keys.hash.name && name != s.table.keys.sort.name {
			names = append(names, name)
		}
	}
	return names
}

// appendLastKey appends the LastEvaluatedKey of a page that ends with it.
func (s *source) appendLastKey(dst []byte, it item.Value) []byte {
	dst = append(dst, '{')
	start := len(dst)
	for _, name := range s.fullKey() {
		v, _ := it.Field(name)
		dst = jsonwrite.AppendString(append(dst, ','), name)
		dst = v.AppendJSON(append(dst, ':'))
	}
	return closeObject(dst, start)
}

// schema is the key as the package expr takes it.
func (k keySchema) schema() expr.KeySchema {
	return expr.KeySchema{
		Partition: expr.KeyAttribute{Name: k.hash.name, Type: k.hash.typ},
		Sort:      expr.KeyAttribute{Name: k.sort.name, Type: k.sort.typ},
	}
}

// isFullKey says whether a start key has as many attributes as it should.
func (s *source) isFullKey(start item.Value) bool { return start.Len() == len(s.fullKey()) }

// checkStartAttribute refuses a start key without, or with a wrong, attribute of the key that is read by.
func (s *source) checkStartAttribute(start item.Value, a keyAttribute) error {
	if a.name == "" {
		return nil
	}
	v, ok := start.Field(a.name)
	if !ok {
		return validationError(startKeyInvalid)
	}
	if v.Type() != a.typ {
		return errKeySchema()
	}
	return checkKeyValue(a, v)
}

// checkStartKey refuses a start key that holds no key of the table.
func (s *source) checkStartKey(start item.Value) error {
	err := s.table.keys.checkKey(s.table.keys.of(start))
	var e *Error
	if errors.As(err, &e) {
		return validationError(startKeyInvalid + ": " + e.Message)
	}
	return err
}
