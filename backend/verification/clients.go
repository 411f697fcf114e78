package verification

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// secretBytes are as many as a secret has; it is written in twice as many hex digits.
const secretBytes = 32

// APIKey is the public record of an API key: neither its secret nor the secret's hash.
type APIKey struct {
	KeyID       string    `json:"keyId" dynamodbav:"keyId" example:"key_7c9e6679-7425-40de-944b-e07fc1f90ae7"`
	ClientID    ClientID  `json:"clientId" dynamodbav:"clientId"`
	Description string    `json:"description,omitempty" dynamodbav:"description,omitempty" example:"onboarding site"`
	CreatedAt   Timestamp `json:"createdAt" dynamodbav:"createdAt"`
	IsActive    bool      `json:"isActive" dynamodbav:"isActive" doc:"False once the key is revoked"`
}

// newSecret is 64 hex digits, for a credential of the id <prefix><uuid>: <id>.<secret>.
func newSecret(prefix string) (id, secret string, err error) {
	made, err := uuid.NewRandom()
	if err != nil {
		return "", "", err
	}
	random := make([]byte, secretBytes)
	rand.Read(random) // never fails: crypto/rand ends the program rather than return weak bytes
	return prefix + made.String(), hex.EncodeToString(random), nil
}

// hashSecret is SHA-256 of pepper and secret, in hex: the secret has 256 random bits, so nothing slower is needed.
func (s *Service) hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(s.cfg.Pepper + secret))
	return hex.EncodeToString(sum[:])
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// credential is what a client can show: an id, by which one GetItem finds it, and a secret.
var credential = regexp.MustCompile(`^(?:key|ses)_` + uuidV4 + `\.[0-9a-f]{64}$`)

// splitCredential takes one of a prefix apart; false for anything else, which never reaches the database.
func splitCredential(raw, prefix string) (id, secret string, ok bool) {
	if !strings.HasPrefix(raw, prefix) || !credential.MatchString(raw) {
		return "", "", false
	}
	id, secret, ok = strings.Cut(raw, ".")
	return id, secret, ok
}

// byKey is who shows an API key (VR-P9).
func (s *Service) byKey(ctx context.Context, raw string) (caller, error) {
	id, secret, ok := splitCredential(raw, "key_")
	if !ok {
		return caller{}, errCredential
	}
	k, found, err := s.store.apiKey(ctx, id)
	if err == nil && (!found || !k.IsActive || !same(k.Hash, s.hashSecret(secret))) {
		err = errCredential
	}
	if err != nil {
		return caller{}, err
	}
	return caller{user: string(k.ClientID), role: RoleClient, client: k.ClientID, keyID: id}, nil
}

// bySession is who shows a session (VR-P9). Its end is seen by the clock, for the item outlives it; and it is good only
// as long as the key that made it.
func (s *Service) bySession(ctx context.Context, raw string) (caller, error) {
	id, secret, ok := splitCredential(raw, "ses_")
	if !ok {
		return caller{}, errCredential
	}
	n, found, err := s.store.session(ctx, id)
	if err != nil {
		return caller{}, err
	}
	if !found || !n.Active || !s.cfg.Now().Before(n.Ends.time()) || !same(n.Hash, s.hashSecret(secret)) {
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

// createKey makes a key. The raw key is returned this once and kept nowhere: with the Idempotency-Key of an earlier
// request the answer is the record of the key that this one made, by which it can be revoked (VR-R11).
func (s *Service) createKey(ctx context.Context, in keyRequest, key string) (k newKey, again bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.create"}, func(e *AuditEntry) error {
		k, again, err = once(ctx, s, e, "create-api-key", key, in,
			func(mark idempotency.Mark) (newKey, error) { return s.makeKey(ctx, e, in, mark) },
			func(made string) (newKey, error) {
				e.Reference = made
				record, found, err := s.store.apiKey(ctx, made)
				if err == nil && !found {
					err = errNoKey
				}
				return newKey{APIKey: record.APIKey}, err
			})
		return err
	})
	return k, again, err
}

