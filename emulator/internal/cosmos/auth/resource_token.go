package auth

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// A resource token gives access to a client without a master key:
//
//	type=resource&ver=1.0&sig=<signature by the account's key>;<what the token allows, base64>;
//
// The service's tokens look the same. Their content is opaque to clients, and differs from the emulator's.

// The lifetime of a token in seconds ("Azure Cosmos DB service quotas", "Create a permission"): an hour by default, at
// most a day. The minimum is the lowest value in the SDKs' documentation.
const (
	tokenLifetime    = 3600
	minTokenLifetime = 10
	maxTokenLifetime = 24 * 3600
)

// ParseTokenLifetime returns the lifetime of a token in seconds, from the header of a request; empty: an hour.
func ParseTokenLifetime(seconds string) (int64, *wire.Error) {
	if seconds == "" {
		return tokenLifetime, nil
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n < minTokenLifetime || n > maxTokenLifetime {
		return 0, wire.InvalidInput("The value %s of x-ms-documentdb-expiry-seconds is invalid: it must be from %d to %d.",
			seconds, minTokenLifetime, maxTokenLifetime)
	}
	return n, nil
}

// WithToken returns a permission with a new token, valid for a lifetime in seconds.
func WithToken(a *operation.Account, v doc.Value, lifetime int64) (doc.Value, *wire.Error) {
	g, err := permissionGrant(a, v)
	if err != nil {
		return v, err
	}
	g.expires = a.Now().Unix() + lifetime
	g.permission, g.name = v.Field("_rid").Str(), v.Field("id").Str()
	return v.With("_token", doc.String(g.token(a.Keys[0]))), nil
}

// token returns the grant as a resource token.
func (g *grant) token(key []byte) string {
	payload := base64.StdEncoding.EncodeToString(doc.Append(nil, doc.Object(
		doc.Member{Name: "container", Value: doc.String(g.container)},
		doc.Member{Name: "kind", Value: doc.String(string(g.kind))},
		doc.Member{Name: "id", Value: doc.String(g.id)},
		doc.Member{Name: "key", Value: doc.String(g.key)},
		doc.Member{Name: "byRID", Value: doc.Bool(g.byRID)},
		doc.Member{Name: "write", Value: doc.Bool(g.write)},
		doc.Member{Name: "expires", Value: doc.Number(float64(g.expires))},
		doc.Member{Name: "permission", Value: doc.String(g.permission)},
		doc.Member{Name: "name", Value: doc.String(g.name)},
	)))
	return "type=resource&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(signGrant(key, payload)) + ";" + payload + ";"
}

func signGrant(key []byte, payload string) []byte {
	return masterkey.Sign(key, "resource token\n"+payload)
}

// parseToken parses the part of a token after sig=. ok is false if none of the keys has signed it.
func parseToken(keys [][]byte, text string) (g *grant, ok bool) {
	signature, rest, _ := strings.Cut(text, ";")
	payload := strings.TrimSuffix(rest, ";")
	got, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return nil, false
	}
	for _, key := range keys {
		ok = ok || hmac.Equal(got, signGrant(key, payload))
	}
	raw, err := base64.StdEncoding.DecodeString(payload)
	if err != nil || !ok {
		return nil, false
	}
	v, err := doc.Parse(raw)
	if err != nil {
		return nil, false
	}
	return &grant{container: v.Field("container").Str(), kind: wire.Kind(v.Field("kind").Str()), id: v.Field("id").Str(),
		key:   v.Field("key").Str(),
		byRID: v.Field("byRID").IsTrue(), write: v.Field("write").IsTrue(), expires: int64(v.Field("expires").Float()),
		permission: v.Field("permission").Str(), name: v.Field("name").Str()}, true
}

// checkResourceToken checks a resource token: it must be one of this account's, it must not have expired by the
// emulator's clock, and both the token and its permission in its current state must allow the request.
func checkResourceToken(c *operation.Call, signature string) *wire.Error {
	g, ok := parseToken(c.Account.Keys, strings.ReplaceAll(signature, " ", "+"))
	if !ok {
		return badSignature("")
	}
	if now := c.Account.Now(); now.Unix() >= g.expires {
		return wire.TokenExpired(time.Unix(g.expires, 0), now)
	}
	if !g.allows(c) {
		return wire.InsufficientPermissions()
	}
	current, err := currentGrant(c, g)
	if err != nil {
		return err
	}
	if current == nil || !current.allows(c) {
		return wire.InsufficientPermissions()
	}
	c.Caller = "resource token of " + g.name
	c.ImmutableID = g.kind == wire.KindItem
	return nil
}

// currentGrant returns what a token's permission allows now, or nil if the permission or its user was deleted, or the
// permission has another id now.
func currentGrant(c *operation.Call, g *grant) (*grant, *wire.Error) {
	raw, ok := wire.DecodeRID(g.permission)
	if !ok || len(raw) != 16 {
		return nil, nil
	}
	database, user, number := binary.BigEndian.Uint32(raw), binary.BigEndian.Uint32(raw[4:]),
		binary.LittleEndian.Uint64(raw[8:])
	var permission *engine.ChildResource
	storeErr := c.Account.Store.Get(engine.PermissionKey(database, uint64(user), g.name),
		func(value []byte, found bool) (err error) {
			if found {
				permission, err = engine.ParseChildResource(value)
			}
			return err
		})
	if storeErr != nil || permission == nil || permission.Number != number {
		return nil, c.Account.Internal(storeErr)
	}
	return permissionGrant(c.Account, permission.Body)
}
