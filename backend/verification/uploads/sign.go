package uploads

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// Query parameters of a signed address.
const (
	queryExpires   = "expires" // epoch seconds
	querySize      = "size"
	queryType      = "type"
	querySHA256    = "sha256"
	querySignature = "signature"
)

// sign returns the HMAC-SHA256 of everything that an address permits. Each part is preceded by its length, so that no
// two addresses produce the same text.
func sign(secret []byte, f File, expires int64) string {
	mac := hmac.New(sha256.New, secret)
	for _, part := range []string{"PUT", f.Key, strconv.FormatInt(f.Size, 10), f.Type, f.SHA256,
		strconv.FormatInt(expires, 10)} {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

func query(secret []byte, f File, expires int64) url.Values {
	q := url.Values{
		queryExpires: {strconv.FormatInt(expires, 10)}, querySize: {strconv.FormatInt(f.Size, 10)}, queryType: {f.Type},
		querySignature: {sign(secret, f, expires)},
	}
	if f.SHA256 != "" {
		q.Set(querySHA256, f.SHA256)
	}
	return q
}

// verify returns the file that an address permits; false when the address is forged or has expired, which look the
// same.
func verify(secret []byte, key string, q url.Values, now time.Time) (File, bool) {
	expires, err := strconv.ParseInt(q.Get(queryExpires), 10, 64)
	size, sizeErr := strconv.ParseInt(q.Get(querySize), 10, 64)
	f := File{Key: key, Size: size, Type: q.Get(queryType), SHA256: q.Get(querySHA256)}
	validSignature := hmac.Equal([]byte(q.Get(querySignature)), []byte(sign(secret, f, expires)))
	return f, validSignature && err == nil && sizeErr == nil && now.Unix() < expires && keyPattern.MatchString(key)
}
