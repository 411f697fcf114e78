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
	"golang.org/x/sync/singleflight"
)

const (
	versionPrefix = "v1." // prefix of each sealed value
	cacheLifetime = 5 * time.Minute
	callTimeout   = 5 * time.Second // of a load, and of wrapping a new keyset
)

var (
	// ErrUnavailable means that the master key, or the key that sealed a value, cannot be used now.
	ErrUnavailable = errors.New("the key that protects contact data is not available")
	// ErrTampered means that a value was sealed with other associated data, or was changed.
	ErrTampered = errors.New("a sealed value was changed or moved")
)

// WrappedKeyset is the keyset as stored: encrypted by the master key.
type WrappedKeyset struct {
	Keyset  []byte
	Version int64 // starts with 1 and increases with each rotation
}

// Store stores the wrapped keyset.
type Store interface {
	// Keyset reads the keyset consistently; false when there is none yet.
	Keyset(ctx context.Context) (WrappedKeyset, bool, error)
	// SaveKeyset stores w if the stored version is the one before w's, or if none is stored and w's is 1; otherwise it
	// returns false.
	SaveKeyset(ctx context.Context, w WrappedKeyset) (bool, error)
}

// Keyring seals and opens values. It is safe for concurrent use.
type Keyring struct {
	masterKey      tink.AEADWithContext
	store          Store
	associatedData []byte // associated data of the keyset itself
	now            func() time.Time

	loads singleflight.Group // callers who need the keyset share one load

	mu     sync.Mutex // guards cached; never held during a call
	cached *cachedKeyset
}

// cachedKeyset is an unwrapped keyset.
type cachedKeyset struct {
	handle   *keyset.Handle
	aead     tink.AEAD
	version  int64
	loadedAt time.Time
}

// KeysetInfo describes the keyset; none of it is secret.
type KeysetInfo struct {
	PrimaryKeyID uint32 `json:"primaryKeyId" doc:"The key for new values; other keys still decrypt existing ones"`
	Keys         int    `json:"keys" doc:"Number of keys in the keyset"`
}

// New returns a keyring whose keyset is in store, bound to associatedData and wrapped by masterKey. It uses neither
// yet.
func New(masterKey tink.AEADWithContext, store Store, associatedData string, now func() time.Time) *Keyring {
	return &Keyring{masterKey: masterKey, store: store, associatedData: []byte(associatedData), now: now}
}

// Seal encrypts text, bound to associatedData, such as the place of the value. Sealing the same text twice gives
// different values. Errors: ErrUnavailable, which lasts until the master key is usable again, and those of the store.
func (k *Keyring) Seal(ctx context.Context, associatedData, text string) (string, error) {
	r, err := k.cachedKeyset(ctx, nil)
	if err != nil {
		return "", err
	}
	sealed, err := r.aead.Encrypt([]byte(text), []byte(associatedData))
	if err != nil {
		return "", err
	}
	return versionPrefix + base64.RawURLEncoding.EncodeToString(sealed), nil
}

// Open decrypts a value that Seal returned for the same associatedData. Errors: ErrUnavailable, ErrTampered, and those
// of the store.
func (k *Keyring) Open(ctx context.Context, associatedData, value string) (string, error) {
	sealed, id, err := parse(value)
	if err != nil {
		return "", err
	}
	r, err := k.cachedKeyset(ctx, nil)
	if err == nil && !r.hasKey(id) { // another instance may have rotated since
		r, err = k.cachedKeyset(ctx, r)
	}
	switch {
	case err != nil:
		return "", err
	case !r.hasKey(id):
		return "", fmt.Errorf("%w: the keyset has no key %d", ErrUnavailable, id)
	}
	text, err := r.aead.Decrypt(sealed, []byte(associatedData))
	if err != nil {
		return "", ErrTampered // Tink's own error says no more
	}
	return string(text), nil
}

// parse splits a sealed value: Tink's ciphertext starts with 1 and the id of its key.
func parse(value string) (sealed []byte, keyID uint32, err error) {
	text, ok := strings.CutPrefix(value, versionPrefix)
	if !ok {
		return nil, 0, ErrTampered
	}
	sealed, err = base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(sealed) < 5 || sealed[0] != 1 {
		return nil, 0, ErrTampered
	}
	return sealed, binary.BigEndian.Uint32(sealed[1:5]), nil
}

