package data

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// checkStartValues returns an error for an ExclusiveStartKey with invalid values. Unlike in a Scan, the service
// prefixes only the messages about values without a type or with several (nubo-db/dynoxide, AWS in four regions,
// 2026-10-09).
func (in *QueryInput) checkStartValues() error {
	err := in.ExclusiveStartKey.Err
	if errors.Is(err, item.ErrEmptyValue) || errors.Is(err, item.ErrManyTypes) {
		return wire.ValidationError(startKeyInvalid + ": " + err.Error())
	}
	return wire.ReadErrors.Convert(err)
}

// checkStartWithin returns an error for a start key that this Query cannot have returned. All attributes of the
// partition key but the last come first, then the conditions on the sort key (nubo-db/dynoxide, AWS in eu-west-2 and
// us-east-1, 2026-10-09: tables and indexes of all kinds).
func (s *source) checkStartWithin(start item.Value, key *expr.KeyCondition) error {
	last := len(key.Hash) - 1
	for i, v := range key.Hash[:last] {
		if !hasValue(start, s.keys.Hash[i], v) {
			return errNotRestartable()
		}
	}
	for i, r := range key.Ranges {
		if v, _ := start.Field(s.keys.Range[i].Name); !r.Contains(v) {
			return wire.ValidationError("The provided starting key does not match the range key predicate")
		}
	}
	switch {
	case hasValue(start, s.keys.Hash[last], key.Hash[last]):
		return nil
	case len(key.Ranges) > 0:
		return errNotRestartable()
	case s.index == nil && len(s.keys.Range) == 0:
		return wire.ValidationError("The provided exclusive start key is invalid")
	}
	return wire.ValidationError("The provided starting key is outside query boundaries based on provided conditions")
}

// startKeyError returns the error of a Query for a start key whose attributes have an error.
func startKeyError(err error) error {
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Message == engine.ErrKeySchema().Message {
		return wire.ValidationError(startKeyInvalid)
	}
	return err
}

func hasValue(it item.Value, a engine.KeyAttribute, v item.Value) bool {
	got, _ := it.Field(a.Name)
	return item.Equal(got, v)
}

// errNotRestartable returns the error for a start key of another partition. The service uses this message for any
// condition on the sort key.
func errNotRestartable() *wire.Error {
	return wire.ValidationError("The query can return at most one row and cannot be restarted")
}
