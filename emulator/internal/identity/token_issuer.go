package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
)

// secretSize is the size in bytes of the token issuer's secret.
const secretSize = 32

// tokenIssuer derives secrets and seals session tokens with one secret in the store. The secret does not come from the
// emulator's seed: what can be predicted can be forged.
type tokenIssuer struct {
	secret []byte
	aead   cipher.AEAD
}

func newTokenIssuer(secret []byte) (*tokenIssuer, error) {
	block, err := aes.NewCipher(derive(secret, "sessions"))
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCM(block)
	return &tokenIssuer{secret: secret, aead: seal}, err
}

// ephemeralIssuer returns a token issuer that is not stored. Without identities any session is accepted, and tokens
// issued then must
// not be valid once there are identities.
func ephemeralIssuer() (*tokenIssuer, error) { return newTokenIssuer(randomBytes(secretSize)) }

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// newKeyID returns a new access key id of 20 letters and digits.
func newKeyID(prefix string) string {
	return prefix + base32.StdEncoding.EncodeToString(randomBytes(10))
}

func derive(secret []byte, purpose string) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(purpose))
	return m.Sum(nil)
}

// secretOf returns the secret of an access key that the emulator created: 40 characters, derived and not stored.
func (v *tokenIssuer) secretOf(accessKey string) string {
	return base64.StdEncoding.EncodeToString(derive(v.secret, "key "+accessKey))[:40]
}

// session is the content of a session token, which only the emulator can read or write.
type session struct {
	Account string `json:"a"`
	User    string `json:"u,omitempty"` // whose session it is: the user's ARN
	Role    string `json:"r,omitempty"` // or the role's
	Name    string `json:"n,omitempty"` // of the role's session
	Policy  string `json:"p,omitempty"` // of the session
	Issued  int64  `json:"i"`           // seconds since 1970
	Expires int64  `json:"e"`
	Chained bool   `json:"c,omitempty"` // assumed by a session

	Tags       map[string]string `json:"t,omitempty"`
	Transitive []string          `json:"v,omitempty"` // keys of tags
	Source     string            `json:"s,omitempty"` // identity
}

// token seals a session, bound to its access key.
func (v *tokenIssuer) token(accessKey string, s session) (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	nonce := randomBytes(v.aead.NonceSize())
	return base64.StdEncoding.EncodeToString(v.aead.Seal(nonce, nonce, text, []byte(accessKey))), nil
}

// open decodes a token of an access key. ok is false if this emulator did not issue it.
func (v *tokenIssuer) open(accessKey, token string) (s session, ok bool) {
	sealed, err := base64.StdEncoding.DecodeString(token)
	if n := v.aead.NonceSize(); err == nil && len(sealed) > n {
		text, err := v.aead.Open(nil, sealed[:n], sealed[n:], []byte(accessKey))
		return s, err == nil && json.Unmarshal(text, &s) == nil
	}
	return s, false
}
