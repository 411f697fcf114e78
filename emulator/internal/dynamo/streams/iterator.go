package streams

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// iteratorLife is for how long a shard iterator can be used.
const iteratorLife = 15 * time.Minute

// Iterator is a place in a shard.
type Iterator struct {
	ARN, Shard string
	Next       changelog.Position // to be read
	Made       time.Time
}

// On the wire an iterator is, as the service's, the ARN, a version and what only the service can read, between bars:
// here the time, the position and the shard's id, behind a code that says that this emulator made it for that account
// and ARN.
const (
	IteratorVersion = "|1|"
	codeLength      = sha256.Size / 2
)

// EncodeIterator writes an iterator for an account.
func EncodeIterator(a *engine.Account, i Iterator) (string, error) {
	secret, err := iteratorSecret(a.Engine)
	if err != nil {
		return "", err
	}
	body := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(i.Made.UnixMilli()))
	body = binary.BigEndian.AppendUint64(body, uint64(i.Next))
	body = append(body, i.Shard...)
	return i.ARN + IteratorVersion + base64.StdEncoding.EncodeToString(append(iteratorCode(a, secret, i.ARN, body), body...)), nil
}

// DecodeIterator reads an iterator; one that was not made for the account is none.
func DecodeIterator(a *engine.Account, text string) (i Iterator, err error) {
	arn, coded, ok := strings.Cut(text, IteratorVersion)
	token, err := base64.StdEncoding.Strict().DecodeString(coded)
	if !ok || err != nil || len(token) < codeLength+8+8 {
		return i, errIterator()
	}
	secret, err := iteratorSecret(a.Engine)
	if err != nil {
		return i, err
	}
	code, body := token[:codeLength], token[codeLength:]
	if !hmac.Equal(code, iteratorCode(a, secret, arn, body)) {
		return i, errIterator()
	}
	return Iterator{
		ARN: arn, Shard: string(body[8+8:]), Next: changelog.Position(binary.BigEndian.Uint64(body[8:])),
		Made: time.UnixMilli(int64(binary.BigEndian.Uint64(body))),
	}, nil
}

// errIterator is what an iterator that the service did not make is told. (That it is a ValidationException is tested
// against AWS by scylladb/scylladb, test_streams.py; the text is not confirmed.)
func errIterator() *wire.Error { return wire.ValidationError("Invalid ShardIterator") }

// iteratorCode is the proof that an iterator was made here.
func iteratorCode(a *engine.Account, secret []byte, arn string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(store.AppendEscaped(store.AppendEscaped(nil, []byte(a.Name)), []byte(arn)))
	mac.Write(body)
	return mac.Sum(nil)[:codeLength]
}

// secretKey is where the secret lies that proves iterators. No stream's key begins like this.
var secretKey = []byte{engine.SpaceStreams, 0, 0}

// iteratorSecret is the secret of this store, which is made when it is first needed: not of the seed, which anybody may
// know.
func iteratorSecret(s *engine.Engine) (secret []byte, err error) {
	get := func(value []byte, ok bool) error {
		if ok {
			secret = append(secret, value...)
		}
		return nil
	}
	if err := s.Store.Get(secretKey, get); err != nil || secret != nil {
		return secret, err
	}
	err = s.Store.Update(store.Latch(secretKey), func(tx *store.Tx) error {
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
