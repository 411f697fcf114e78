package identity

import (
	"bytes"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

func secretKey() []byte { return []byte{keyspace.Identities, keyspace.IdentitySecret} }

func changeKey(c identities.Change) []byte {
	key := []byte{keyspace.Identities, keyspace.IdentityChange}
	for _, part := range [...]string{c.Account, c.Kind, c.Name} {
		key = store.AppendEscaped(key, []byte(part))
	}
	return key
}

func readChange(key, value []byte) (c identities.Change, err error) {
	rest := key[2:]
	for _, part := range [...]*string{&c.Account, &c.Kind, &c.Name} {
		var text []byte
		if text, rest, err = store.DecodeEscaped(rest); err != nil {
			return c, err
		}
		*part = string(text)
	}
	c.Document = bytes.Clone(value)
	return c, nil
}

// changes returns the changes that the admin API made to the file's identities.
func (s *Service) changes() (all []identities.Change, err error) {
	prefix := []byte{keyspace.Identities, keyspace.IdentityChange}
	err = s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		for it.Next() {
			c, err := readChange(it.Key(), it.Value())
			if err != nil {
				return errors.Join(err, it.Close())
			}
			all = append(all, c)
		}
		return it.Close()
	})
	return all, err
}

// openTokenIssuer reads the secret of the token issuer, or creates it.
func (s *Service) openTokenIssuer() (*tokenIssuer, error) {
	var secret []byte
	err := s.store.Update(store.Latch(secretKey()), func(tx *store.Tx) error {
		known, ok, err := tx.Get(secretKey())
		if err != nil {
			return err
		}
		if secret = bytes.Clone(known); ok && len(secret) == secretSize {
			return nil
		}
		secret = randomBytes(secretSize)
		return tx.Set(secretKey(), secret)
	})
	if err != nil {
		return nil, err
	}
	return newTokenIssuer(secret)
}

// Reload reads the identities from the store again, after its content was replaced. Earlier sessions end, unless they
// were issued with the same secret.
func (s *Service) Reload() error {
	s.changing.Lock()
	defer s.changing.Unlock()
	changes, err := s.changes()
	if err != nil {
		return err
	}
	return s.install(changes)
}

// install applies changes to the file's directory and makes the result current. Without any identities, there is no
// directory.
func (s *Service) install(changes []identities.Change) error {
	if s.file == nil && len(changes) == 0 {
		s.current.Store(nil)
		return nil
	}
	base := s.file
	if base == nil {
		base = identities.Empty(s.account)
	}
	if s.account != DefaultAccount && base.Account != s.account {
		return &AccountError{Identities: base.Account, Emulator: s.account}
	}
	directory, err := base.With(changes...)
	if err != nil {
		return err
	}
	v, err := s.openTokenIssuer()
	if err != nil {
		return err
	}
	s.current.Store(newState(directory, v, s.account))
	return nil
}

// change makes and stores changes. An invalid change changes nothing.
func (s *Service) change(more ...identities.Change) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	changes, err := s.changes()
	if err != nil {
		return err
	}
	changes = merge(changes, more)
	base := s.file
	if base == nil {
		base = identities.Empty(s.account)
	}
	if _, err := base.With(changes...); err != nil {
		return err
	}
	err = s.store.Update(store.Latch([]byte{keyspace.Identities, keyspace.IdentityChange}), func(tx *store.Tx) error {
		for _, c := range more {
			if err := put(tx, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.install(changes)
}

func put(tx *store.Tx, c identities.Change) error {
	if c.Document == nil {
		return tx.Delete(changeKey(c))
	}
	return tx.Set(changeKey(c), c.Document)
}

// merge replaces changes with later ones of the same entity. A change without a document deletes the entity's change.
func merge(changes, more []identities.Change) []identities.Change {
	for _, c := range more {
		kept := changes[:0:0]
		for _, former := range changes {
			if former.Account != c.Account || former.Kind != c.Kind || former.Name != c.Name {
				kept = append(kept, former)
			}
		}
		if changes = kept; c.Document != nil {
			changes = append(changes, c)
		}
	}
	return changes
}
