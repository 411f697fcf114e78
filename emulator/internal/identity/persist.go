package identity

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"

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
	directory, inapplicable := s.directory(changes)
	for _, c := range inapplicable {
		s.log.Warn("an identity that was added does not fit the identities file and is left out: no access",
			"account", c.Account, "kind", c.Kind, "name", c.Name, "error", c.Err,
			"remedy", "add what it needs to the file and start again, or delete it with DELETE "+path(c.Change))
	}
	return s.install(directory)
}

// path returns the path of a change in the admin API.
func path(c identities.Change) string {
	return fmt.Sprintf("/_tabletop/identities/%s/%s/%s", c.Account, c.Kind, url.PathEscape(c.Name))
}

// directory returns the file's directory with those changes that apply to it, and the other ones: the file may have
// been edited since. Only without a file and without changes is there no directory: a lost file disables no check.
func (s *Service) directory(changes []identities.Change) (*identities.Directory, []identities.Inapplicable) {
	base := s.file
	switch {
	case base == nil && len(changes) == 0:
		return nil, nil
	case base == nil:
		base = identities.Empty(s.account)
	}
	return base.WithApplicable(changes...)
}

// install makes a directory current, or none.
func (s *Service) install(directory *identities.Directory) error {
	if directory == nil {
		s.current.Store(nil)
		return nil
	}
	if s.account != DefaultAccount && directory.Account != s.account {
		return &AccountError{Identities: directory.Account, Emulator: s.account}
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
	former, err := s.changes()
	if err != nil {
		return err
	}
	directory, err := s.with(former, more)
	if err != nil {
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
	return s.install(directory)
}

// with returns the directory after more changes. Errors: a change among them that does not apply, and a former one that
// no longer would.
func (s *Service) with(former, more []identities.Change) (*identities.Directory, error) {
	_, leftOut := s.directory(former)
	directory, inapplicable := s.directory(merge(former, more))
	for _, c := range inapplicable {
		known := slices.ContainsFunc(leftOut, func(i identities.Inapplicable) bool { return c.Same(i.Change) })
		if !known || slices.ContainsFunc(more, c.Same) {
			return nil, c.Err
		}
	}
	return directory, nil
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
			if !former.Same(c) {
				kept = append(kept, former)
			}
		}
		if changes = kept; c.Document != nil {
			changes = append(changes, c)
		}
	}
	return changes
}
