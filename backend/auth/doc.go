// Package auth turns bearer tokens (JWT, RFC 7519) into who is calling. Systems ask a Verifier: in production NewOIDC, for
// the tokens of any OpenID Connect issuer; on the desk NewIssuer, which makes its own and serves them below /auth.
//
// What a token must be, after RFC 8725: at most 8 KB, signed with RS256, ES256 or EdDSA by a key of the issuer that its
// header names (kid) and that is for that algorithm; of this issuer, for this audience; not expired, nor used before its
// time, with 30 seconds of leeway by the clock that is passed in; without critical headers, of which none is known here;
// and about a subject of 1 to 255 letters, digits and "._:@|+=-", without a dot at the start. A subject is part of keys in
// the database and of paths, so that it must not hold the separators that these use.
//
// No error says anything of what a token held: whoever sends a bad one learns that it is not good.
package auth
