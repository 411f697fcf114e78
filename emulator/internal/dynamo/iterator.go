package dynamo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// iteratorLife is for how long a shard iterator can be used.
const iteratorLife = 15 * time.Minute

// iterator is a place in a shard.
type iterator struct {
	arn, shard string
	next       changelog.Position // to be read
	made       time.Time
}

// On the wire an iterator is, as the service's, the ARN, a version and what only the service can read, between bars: here the
// time, the position and the shard's id, behind a code that says that this emulator made it for that account and ARN.
const (
	iteratorVersion = "|1|"
	codeLength      = sha256.Size / 2
)

// encodeIterator writes an iterator for an account.
func (a *account) encodeIterator(i iterator) (string, error) {
	secret, err := a.service.secret()
	if err != nil {
		return "", err
	}
	body := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(i.made.UnixMilli()))
	body = binary.BigEndian.AppendUint64(body, uint64(i.next))
	body = append(body, i.shard...)
	return i.arn + iteratorVersion + base64.StdEncoding.EncodeToString(append(a.code(secret, i.arn, body), body...)), nil
}

// decodeIterator reads an iterator; one that was not made for the account is none.
func (a *account) decodeIterator(text string) (i iterator, err error) {
	arn, coded, ok := strings.Cut(text, iteratorVersion)
	token, err := base64.StdEncoding.Strict().DecodeString(coded)
	if !ok || err != nil || len(token) < codeLength+8+8 {
		return i, errIterator()
	}
	secret, err := a.service.secret()
	if err != nil {
		return i, err
	}
	code, body := token[:codeLength], token[codeLength:]
	if !hmac.Equal(code, a.code(secret, arn, body)) {
		return i, errIterator()
	}
	return iterator{
		arn: arn, shard: string(body[8+8:]), next: changelog.Position(binary.BigEndian.Uint64(body[8:])),
		made: time.UnixMilli(int64(binary.BigEndian.Uint64(body))),
	}, nil
}

// errIterator is what an iterator that the service did not make is told. (That it is a ValidationException is tested against
// AWS by scylladb/scylladb, test_streams.py; the text is not confirmed.)
func errIterator() *Error { return validationError("Invalid ShardIterator") }

// code is the proof that an iterator was made here.
func (a *account) code(secret []byte, arn string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(store.AppendEscaped(store.AppendEscaped(nil, []byte(a.name)), []byte(arn)))
	mac.Write(body)
	return mac.Sum(nil)[:codeLength]
}

// secretKey is where the secret lies that proves iterators. No stream's key begins like this.
var secretKey = []byte{spaceStreams, 0, 0}

// secret is the secret of this store, which is made when it is first needed: not of the seed, which anybody may know.
func (s *Service) secret() (secret []byte, err error) {
	get := func(value []byte, ok bool) error {
		if ok {
			secret = append(secret, value...)
		}
		return nil
	}
	if err := s.store.Get(secretKey, get); err != nil || secret != nil {
		return secret, err
	}
	err = s.store.Update(store.Latch(secretKey), func(tx *store.Tx) error {
		value, ok, err := tx.Get(secretKey)
		if err != nil {
			return err
		}
		if secret = append(secret, value...); ok {
			return nil
		}
		secret = make([]byte, sha256.Size)
		rand.Read(secret) // never fails: crypto/rand ends the process instead
		return tx.Set(secretKey, secret)
	})
	return secret, err
}
