// Package auth turns bearer tokens (JWT, RFC 7519) into who is calling. Systems ask a Verifier: in production NewOIDC,
// for the tokens of any OpenID Connect issuer; on the desk NewIssuer, which makes its own and serves them below /auth.
//
// What a token must be, after RFC 8725: at most 8 KB, signed with RS256, ES256 or EdDSA by a key of the issuer that its
// header names (kid) and that is for that algorithm; of this issuer, for this audience; not expired, nor used before
// its time, with 30 seconds of leeway by the clock that is passed in; without critical headers, of which none is known
// here; and about a subject of 1 to 255 letters, digits and "._:@|+=-", without a dot at the start. A subject is part
// of keys in the database and of paths, so that it must not hold the separators that these use.
//
// No error says anything of what a token held: whoever sends a bad one learns that it is not good.
//
// Tokens are read by golang-jwt and keys by go-jose. Discovery and the cache of keys are this package's, because the
// libraries for them lose something that oidc_test.go and keys_test.go hold:
//
//   - RemoteKeySet of github.com/coreos/go-oidc/v3 (3.16) asks the issuer again for each token whose key is unknown or whose signature
//     is wrong, which anybody can send; here that is once a minute. It never drops a key that the issuer has withdrawn while others are
//     found, nor one that is a day old, and it has no clock but the machine's. One key of an unknown type fails the whole set.
//   - NewProvider of the same reads documents of any length, takes keys from plain http, and repeats the issuer's document in its error.
//   - github.com/MicahParks/jwkset (0.11) and keyfunc/v3 renew by the machine's ticker and limit unknown keys by the machine's clock,
//     while those of the tests are passed in; they keep keys for as long as the issuer is away, read documents of any length, and
//     fail the whole set for one key with parts out of range.
package auth