func (s *Service) makeKey(ctx context.Context, e *AuditEntry, in keyRequest, mark idempotency.Mark) (newKey, error) {
	id, secret, err := newSecret("key_")
	if err != nil {
		return newKey{}, err
	}
	e.Reference = id
	k := newKey{APIKey{KeyID: id, ClientID: in.ClientID, Description: in.Description, CreatedAt: s.now(), IsActive: true}, id + "." + secret}
	if k.ClientID == "" {
		k.ClientID = ClientID("client_" + strings.ReplaceAll(id[len("key_"):], "-", ""))
	}
	return k, s.store.createKey(ctx, e, keyRecord{k.APIKey, s.hashSecret(secret)}, mark)
}

func (s *Service) revokeKey(ctx context.Context, id string) (k APIKey, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.revoke", Reference: id}, func(e *AuditEntry) error {
		err := s.insist(ctx, func() error {
			found, err := s.store.turnOff(ctx, e, keyKey(id))
			if err == nil && !found {
				err = errNoKey
			}
			return err
		})
		if err != nil {
			return err
		}
		record, _, err := s.store.apiKey(ctx, id) // by itself: what is revoked, with its audit entry, is not written again
		k = record.APIKey
		return err
	})
	return k, err
}

func (s *Service) listKeys(ctx context.Context, q pageQuery) (keys []APIKey, next string, err error) {
	err = s.audited(ctx, AuditEntry{Action: "key.list"}, func(*AuditEntry) error {
		after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
			"PK": matcher("^" + prefixAPIKey + patternKey[1:]), "SK": web.Is(meta), "GSI1PK": web.Is(partitionKeys),
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

// createSession opens a session for the key that the caller shows. Its token is returned this once: with the
// Idempotency-Key of an earlier request of that key the answer is the session that this one opened, without it
// (VR-R11).
func (s *Service) createSession(ctx context.Context, key string) (n newSession, again bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "session.create"}, func(e *AuditEntry) error {
		n, again, err = once(ctx, s, e, "create-session "+callerOf(ctx).keyID, key, nil,
			func(mark idempotency.Mark) (newSession, error) { return s.openSession(ctx, e, mark) },
			func(made string) (newSession, error) {
				e.Reference = made
				there, found, err := s.store.session(ctx, made)
				if err == nil && (!found || !there.Active || !s.cfg.Now().Before(there.Ends.time())) {
					err = errSessionOver
				}
				return newSession{SessionID: made, ExpiresAt: there.Ends}, err
			})
		return err
	})
	return n, again, err
}

func (s *Service) openSession(ctx context.Context, e *AuditEntry, mark idempotency.Mark) (newSession, error) {
	id, secret, err := newSecret("ses_")
	if err != nil {
		return newSession{}, err
	}
	who, now := callerOf(ctx), s.cfg.Now().UTC().Truncate(time.Second)
	kept := session{
		ID: id, KeyID: who.keyID, Hash: s.hashSecret(secret), Client: who.client,
		Created: timestamp(now), Ends: timestamp(now.Add(s.cfg.SessionLife)), Active: true,
	}
	e.Reference = id
	return newSession{SessionID: id, Token: id + "." + secret, ExpiresAt: kept.Ends}, s.store.createSession(ctx, e, kept, mark)
}

// endSession ends the session that the caller shows.
func (s *Service) endSession(ctx context.Context) error {
	id := callerOf(ctx).sessionID
	if id == "" {
		return web.Bad("header.Authorization", "show the session that is to end: Authorization: Session <token>")
	}
	return s.audited(ctx, AuditEntry{Action: "session.end", Reference: id}, func(e *AuditEntry) error {
		return s.insist(ctx, func() error {
			found, err := s.store.turnOff(ctx, e, sessionKey(id))
			if err == nil && !found {
				err = errCredential // removed by its ttl since it was shown
			}
			return err
		})
	})
}
