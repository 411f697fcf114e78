package telemetry

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const (
	rawKeyBytes     = 32              // 64 hex characters
	lastUseInterval = 5 * time.Minute // TL-P11
)

// createAPIKey creates a key (TL-P10). The raw key is returned only here and never stored.
func (s *Service) createAPIKey(ctx context.Context, description string) (APIKey, string, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return APIKey{}, "", err
	}
	random := make([]byte, rawKeyBytes)
	rand.Read(random) // never fails: crypto/rand ends the program rather than return weak bytes
	raw := hex.EncodeToString(random)
	record := APIKey{KeyID: UUID(id.String()), Description: description, CreatedAt: s.now(), IsActive: true}
	return record, raw, s.store.createAPIKey(ctx, keyRecord{record, s.hashKey(raw)})
}

// authenticate returns the record of a raw key that is known and active. Errors: errBadKey (TL-P8, TL-R12).
//
// The hash index is eventually consistent, so it only finds the key; the base item, read consistently, decides: a key
// that was just revoked is refused (TL-D4).
func (s *Service) authenticate(ctx context.Context, raw string) (APIKey, error) {
	if len(raw) != 2*rawKeyBytes || !validBytes(raw, len(raw), isHex) {
		return APIKey{}, errBadKey
	}
	hash := s.hashKey(raw)
	id, err := s.findKey(ctx, hash)
	if err != nil {
		return APIKey{}, err
	}
	record, found, err := s.store.apiKey(ctx, id)
	matches := subtle.ConstantTimeCompare([]byte(record.Hash), []byte(hash)) == 1
	if err != nil || !found || !record.IsActive || !matches {
		return APIKey{}, keyError(err)
	}
	s.recordKeyUse(ctx, record.APIKey)
	return record.APIKey, nil
}

// findKey finds a key by its hash. A key that is not found may be too new for the index: two more attempts, about 100
// ms in all, which also slows down anyone who guesses keys.
func (s *Service) findKey(ctx context.Context, hash string) (id UUID, err error) {
	policy := retry.Policy{Retryable: []error{errBadKey}, MaxAttempts: 3, FirstPause: 40 * time.Millisecond,
		Wait: s.cfg.Wait}
	err = policy.Do(ctx, func() error {
		var found bool
		if id, found, err = s.store.keyIDByHash(ctx, hash); err == nil && !found {
			return errBadKey
		}
		return err
	})
	return id, err
}

// recordKeyUse sets last_used_at unless that was done in the last five minutes (TL-P11). The record just read decides
// this for nearly every request, and the condition of the update resolves races. A failure is logged and does not fail
// the request, whose key is valid.
func (s *Service) recordKeyUse(ctx context.Context, k APIKey) {
	now := s.cfg.Now()
	before := timestamp(now.Add(-lastUseInterval))
	if k.LastUsedAt > before {
		return
	}
	if err := s.store.recordKeyUse(ctx, k.KeyID, timestamp(now), before); err != nil {
		s.cfg.Logger.Warn("last use of an API key not recorded", slog.String("key_id", string(k.KeyID)),
			slog.Any("error", err))
	}
}

func (s *Service) apiKey(ctx context.Context, id UUID) (APIKey, error) {
	record, found, err := s.store.apiKey(ctx, id)
	return web.Found(record.APIKey, found, err, errNoKey)
}

func (s *Service) revokeAPIKey(ctx context.Context, id UUID) (APIKey, error) {
	record, found, err := s.store.revokeAPIKey(ctx, id)
	return web.Found(record, found, err, errNoKey)
}

func (s *Service) listAPIKeys(ctx context.Context, limit int, cursor string) ([]APIKey, string, error) {
	after, err := web.DecodeCursor(cursor, map[string]func(string) bool{
		"key_id": validUUID, "gsi1pk": web.Equals(partitionAPIKeys), "gsi1sk": validTimestamp,
	})
	if err != nil {
		return nil, "", err
	}
	records, last, err := s.store.listAPIKeys(ctx, limit, after)
	return records, web.EncodeCursor(last), err
}

// hashKey returns the SHA-256 of pepper and raw key, in hex (TL-R11).
func (s *Service) hashKey(raw string) string {
	sum := sha256.Sum256([]byte(s.cfg.Pepper + raw))
	return hex.EncodeToString(sum[:])
}

func keyError(err error) error {
	if err != nil {
		return err
	}
	return errBadKey
}
