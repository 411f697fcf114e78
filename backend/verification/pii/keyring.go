// Package pii seals single attributes of items, so that a copy of the table reveals them to nobody.
//
// An attribute is encrypted by Tink's AEAD with AES-256-GCM under a keyset. The keyset is in the store, wrapped by a
// master key that is not: a KMS key, or a local key from the configuration. A sealed value names the key of the keyset
// that sealed it, so a new key can be added at any time without rewriting values. The associated data is the place of
// the value: a value that is moved to another item does not open.
//
// The unwrapped keyset is cached for five minutes, so a disabled KMS key continues to open values for that long.
package pii

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

const (
	version = "v1." // prefix of each sealed value
	life    = 5 * time.Minute
)

var (
	// ErrUnavailable means that the master key, or the key that sealed a value, cannot be used now.
	ErrUnavailable = errors.New("the key that protects contact data is not available")
	// ErrSealed means that a value was sealed for another place, or was changed.
	ErrSealed = errors.New("a sealed value was changed or moved")
)

// Wrapped is the keyset as stored: encrypted by the master key.
type Wrapped struct {
	Keyset  []byte
	Version int64 // starts with 1 and increases with each rotation
}

// Store stores the wrapped keyset.
type Store interface {
	// Keyset reads the keyset consistently; false when there is none yet.
	Keyset(ctx context.Context) (Wrapped, bool, error)
	// KeepKeyset stores w if the stored version is the one before w's, or if none is stored and w's is 1; otherwise it
	// returns false.
	KeepKeyset(ctx context.Context, w Wrapped) (bool, error)
}

// Keyring seals and opens values. It is safe for concurrent use.
type Keyring struct {
	master tink.AEADWithContext
	store  Store
	place  []byte // associated data of the keyset itself
	now    func() time.Time

	mu   sync.Mutex // held while a keyset is loaded, so that many requests load it once
	held *ring
}

// ring is an unwrapped keyset.
type ring struct {
	handle  *keyset.Handle
	aead    tink.AEAD
	version int64
	since   time.Time
}

// Info describes the keyset; none of it is secret.
type Info struct {
	PrimaryKeyID uint32 `json:"primaryKeyId" doc:"The key for new values; other keys still decrypt existing ones"`
	Keys         int    `json:"keys" doc:"Number of keys in the keyset"`
}

// New returns a keyring whose keyset is in store, bound to place and wrapped by master. It uses neither yet.
func New(master tink.AEADWithContext, store Store, place string, now func() time.Time) *Keyring {
	return &Keyring{master: master, store: store, place: []byte(place), now: now}
}

// Seal encrypts text for a place. Sealing the same text twice gives different values. Errors: ErrUnavailable, which
// lasts until the master key is usable again, and those of the store.
func (k *Keyring) Seal(ctx context.Context, place, text string) (string, error) {
	r, err := k.ring(ctx, nil)
	if err != nil {
		return "", err
	}
	sealed, err := r.aead.Encrypt([]byte(text), []byte(place))
	if err != nil {
		return "", err
	}
	return version + base64.RawURLEncoding.EncodeToString(sealed), nil
}

// Open decrypts a value that Seal returned for the same place. Errors: ErrUnavailable, ErrSealed, and those of the
// store.
func (k *Keyring) Open(ctx context.Context, place, value string) (string, error) {
	sealed, id, err := parse(value)
	if err != nil {
		return "", err
	}
	r, err := k.ring(ctx, nil)
	if err == nil && !r.has(id) { // another instance may have rotated since
		r, err = k.ring(ctx, r)
	}
	switch {
	case err != nil:
		return "", err
	case !r.has(id):
		return "", fmt.Errorf("%w: the keyset has no key %d", ErrUnavailable, id)
	}
	text, err := r.aead.Decrypt(sealed, []byte(place))
	if err != nil {
		return "", ErrSealed // Tink's own error says no more
	}
	return string(text), nil
}

// parse splits a sealed value: Tink's ciphertext starts with 1 and the id of its key.
func parse(value string) (sealed []byte, keyID uint32, err error) {
	text, ok := strings.CutPrefix(value, version)
	if !ok {
		return nil, 0, ErrSealed
	}
	sealed, err = base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(sealed) < 5 || sealed[0] != 1 {
		return nil, 0, ErrSealed
	}
	return sealed, binary.BigEndian.Uint32(sealed[1:5]), nil
}

// Rotate adds a key and makes it the sealing key: here at once, in other instances within five minutes. Of two
// concurrent rotations one takes effect.
func (k *Keyring) Rotate(ctx context.Context) (Info, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, err := k.load(ctx)
	if err != nil {
		return Info{}, err
	}
	manager := keyset.NewManagerFromHandle(r.handle)
	id, err := manager.Add(aead.AES256GCMKeyTemplate())
	if err == nil {
		err = manager.SetPrimary(id)
	}
	if err != nil {
		return Info{}, err
	}
	next, err := manager.Handle()
	if err != nil {
		return Info{}, err
	}
	if _, err := k.keep(ctx, next, r.version+1); err != nil {
		return Info{}, err
	}
	if k.held, err = k.load(ctx); err != nil {
		return Info{}, err
	}
	return k.held.info(), nil
}

// ring returns the keyset, from the cache if it is recent and not former; former is one that lacked a key.
func (k *Keyring) ring(ctx context.Context, former *ring) (*ring, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held != nil && k.held != former && k.now().Sub(k.held.since) < life {
		return k.held, nil
	}
	r, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	k.held = r
	return r, nil
}

// load reads the keyset from the store, and creates it if there is none.
func (k *Keyring) load(ctx context.Context) (*ring, error) {
	stored, found, err := k.store.Keyset(ctx)
	if err == nil && !found {
		if err = k.begin(ctx); err == nil {
			stored, found, err = k.store.Keyset(ctx)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%w: the keyset is missing", ErrUnavailable)
	}
	handle, err := keyset.ReadWithContext(ctx, keyset.NewBinaryReader(bytes.NewReader(stored.Keyset)), k.master, k.place)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, err
	}
	return &ring{handle: handle, aead: primitive, version: stored.Version, since: k.now()}, nil
}

// begin stores the first keyset, unless another instance was faster.
func (k *Keyring) begin(ctx context.Context) error {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return err
	}
	_, err = k.keep(ctx, handle, 1)
	return err
}

func (k *Keyring) keep(ctx context.Context, handle *keyset.Handle, version int64) (bool, error) {
	var wrapped bytes.Buffer
	if err := handle.WriteWithContext(ctx, keyset.NewBinaryWriter(&wrapped), k.master, k.place); err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return k.store.KeepKeyset(ctx, Wrapped{Keyset: wrapped.Bytes(), Version: version})
}

func (r *ring) has(id uint32) bool {
	for _, info := range r.handle.KeysetInfo().GetKeyInfo() {
		if info.GetKeyId() == id {
			return true
		}
	}
	return false
}

func (r *ring) info() Info {
	info := r.handle.KeysetInfo()
	return Info{PrimaryKeyID: info.GetPrimaryKeyId(), Keys: len(info.GetKeyInfo())}
}
