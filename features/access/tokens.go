package access

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

// The kinds that several systems have.
const (
	None          = "no credential"
	WrongOperator = "a wrong operator's token"
	Operator      = "the operator's token"
	User          = "the user's token"
	otherUser     = "another user's token"
	tampered      = "a token that was changed"
	unsigned      = "an unsigned token"
	forged        = "a token of another key"
	expired       = "an expired token"
	otherAudience = "a token for another audience"
	otherIssuer   = "a token of another issuer"
)

// BadTokens are kinds of bearer tokens that nothing takes.
func BadTokens() []Kind {
	var all []Kind
	for _, name := range []string{tampered, unsigned, forged, expired, otherAudience, otherIssuer} {
		all = append(all, Kind{Name: name, Scheme: auth.Scheme, Status: http.StatusUnauthorized})
	}
	return all
}

// Operators are the kinds for what only the operator may do.
func Operators(scheme string) []Kind {
	return []Kind{{Name: WrongOperator, Scheme: scheme, Status: http.StatusUnauthorized}, {Name: Operator, Scheme: scheme}}
}

// Users are the kinds of a system that people call with tokens, and the operator with one of the scheme operator.
func Users(operator string) []Kind {
	users := []Kind{{Name: User, Scheme: auth.Scheme}, {Name: otherUser, Scheme: auth.Scheme, Of: User}}
	return slices.Concat([]Kind{{Name: None}}, BadTokens(), users, Operators(operator))
}

// ShowOperator shows the operator's token, and a wrong one.
func ShowOperator(token string) map[string]httpapi.Credential {
	return map[string]httpapi.Credential{
		None: httpapi.Nobody, Operator: httpapi.Bearer(token), WrongOperator: httpapi.Bearer(token + "!"),
	}
}

// badTokens are bad tokens that claim to be about somebody. The other key is that of an issuer with the same name.
func badTokens(issuer *auth.Issuer, now func() time.Time, subject string, roles ...string) (map[string]httpapi.Credential, error) {
	stranger, err := auth.NewIssuer(now)
	if err != nil {
		return nil, err
	}
	stranger.URL = issuer.URL
	elsewhere, another := *issuer, *issuer
	elsewhere.Audience, another.URL = "another API", "https://login.example.com"
	good, err1 := issuer.Token(subject, time.Hour, roles...)
	old, err2 := issuer.Token(subject, -time.Minute, roles...)
	false1, err3 := stranger.Token(subject, time.Hour, roles...)
	for1, err4 := elsewhere.Token(subject, time.Hour, roles...)
	of, err5 := another.Token(subject, time.Hour, roles...)
	nobodys, err6 := issuer.Token("nobody", time.Hour)
	changed, err7 := withPayload(nobodys, good)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		return nil, err
	}
	part := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + part[1] + "."
	return map[string]httpapi.Credential{
		tampered: httpapi.Bearer(changed), unsigned: httpapi.Bearer(none), forged: httpapi.Bearer(false1), expired: httpapi.Bearer(old),
		otherAudience: httpapi.Bearer(for1), otherIssuer: httpapi.Bearer(of),
	}, nil
}

// withPayload is one token with what another one says: its signature is of something else.
func withPayload(token, other string) (string, error) {
	mine, its := strings.Split(token, "."), strings.Split(other, ".")
	payload, err := base64.RawURLEncoding.DecodeString(its[1])
	if err == nil && !json.Valid(payload) {
		err = errors.New("the payload of a token is not JSON")
	}
	return mine[0] + "." + its[1] + "." + mine[2], err
}
