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

// Kinds of credentials that several systems share.
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

// BadTokens returns the kinds of bearer tokens that must never be accepted.
func BadTokens() []Kind {
	var all []Kind
	for _, name := range []string{tampered, unsigned, forged, expired, otherAudience, otherIssuer} {
		all = append(all, Kind{Name: name, Scheme: auth.Scheme, Status: http.StatusUnauthorized})
	}
	return all
}

// Operators returns the kinds for operations that only the operator may call.
func Operators(scheme string) []Kind {
	return []Kind{{Name: WrongOperator, Scheme: scheme, Status: http.StatusUnauthorized}, {Name: Operator, Scheme: scheme}}
}

// Users returns the kinds for a system that users call with tokens, and that the operator calls with a token of the
// scheme operator.
func Users(operator string) []Kind {
	users := []Kind{{Name: User, Scheme: auth.Scheme}, {Name: otherUser, Scheme: auth.Scheme, Of: User}}
	return slices.Concat([]Kind{{Name: None}}, BadTokens(), users, Operators(operator))
}

// OperatorCredentials returns the operator's token, and a wrong one.
func OperatorCredentials(token string) map[string]httpapi.Credential {
	return map[string]httpapi.Credential{
		None: httpapi.Anonymous, Operator: httpapi.Bearer(token), WrongOperator: httpapi.Bearer(token + "!"),
	}
}

// badTokens returns bad tokens that claim to be about a subject. The forged one is signed with the key of an issuer of
// the same name.
func badTokens(issuer *auth.Issuer, now func() time.Time, subject string,
	roles ...string) (map[string]httpapi.Credential, error) {
	otherKey, err := auth.NewIssuer(now)
	if err != nil {
		return nil, err
	}
	otherKey.URL = issuer.URL
	otherAudienceIssuer, otherURLIssuer := *issuer, *issuer
	otherAudienceIssuer.Audience, otherURLIssuer.URL = "another API", "https://login.example.com"
	good, err1 := issuer.Token(subject, time.Hour, roles...)
	expiredToken, err2 := issuer.Token(subject, -time.Minute, roles...)
	forgedToken, err3 := otherKey.Token(subject, time.Hour, roles...)
	otherAudienceToken, err4 := otherAudienceIssuer.Token(subject, time.Hour, roles...)
	otherIssuerToken, err5 := otherURLIssuer.Token(subject, time.Hour, roles...)
	otherSubject, err6 := issuer.Token("nobody", time.Hour)
	changed, err7 := withPayload(otherSubject, good)
	if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil {
		return nil, err
	}
	part := strings.Split(good, ".")
	unsignedToken := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + part[1] + "."
	return map[string]httpapi.Credential{
		tampered: httpapi.Bearer(changed), unsigned: httpapi.Bearer(unsignedToken), forged: httpapi.Bearer(forgedToken),
		expired:       httpapi.Bearer(expiredToken),
		otherAudience: httpapi.Bearer(otherAudienceToken), otherIssuer: httpapi.Bearer(otherIssuerToken),
	}, nil
}

// withPayload returns token with the payload of other, so that its signature does not match.
func withPayload(token, other string) (string, error) {
	mine, its := strings.Split(token, "."), strings.Split(other, ".")
	payload, err := base64.RawURLEncoding.DecodeString(its[1])
	if err == nil && !json.Valid(payload) {
		err = errors.New("the payload of a token is not JSON")
	}
	return mine[0] + "." + its[1] + "." + mine[2], err
}
