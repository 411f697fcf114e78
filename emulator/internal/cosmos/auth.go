package cosmos

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// WellKnownKey is the master key of every emulator of Cosmos DB, which Microsoft publishes and tools know.
const WellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// maxSkew is how far a request's date may be from the machine's time ("Access control in the Azure Cosmos DB REST API":
// a token is valid for 15 minutes).
const maxSkew = 15 * time.Minute

// ParseKey reads a master key: base64.
func ParseKey(text string) ([]byte, error) { return base64.StdEncoding.DecodeString(text) }

// authorization is the header, taken apart: type=master&ver=1.0&sig=…
type authorization struct{ kind, version, signature string }

// parseAuthorization takes the header apart. It is escaped as a part of a query; some clients leave it as it is, and in some
// a + became a space on the way.
func parseAuthorization(header string) (authorization, bool) {
	text, err := url.QueryUnescape(header)
	if err != nil || !strings.Contains(text, "sig=") {
		text = header
	}
	var a authorization
	for part := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "type":
			a.kind = strings.ToLower(value)
		case "ver":
			a.version = value
		case "sig":
			a.signature = value
		}
	}
	if a.kind == "master" {
		a.signature = strings.ReplaceAll(a.signature, " ", "+")
	}
	return a, a.kind != "" && a.signature != ""
}

// authenticate checks who asks.
func (c *call) authenticate() *Error {
	header := c.header("Authorization")
	if header == "" {
		return unauthorized("Required Header authorization is missing. Ensure a valid Authorization token is passed.")
	}
	a, ok := parseAuthorization(header)
	if !ok {
		return unauthorized("The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used.")
	}
	switch a.kind {
	case "master":
		return c.checkMaster(a.signature)
	case "resource":
		return c.checkToken(a.signature)
	case "aad":
		return c.checkIdentity(a.signature)
	}
	return unauthorized("The authorization token has an invalid type %q.", a.kind)
}

// checkMaster checks the signature by one of the account's keys, and the date that it covers.
func (c *call) checkMaster(signature string) *Error {
	date := c.header("X-Ms-Date")
	plain := ""
	if date == "" {
		date = c.header("Date")
		plain = date
		date = ""
	}
	if err := c.checkDate(date + plain); err != nil {
		return err
	}
	var sum [sha256.Size + 1]byte // one more than a signature has, for its padding
	got, err := base64.StdEncoding.AppendDecode(sum[:0], []byte(signature))
	if err != nil {
		return badSignature("")
	}
	var room [256]byte
	payload := room[:0]
	for _, link := range c.signedLinks() {
		payload = append(appendLower(payload[:0], c.method), '\n')
		payload = append(append(payload, c.signedKind()...), '\n')
		payload = append(append(payload, link...), '\n')
		payload = append(appendLower(payload, date), '\n')
		payload = append(appendLower(payload, plain), '\n')
		for _, s := range c.account.signers {
			if s.matches(payload, got) {
				return nil
			}
		}
	}
	return badSignature(string(payload))
}

// appendLower appends a text of ASCII in lower case.
func appendLower(dst []byte, text string) []byte {
	for _, b := range []byte(text) {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst
}

func badSignature(payload string) *Error {
	return unauthorized("The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol. For more info: https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to sign: '%s'", strings.ReplaceAll(payload, "\n", "\\n"))
}

// signedKind is the kind of resource that a signature names.
func (c *call) signedKind() kind {
	if c.route.kind == kindDeletion {
		return kindContainer
	}
	return c.route.kind
}

// signedLinks are the links that a signature may be over: as the path has it; in lower case where it is by resource ids; and,
// of an offer, its resource id alone.
func (c *call) signedLinks() []string {
	link, whole := c.routed()
	if !whole {
		return nil
	}
	switch c.route.kind {
	case kindOffer:
		return []string{strings.ToLower(c.route.last())}
	case kindDeletion:
		link = strings.TrimSuffix(link, "/operations/"+c.route.last())
	}
	links := []string{link}
	if _, byRID := decodeRID(c.route.id(0)); byRID {
		links = append(links, strings.ToLower(lastID(c.route)))
	}
	return links
}

// lastID is the last resource id of a link: all that a signature by resource ids names.
func lastID(r route) string { return r.last() }

// checkDate holds a request to the time at which it was signed. That is the client's, so it is held against the machine's
// clock, whatever the emulator's shows.
func (c *call) checkDate(text string) *Error {
	if text == "" {
		return unauthorized("Required Header x-ms-date or date is missing. Ensure a valid date is passed.")
	}
	at, err := parseDate(text)
	if err != nil {
		return unauthorized("The date %q is invalid: it must be in RFC 1123 form.", text)
	}
	now := c.began
	if skew := now.Sub(at); skew > maxSkew || skew < -maxSkew {
		return forbidden("The authorization token is not valid at the current time. Please create another token and retry. token start time: %s, token expiry time: %s, current server time: %s.",
			at.UTC().Format(http.TimeFormat), at.Add(maxSkew).UTC().Format(http.TimeFormat), now.UTC().Format(http.TimeFormat))
	}
	return nil
}

// parseDate reads a date of HTTP; the SDK for Go writes UTC where HTTP has GMT, and some clients send it in lower case, as they
// sign it.
func parseDate(text string) (time.Time, error) {
	if at, err := http.ParseTime(text); err == nil {
		return at, nil
	}
	return time.Parse(time.RFC1123, strings.ToUpper(text))
}
