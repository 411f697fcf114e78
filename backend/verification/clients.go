package verification

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// secretBytes is the length of a secret in bytes; it is written as twice as many hex digits.
const secretBytes = 32

// APIKey is the public record of an API key, without its secret and the secret's hash.
type APIKey struct {
	KeyID       string    `json:"keyId" dynamodbav:"keyId" example:"key_7c9e6679-7425-40de-944b-e07fc1f90ae7"`
	ClientID    ClientID  `json:"clientId" dynamodbav:"clientId"`
	Description string    `json:"description,omitempty" dynamodbav:"description,omitempty" example:"onboarding site"`
	CreatedAt   Timestamp `json:"createdAt" dynamodbav:"createdAt"`
	IsActive    bool      `json:"isActive" dynamodbav:"isActive" doc:"False once the key is revoked"`
}

// newSecret returns the id <prefix><uuid> and the secret, 64 hex digits, of a new credential <id>.<secret>.
func newSecret(prefix string) (id, secret string, err error) {
	uuid4, err := uuid.NewRandom()
	if err != nil {
		return "", "", err
	}
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails: crypto/rand ends the program rather than return weak bytes
	return prefix + uuid4.String(), hex.EncodeToString(random), nil
}

// hashSecret returns the SHA-256 of pepper and secret, in hex. A slower hash is not needed, because the secret has 256
// random bits.
func (s *Service) hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(s.cfg.Pepper + secret))
	return hex.EncodeToString(sum[:])
}

func equalHashes(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// credential matches a client's credential: an id, by which one GetItem finds it, and a secret.
var credential = lazyregexp.New(`^(?:key|ses)_` + uuidV4 + `\.[0-9a-f]{64}$`)

// splitCredential splits a credential with this prefix; it returns false for anything else, which never reaches the
// database.
func splitCredential(raw, prefix string) (id, secret string, ok bool) {
	if !strings.HasPrefix(raw, prefix) || !credential.MatchString(raw) {
		return "", "", false
	}
	id, secret, ok = strings.Cut(raw, ".")
	return id, secret, ok
}

// authenticateKey returns the caller with an API key (VR-P9).
func (s *Service) authenticateKey(ctx context.Context, raw string) (caller, error) {
	id, secret, ok := splitCredential(raw, "key_")
	if !ok {
		return caller{}, errCredential
	}
	k, found, err := s.store.apiKey(ctx, id)
	if err == nil && (!found || !k.IsActive || !equalHashes(k.Hash, s.hashSecret(secret))) {
		err = errCredential
	}
	if err != nil {
		return caller{}, err
	}
	return caller{user: string(k.ClientID), role: RoleClient, client: k.ClientID, keyID: id}, nil
}

// authenticateSession returns the caller with a session (VR-P9). The clock decides whether the session has ended,
// because the item outlives it. A session is valid only as long as the key that opened it.
func (s *Service) authenticateSession(ctx context.Context, raw string) (caller, error) {
	id, secret, ok := splitCredential(raw, "ses_")
	if !ok {
		return caller{}, errCredential
	}
	n, found, err := s.store.session(ctx, id)
	if err != nil {
		return caller{}, err
	}
	if !found || !n.Active || !s.cfg.Now().Before(n.Ends.time()) || !equalHashes(n.Hash, s.hashSecret(secret)) {
		return caller{}, errCredential
	}
	k, found, err := s.store.apiKey(ctx, n.KeyID)
	if err == nil && (!found || !k.IsActive) {
		err = errCredential
	}
	if err != nil {
		return caller{}, err
	}
	return caller{user: string(n.Client), role: RoleClient, client: n.Client, keyID: n.KeyID, sessionID: id}, nil
}

// createKey creates a key. The raw key is returned only here and never stored: a repeat with the same Idempotency-Key
// returns only the record of the key, which is enough to revoke it (VR-R11).
func (s *Service) createKey(ctx context.Context, in keyRequest, key string) (k newKey, replayed bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.create"}, func(e *AuditEntry) error {
		k, replayed, err = createOnce(ctx, s, e, "create-api-key", key, in,
			func(mark idempotency.Mark) (newKey, error) { return s.newAPIKey(ctx, e, in, mark) },
			func(ref string) (newKey, error) {
				e.Reference = ref
				record, found, err := s.store.apiKey(ctx, ref)
				if err == nil && !found {
					err = errNoKey
				}
				return newKey{APIKey: record.APIKey}, err
			})
		return err
	})
	return k, replayed, err
}

