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

// iteratorLifetime is how long a shard iterator is valid.
const iteratorLifetime = 15 * time.Minute

// iterator is a position in a shard.
type iterator struct {
	ARN, Shard string
	Next       changelog.Position // to be read next
	Issued     time.Time
}

// The text of an iterator is, like the service's, the ARN, a version and an opaque part, separated by bars. The opaque
// part is here a MAC, which proves that this emulator issued the iterator for that account and ARN, then the time, the
// position and the shard id.
const (
	iteratorVersion = "|1|"
	macLength       = sha256.Size / 2
)

// encodeIterator returns the text of an iterator for an account.
func encodeIterator(a *engine.Account, i iterator) (string, error) {
	secret, err := iteratorSecret(a.Engine)
	if err != nil {
		return "", err
	}
	body := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(i.Issued.UnixMilli()))
	body = binary.BigEndian.AppendUint64(body, uint64(i.Next))
	body = append(body, i.Shard...)
	return i.ARN + iteratorVersion + base64.StdEncoding.EncodeToString(append(iteratorMAC(a, secret, i.ARN, body),
		body...)), nil
}

// decodeIterator parses the text of an iterator. It returns an error for an iterator that was not issued to the
// account.
func decodeIterator(a *engine.Account, text string) (i iterator, err error) {
	arn, coded, ok := strings.Cut(text, iteratorVersion)
	token, err := base64.StdEncoding.Strict().DecodeString(coded)
	if !ok || err != nil || len(token) < macLength+8+8 {
		return i, errIterator()
	}
	secret, err := iteratorSecret(a.Engine)
	if err != nil {
		return i, err
	}
	mac, body := token[:macLength], token[macLength:]
	if !hmac.Equal(mac, iteratorMAC(a, secret, arn, body)) {
		return i, errIterator()
	}
	return iterator{
		ARN: arn, Shard: string(body[8+8:]), Next: changelog.Position(binary.BigEndian.Uint64(body[8:])),
		Issued: time.UnixMilli(int64(binary.BigEndian.Uint64(body))),
	}, nil
}

// errIterator returns the error for an iterator that the service did not issue. (scylladb/scylladb, test_streams.py,
// has tested on AWS that it is a ValidationException; the message is not confirmed.)
func errIterator() *wire.Error { return wire.ValidationError("Invalid ShardIterator") }

// iteratorMAC returns the MAC of an iterator.
func iteratorMAC(a *engine.Account, secret []byte, arn string, body []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(store.AppendEscaped(store.AppendEscaped(nil, []byte(a.Name)), []byte(arn)))
	mac.Write(body)
	return mac.Sum(nil)[:macLength]
}

// secretKey is the store key of the secret for the MACs of iterators. No stream's key begins like this.
var secretKey = []byte{engine.SpaceStreams, 0, 0}

// iteratorSecret returns the store's secret, creating it on first use. It does not derive from the seed, which anybody
// may know.
func iteratorSecret(e *engine.Engine) (secret []byte, err error) {
	get := func(value []byte, ok bool) error {
		if ok {
			secret = append(secret, value...)
		}
		return nil
	}
	if err := e.Store.Get(secretKey, get); err != nil || secret != nil {
		return secret, err
	}
	err = e.Store.Update(store.Latch(secretKey), func(tx *store.Tx) error {
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
