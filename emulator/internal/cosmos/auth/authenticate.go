package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// maxSkew is the maximum difference between a request's date and the machine's time ("Access control in the Azure
// Cosmos DB REST API": a token is valid for 15 minutes).
const maxSkew = 15 * time.Minute

// authorization is a parsed Authorization header: type=master&ver=1.0&sig=…
type authorization struct{ kind, version, signature string }

// parseAuthorization parses the header. The header is URL-encoded, but some clients send it as it is, and in some a +
// arrives as a space.
func parseAuthorization(header string) (authorization, bool) {
	if a, ok := parseMasterKey(header); ok {
		return a, true
	}
	return parseAnyAuthorization(header)
}

func parseAnyAuthorization(header string) (authorization, bool) {
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

// parseMasterKey parses a header in the form in which SDKs send a signature by a master key.
func parseMasterKey(header string) (a authorization, ok bool) {
	const upper, lower = "type%3Dmaster%26ver%3D1.0%26sig%3D", "type%3dmaster%26ver%3d1.0%26sig%3d"
	escaped, ok := strings.CutPrefix(header, upper)
	if !ok {
		escaped, ok = strings.CutPrefix(header, lower)
	}
	if !ok || escaped == "" {
		return a, false
	}
	signature, err := url.QueryUnescape(escaped)
	if err != nil || strings.Contains(signature, "&") {
		return a, false
	}
	return authorization{"master", "1.0", strings.ReplaceAll(signature, " ", "+")}, true
}

// Authenticate authenticates a request, and authorizes one with a resource token.
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
		return checkMasterKey(c, a.signature)
	case "resource":
		return checkResourceToken(c, a.signature)
	case "aad":
		return checkEntraToken(c, a.signature)
	}
	return wire.Unauthorized("The authorization token has an invalid type %q.", a.kind)
}

// checkMasterKey checks the date of a request and its signature, which one of the account's keys must have made.
func checkMasterKey(c *operation.Call, signature string) *wire.Error {
	date := c.Header("X-Ms-Date")
	httpDate := ""
	if date == "" {
		date = c.Header("Date")
		httpDate = date
		date = ""
	}
	if err := checkDate(c, date+httpDate); err != nil {
		return err
	}
	var sum [sha256.Size + 1]byte // one byte more than a signature, for padding
	var encoded [64]byte
	got, err := base64.StdEncoding.AppendDecode(sum[:0], append(encoded[:0], signature...))
	if err != nil {
		return badSignature("")
	}
	payload := c.Buffers.Out[:0] // nothing of the response is written yet
	defer func() { c.Buffers.Out = payload }()
	for _, link := range SignedLinks(c) {
		payload = append(appendLower(payload[:0], c.Method), '\n')
		payload = append(append(payload, SignedKind(c)...), '\n')
		payload = append(append(payload, link...), '\n')
		payload = append(appendLower(payload, date), '\n')
		payload = append(appendLower(payload, httpDate), '\n')
		for i, s := range c.Account.Signers {
			if s.Matches(payload, got) {
				c.Caller = keyName(i)
				return nil
			}
		}
	}
	return badSignature(string(payload))
}

// keyName returns the name of one of the account's master keys.
func keyName(i int) string {
	switch i {
	case 0:
		return "primary key"
	case 1:
		return "secondary key"
	}
	return "key " + strconv.Itoa(i+1)
}

// appendLower appends an ASCII string in lower case.
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
	return wire.Unauthorized("The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol. For more info: https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to sign: '%s'",
		strings.ReplaceAll(payload, "\n", "\\n"))
}

// SignedKind returns the kind of resource in the signed payload.
func SignedKind(c *operation.Call) wire.Kind {
	if c.Route.Kind == wire.KindOperation {
		return wire.KindContainer
	}
	return c.Route.Kind
}

// SignedLinks returns the resource links that the signature may cover: the one in the path; in lower case, for a path
// of resource ids; for an offer, only its resource id.
func SignedLinks(c *operation.Call) []string {
	link, whole := gatewayLink(c)
	if !whole {
		return nil
	}
	switch c.Route.Kind {
	case wire.KindOffer:
		return []string{strings.ToLower(c.Route.Last())}
	case wire.KindOperation:
		link = strings.TrimSuffix(link, "/operations/"+c.Route.Last())
	}
	links := []string{link}
	if _, byRID := wire.DecodeRID(c.Route.ID(0)); byRID {
		links = append(links, strings.ToLower(lastID(c.Route)))
	}
	return links
}

// lastID returns the last resource id of a link. A signature by resource ids covers only that.
func lastID(r wire.Route) string { return r.Last() }

// checkDate checks the date that a request was signed at. Clients sign with their own clocks, so the machine's clock
// counts, not the emulator's.
func checkDate(c *operation.Call, text string) *wire.Error {
	if text == "" {
		return wire.Unauthorized("Required Header x-ms-date or date is missing. Ensure a valid date is passed.")
	}
	at, err := c.Account.Dates.Parse(text)
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