func (s *Service) newAPIKey(ctx context.Context, e *AuditEntry, in keyRequest, mark idempotency.Mark) (newKey, error) {
	id, secret, err := newSecret("key_")
	if err != nil {
		return newKey{}, err
	}
	e.Reference = id
	k := newKey{APIKey{KeyID: id, ClientID: in.ClientID, Description: in.Description, CreatedAt: s.now(), IsActive: true},
		id + "." + secret}
	if k.ClientID == "" {
		k.ClientID = ClientID("client_" + strings.ReplaceAll(id[len("key_"):], "-", ""))
	}
	return k, s.store.createKey(ctx, e, keyRecord{k.APIKey, s.hashSecret(secret)}, mark)
}

func (s *Service) revokeKey(ctx context.Context, id string) (k APIKey, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.revoke", Reference: id}, func(e *AuditEntry) error {
		err := s.retryConflicts(ctx, func() error {
			found, err := s.store.deactivate(ctx, e, apiKeyKey(id))
			if err == nil && !found {
				err = errNoKey
			}
			return err
		})
		if err != nil {
			return err
		}
		record, _, err := s.store.apiKey(ctx, id) // separately: a revoked key and its audit entry are not written again
		k = record.APIKey
		return err
	})
	return k, err
}

func (s *Service) listKeys(ctx context.Context, q pageQuery) (keys []APIKey, next string, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.list"}, func(*AuditEntry) error {
		after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
			"PK": matcher("^" + prefixAPIKey + patternKey[1:]), "SK": web.Equals(meta), "GSI1PK": web.Equals(partitionKeys),
			"GSI1SK": matcher(`^[0-9TZ:-]{20}#` + patternKey[1:]),
		})
		if err != nil {
			return err
		}
		var last map[string]string
		keys, last, err = s.store.listKeys(ctx, q.Limit, after)
		next = web.EncodeCursor(last)
		return err
	})
	return keys, next, err
}

// createSession opens a session for the caller's key. Its token is returned only here: a repeat with the same
// Idempotency-Key and the same API key returns the session without it (VR-R11).
func (s *Service) createSession(ctx context.Context, key string) (n newSession, replayed bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "session.create"}, func(e *AuditEntry) error {
		n, replayed, err = createOnce(ctx, s, e, "create-session "+callerOf(ctx).keyID, key, nil,
			func(mark idempotency.Mark) (newSession, error) { return s.openSession(ctx, e, mark) },
			func(ref string) (newSession, error) {
				e.Reference = ref
				existing, found, err := s.store.session(ctx, ref)
				if err == nil && (!found || !existing.Active || !s.cfg.Now().Before(existing.Ends.time())) {
					err = errSessionOver
				}
				return newSession{SessionID: ref, ExpiresAt: existing.Ends}, err
			})
		return err
	})
	return n, replayed, err
}

func (s *Service) openSession(ctx context.Context, e *AuditEntry, mark idempotency.Mark) (newSession, error) {
	id, secret, err := newSecret("ses_")
	if err != nil {
		return newSession{}, err
	}
	who, now := callerOf(ctx), s.cfg.Now().UTC().Truncate(time.Second)
	record := session{
		ID: id, KeyID: who.keyID, Hash: s.hashSecret(secret), Client: who.client,
		Created: timestamp(now), Ends: timestamp(now.Add(s.cfg.SessionLifetime)), Active: true,
	}
	e.Reference = id
	return newSession{SessionID: id, Token: id + "." + secret, ExpiresAt: record.Ends},
		s.store.createSession(ctx, e, record, mark)
}

// endSession ends the caller's session.
func (s *Service) endSession(ctx context.Context) error {
	id := callerOf(ctx).sessionID
	if id == "" {
		return web.Bad("header.Authorization", "send the session to end: Authorization: Session <token>")
	}
	return s.audited(ctx, AuditEntry{Action: "session.end", Reference: id}, func(e *AuditEntry) error {
		return s.retryConflicts(ctx, func() error {
			found, err := s.store.deactivate(ctx, e, sessionKey(id))
			if err == nil && !found {
				err = errCredential // its ttl removed it since it was verified
			}
			return err
		})
	})
}
