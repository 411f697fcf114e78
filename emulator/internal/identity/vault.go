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

// vaultSize is the size in bytes of the secret that all others come from.
const vaultSize = 32

// vault makes secrets and seals sessions, by one secret in the store. It is the one thing that is not of the emulator's
// seed: what can be foretold can be forged.
type vault struct {
	secret []byte
	seal   cipher.AEAD
}

func newVault(secret []byte) (*vault, error) {
	block, err := aes.NewCipher(derive(secret, "sessions"))
	if err != nil {
		return nil, err
	}
	seal, err := cipher.NewGCM(block)
	return &vault{secret: secret, seal: seal}, err
}

// passing is a vault that is forgotten: where there are no identities any session passes, and none that was given out
// then is to be good once there are some.
func passing() (*vault, error) { return newVault(randomBytes(vaultSize)) }

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // which never fails
	return b
}

// newKeyID makes the id of an access key of 20 letters and digits.
func newKeyID(prefix string) string {
	return prefix + base32.StdEncoding.EncodeToString(randomBytes(10))
}

func derive(secret []byte, purpose string) []byte {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(purpose))
	return m.Sum(nil)
}

// secretOf is the secret of an access key that the emulator made: 40 characters, kept nowhere.
func (v *vault) secretOf(accessKey string) string {
	return base64.StdEncoding.EncodeToString(derive(v.secret, "key "+accessKey))[:40]
}

// session is what a token says. Only the emulator can read or write it.
type session struct {
	Account string `json:"a"`
	User    string `json:"u,omitempty"` // whose session it is: the user's ARN
	Role    string `json:"r,omitempty"` // or the role's
	Name    string `json:"n,omitempty"` // of the role's session
	Policy  string `json:"p,omitempty"` // of the session
	Issued  int64  `json:"i"`           // seconds since 1970
	Expires int64  `json:"e"`
	Chained bool   `json:"c,omitempty"` // assumed by a session
}

// token seals a session; it belongs to its access key.
func (v *vault) token(accessKey string, s session) (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	nonce := randomBytes(v.seal.NonceSize())
	return base64.StdEncoding.EncodeToString(v.seal.Seal(nonce, nonce, text, []byte(accessKey))), nil
}

// open reads a token of an access key; false is one that this emulator did not make.
func (v *vault) open(accessKey, token string) (s session, ok bool) {
	sealed, err := base64.StdEncoding.DecodeString(token)
	if n := v.seal.NonceSize(); err == nil && len(sealed) > n {
		text, err := v.seal.Open(nil, sealed[:n], sealed[n:], []byte(accessKey))
		return s, err == nil && json.Unmarshal(text, &s) == nil
	}
	return s, false
}
