package kms

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

func storeKey(account string, kind byte, name string) []byte {
	return append(append(store.AppendEscaped([]byte{keyspace.KMS}, []byte(account)), kind), name...)
}

// Survey returns a Service of a read-only store. It changes nothing there: due rotations and deletions stay due.
func Survey(s *store.Store) *Service {
	service := &Service{store: s}
	_ = service.load()
	return service
}

// load reads everything from the store. s.mu must be held.
func (s *Service) load() error {
	s.accounts, s.idCount = map[string]*account{}, 0
	prefix := []byte{keyspace.KMS}
	return s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if err := s.loadOne(it.Key()[1:], it.Value()); err != nil {
				return fmt.Errorf("the keys of KMS cannot be read: %w", err)
			}
		}
		return it.Close()
	})
}

func (s *Service) loadOne(name, value []byte) error {
	if len(name) == 0 {
		s.idCount = binary.BigEndian.Uint64(value)
		return nil
	}
	of, rest, err := store.DecodeEscaped(name)
	if err != nil || len(rest) == 0 {
		return store.ErrKey
	}
	a := s.account(string(of))
	s.accounts[a.name] = a
	if rest[0] == keyspace.KMSAlias {
		al := new(alias)
		a.aliases[string(rest[1:])] = al
		return json.Unmarshal(value, al)
	}
	k := new(key)
	a.keys[string(rest[1:])] = k
	return json.Unmarshal(value, k)
}

// saveKey stores a key and then adds it to its account. s.mu must be held.
func (a *account) saveKey(k *key) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	err = a.store.Update(store.Latch([]byte{keyspace.KMS}), func(tx *store.Tx) error {
		if err := tx.Set([]byte{keyspace.KMS}, binary.BigEndian.AppendUint64(nil, a.idCount)); err != nil {
			return err
		}
		return tx.Set(storeKey(a.name, keyspace.KMSKey, k.ID), text)
	})
	if err != nil {
		return err
	}
	a.accounts[a.name] = a
	a.keys[k.ID] = k
	a.scheduleTimer()
	return nil
}

// dropKey deletes a key and its aliases. s.mu must be held.
func (a *account) dropKey(k *key) error {
	var names []string
	for name, al := range a.aliases {
		if al.Target == k.ID {
			names = append(names, name)
		}
	}
	err := a.store.Update(store.Latch([]byte{keyspace.KMS}), func(tx *store.Tx) error {
		for _, name := range names {
			if err := tx.Delete(storeKey(a.name, keyspace.KMSAlias, name)); err != nil {
				return err
			}
		}
		return tx.Delete(storeKey(a.name, keyspace.KMSKey, k.ID))
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		delete(a.aliases, name)
	}
	delete(a.keys, k.ID)
	return nil
}

// saveAlias stores an alias and then adds it to its account. s.mu must be held.
func (a *account) saveAlias(al *alias) error {
	text, err := json.Marshal(al)
	if err != nil {
		return err
	}
	err = a.store.Update(store.Latch([]byte{keyspace.KMS}), func(tx *store.Tx) error {
		return tx.Set(storeKey(a.name, keyspace.KMSAlias, al.Name), text)
	})
	if err == nil {
		a.aliases[al.Name] = al
	}
	return err
}

// dropAlias deletes an alias. s.mu must be held.
func (a *account) dropAlias(name string) error {
	err := a.store.Update(store.Latch([]byte{keyspace.KMS}), func(tx *store.Tx) error {
		return tx.Delete(storeKey(a.name, keyspace.KMSAlias, name))
	})
	if err == nil {
		delete(a.aliases, name)
	}
	return err
}

// newID returns a new id: a UUID of version 4 from the seed and the count of ids. s.mu must be held.
func (s *Service) newID() string {
	s.idCount++
	return awsapi.NumberedUUID(s.seed, s.idCount)
}

// grantID returns an id of 64 digits, as in the service.
func (s *Service) grantID() string {
	return strings.ReplaceAll(s.newID()+s.newID(), "-", "")
}
