package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// maxSkew is how far a request's date may be from the machine's time ("Access control in the Azure Cosmos DB REST API":
// a token is valid for 15 minutes).
const maxSkew = 15 * time.Minute

// authorization is the header, taken apart: type=master&ver=1.0&sig=…
type authorization struct{ kind, version, signature string }

// parseAuthorization takes the header apart. It is escaped as a part of a query; some clients leave it as it is, and in
// some a + became a space on the way.
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

// Authenticate checks who asks.
func Authenticate(c *operation.Call) *wire.Error {
	header := c.Header("Authorization")
	if header == "" {
		return wire.Unauthorized("Required Header authorization is missing. Ensure a valid Authorization token is passed.")
	}
	a, ok := parseAuthorization(header)
	if !ok {
		return wire.Unauthorized("The input authorization token can't serve the request. Please check that the expected payload is built as per the protocol, and check the key being used.")
	}
	switch a.kind {
	case "master":
		return checkMaster(c, a.signature)
	case "resource":
		return checkToken(c, a.signature)
	case "aad":
		return checkIdentity(c, a.signature)
	}
	return wire.Unauthorized("The authorization token has an invalid type %q.", a.kind)
}

// checkMaster checks the signature by one of the account's keys, and the date that it covers.
func checkMaster(c *operation.Call, signature string) *wire.Error {
	date := c.Header("X-Ms-Date")
	plain := ""
	if date == "" {
		date = c.Header("Date")
		plain = date
		date = ""
	}
	if err := checkDate(c, date+plain); err != nil {
		return err
	}
	var sum [sha256.Size + 1]byte // one more than a signature has, for its padding
	got, err := base64.StdEncoding.AppendDecode(sum[:0], []byte(signature))
	if err != nil {
		return badSignature("")
	}
	var room [256]byte
	payload := room[:0]
	for _, link := range SignedLinks(c) {
		payload = append(appendLower(payload[:0], c.Method), '\n')
		payload = append(append(payload, SignedKind(c)...), '\n')
		payload = append(append(payload, link...), '\n')
		payload = append(appendLower(payload, date), '\n')
		payload = append(appendLower(payload, plain), '\n')
		for _, s := range c.Account.Signers {
			if s.Matches(payload, got) {
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

func badSignature(payload string) *wire.Error {
	return wire.Unauthorized("The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol. For more info: https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to sign: '%s'", strings.ReplaceAll(payload, "\n", "\\n"))
}

// SignedKind is the kind of resource that a signature names.
func SignedKind(c *operation.Call) wire.Kind {
	if c.Route.Kind == wire.KindDeletion {
		return wire.KindContainer
	}
	return c.Route.Kind
}

// SignedLinks are the links that a signature may be over: as the path has it; in lower case where it is by resource
// ids; and, of an offer, its resource id alone.
func SignedLinks(c *operation.Call) []string {
	link, whole := routed(c)
	if !whole {
		return nil
	}
	switch c.Route.Kind {
	case wire.KindOffer:
		return []string{strings.ToLower(c.Route.Last())}
	case wire.KindDeletion:
		link = strings.TrimSuffix(link, "/operations/"+c.Route.Last())
	}
	links := []string{link}
	if _, byRID := wire.DecodeRID(c.Route.ID(0)); byRID {
		links = append(links, strings.ToLower(lastID(c.Route)))
	}
	return links
}

// lastID is the last resource id of a link: all that a signature by resource ids names.
func lastID(r wire.Route) string { return r.Last() }

// checkDate holds a request to the time at which it was signed. That is the client's, so it is held against the
// machine's clock, whatever the emulator's shows.
func checkDate(c *operation.Call, text string) *wire.Error {
	if text == "" {
		return wire.Unauthorized("Required Header x-ms-date or date is missing. Ensure a valid date is passed.")
	}
	at, err := wire.ParseDate(text)
	if err != nil {
		return wire.Unauthorized("The date %q is invalid: it must be in RFC 1123 form.", text)
	}
	now := c.Began
	if skew := now.Sub(at); skew > maxSkew || skew < -maxSkew {
		return wire.Forbidden("The authorization token is not valid at the current time. Please create another token and retry. token start time: %s, token expiry time: %s, current server time: %s.",
			at.UTC().Format(http.TimeFormat), at.Add(maxSkew).UTC().Format(http.TimeFormat), now.UTC().Format(http.TimeFormat))
	}
	return nil
}
