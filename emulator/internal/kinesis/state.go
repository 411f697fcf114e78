package kinesis

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

func storeKey(account, stream string) []byte {
	return append(store.AppendEscaped([]byte{keyspace.Kinesis}, []byte(account)), stream...)
}

// load reads all streams from the store. s.mu must be held.
func (s *Service) load() error {
	for _, a := range s.accounts { // requests in progress may still have these streams
		for _, st := range a.streams {
			st.deleted.Store(true)
		}
	}
	s.accounts, s.logCount = map[string]*account{}, 0
	prefix := []byte{keyspace.Kinesis}
	err := s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if err := s.loadOne(it.Key()[1:], it.Value()); err != nil {
				return fmt.Errorf("the streams of Kinesis cannot be read: %w", err)
			}
		}
		return it.Close()
	})
	if err == nil && len(s.accounts) > 0 {
		s.scheduleRemoval()
	}
	return err
}

func (s *Service) loadOne(key, value []byte) error {
	if len(key) == 0 {
		s.logCount = binary.BigEndian.Uint32(value)
		return nil
	}
	name, _, err := store.DecodeEscaped(key)
	if err != nil {
		return err
	}
	st := new(stream)
	if err := json.Unmarshal(value, st); err != nil {
		return err
	}
	a := s.account(string(name))
	s.accounts[a.name], a.streams[st.Name] = a, st
	return s.open(st)
}

// open opens the logs of a stream.
func (s *Service) open(st *stream) error {
	st.gate = s.store.NewGate()
	for i := range st.Shards {
		id := st.FirstID + uint32(i)
		l, err := s.logs.Open(id)
		if err != nil {
			return err
		}
		st.logs = append(st.logs, l)
		s.store.Names().Set(changelog.Prefix(id), store.Part, "records of the Kinesis stream "+fmt.Sprintf("%q", st.Name))
	}
	return nil
}

// saveStream stores a new stream and then adds it to its account. s.mu must be held.
func (a *account) saveStream(st *stream) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	if err := a.open(st); err != nil {
		return err
	}
	err = a.store.Update(store.Latch([]byte{keyspace.Kinesis}), func(tx *store.Tx) error {
		if err := tx.Set([]byte{keyspace.Kinesis}, binary.BigEndian.AppendUint32(nil, a.logCount)); err != nil {
			return err
		}
		return tx.Set(storeKey(a.name, st.Name), text)
	})
	if err != nil {
		return err
	}
	a.accounts[a.name], a.streams[st.Name] = a, st
	a.scheduleRemoval()
	return nil
}

// dropStream deletes a stream and its records. s.mu must be held.
func (a *account) dropStream(st *stream) error {
	err := a.store.Update(store.Latch([]byte{keyspace.Kinesis}).Alone(st.gate), func(tx *store.Tx) error {
		for _, l := range st.logs {
			if err := l.Retire(tx); err != nil {
				return err
			}
		}
		tx.OnCommit(func() { st.deleted.Store(true) })
		return tx.Delete(storeKey(a.name, st.Name))
	})
	if err != nil {
		return err
	}
	for i := range st.Shards {
		a.store.Names().Forget(changelog.Prefix(st.FirstID + uint32(i)))
	}
	if delete(a.streams, st.Name); len(a.streams) == 0 {
		delete(a.accounts, a.name)
	}
	return nil
}
