// Package auth identifies callers by bearer tokens (JWT, RFC 7519). Systems use a Verifier: in production the one that
// NewOIDC returns, for the tokens of any OpenID Connect issuer; in development the one that NewIssuer returns, which
// issues its own tokens and serves them under /auth.
//
// A valid token, following RFC 8725:
//
//   - is at most 8 KB;
//   - is signed with RS256, ES256 or EdDSA by the issuer's key that its header names (kid), a key for that algorithm;
//   - names this issuer (iss) and this audience (aud);
//   - has not expired and is not used before its nbf and iat, with 30 seconds of leeway, by the clock that is passed
//     in;
//   - has no critical headers (crit), because none is supported;
//   - has a subject of 1 to 255 letters, digits and "._:@|+=-" that does not start with a dot. Subjects are parts of
//     database keys and URL paths and must not contain their separators.
//
// Errors do not reveal what a token contains: the sender of an invalid token learns only that it is not valid.
//
// golang-jwt parses tokens and go-jose parses keys. Discovery and the cache of keys are implemented here, because the
// libraries for them lack properties that oidc_test.go and keys_test.go check:
//
//   - RemoteKeySet of github.com/coreos/go-oidc/v3 (3.16) asks the issuer again for every token whose key is unknown or
//     whose signature is wrong, and anyone can send those; this package asks at most once a minute. It never drops a
//     withdrawn key as long as other keys are found, nor a key that is a day old, and it uses the system clock only.
//     One key of an unknown type fails the whole set.
//   - NewProvider of the same module reads documents of any length, accepts keys over plain http, and repeats the
//     issuer's document in its error.
//   - github.com/MicahParks/jwkset (0.11) and keyfunc/v3 refresh by a ticker and limit unknown keys by the system
//     clock, whereas tests pass in a clock. They keep keys for as long as the issuer is unreachable, read documents of
//     any length, and fail the whole set for one key with parameters out of range.
package auth