// Rotate adds a key and makes it the sealing key: here at once, in other instances within five minutes. Of two
// concurrent rotations one takes effect.
func (k *Keyring) Rotate(ctx context.Context) (KeysetInfo, error) {
	r, err := k.load(ctx)
	if err != nil {
		return KeysetInfo{}, err
	}
	manager := keyset.NewManagerFromHandle(r.handle)
	id, err := manager.Add(aead.AES256GCMKeyTemplate())
	if err == nil {
		err = manager.SetPrimary(id)
	}
	if err != nil {
		return KeysetInfo{}, err
	}
	next, err := manager.Handle()
	if err != nil {
		return KeysetInfo{}, err
	}
	saved, err := k.saveKeyset(ctx, next, r.version+1)
	switch {
	case err != nil:
		return KeysetInfo{}, err
	case saved: // loading it could fail, and the rotation has taken effect
		r, err = k.cacheKeyset(next, r.version+1)
	default:
		r, err = k.load(ctx)
	}
	if err != nil {
		return KeysetInfo{}, err
	}
	return r.info(), nil
}

// cachedKeyset returns the keyset, from the cache if it is recent and not stale; stale is one that lacked a key.
func (k *Keyring) cachedKeyset(ctx context.Context, stale *cachedKeyset) (*cachedKeyset, error) {
	k.mu.Lock()
	r := k.recent()
	k.mu.Unlock()
	if r != nil && r != stale {
		return r, nil
	}
	loading := k.loads.DoChan("", func() (any, error) {
		return k.load(context.WithoutCancel(ctx)) // others may wait for it too
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case loaded := <-loading:
		r, _ = loaded.Val.(*cachedKeyset)
		return r, loaded.Err
	}
}

// recent returns the cached keyset, or nil if it is too old; k.mu is held.
func (k *Keyring) recent() *cachedKeyset {
	if k.cached != nil && k.now().Sub(k.cached.loadedAt) < cacheLifetime {
		return k.cached
	}
	return nil
}

// cache replaces the cached keyset unless r is older: a load that began before a rotation may end after it.
func (k *Keyring) cache(r *cachedKeyset) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if recent := k.recent(); recent == nil || r.version >= recent.version {
		k.cached = r
	}
}

// load reads the keyset from the store into the cache, and creates it if there is none.
func (k *Keyring) load(ctx context.Context) (*cachedKeyset, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	stored, found, err := k.store.Keyset(ctx)
	if err == nil && !found {
		if err = k.createKeyset(ctx); err == nil {
			stored, found, err = k.store.Keyset(ctx)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%w: the keyset is missing", ErrUnavailable)
	}
	handle, err := keyset.ReadWithContext(ctx, keyset.NewBinaryReader(bytes.NewReader(stored.Keyset)), k.masterKey,
		k.associatedData)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return k.cacheKeyset(handle, stored.Version)
}

func (k *Keyring) cacheKeyset(handle *keyset.Handle, version int64) (*cachedKeyset, error) {
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, err
	}
	r := &cachedKeyset{handle: handle, aead: primitive, version: version, loadedAt: k.now()}
	k.cache(r)
	return r, nil
}

// createKeyset stores the first keyset, unless another instance was faster.
func (k *Keyring) createKeyset(ctx context.Context) error {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return err
	}
	_, err = k.saveKeyset(ctx, handle, 1)
	return err
}

func (k *Keyring) saveKeyset(ctx context.Context, handle *keyset.Handle, version int64) (bool, error) {
	wrapping, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var wrapped bytes.Buffer
	err := handle.WriteWithContext(wrapping, keyset.NewBinaryWriter(&wrapped), k.masterKey, k.associatedData)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return k.store.SaveKeyset(ctx, WrappedKeyset{Keyset: wrapped.Bytes(), Version: version})
}

func (r *cachedKeyset) hasKey(id uint32) bool {
	for _, info := range r.handle.KeysetInfo().GetKeyInfo() {
		if info.GetKeyId() == id {
			return true
		}
	}
	return false
}

func (r *cachedKeyset) info() KeysetInfo {
	info := r.handle.KeysetInfo()
	return KeysetInfo{PrimaryKeyID: info.GetPrimaryKeyId(), Keys: len(info.GetKeyInfo())}
}
