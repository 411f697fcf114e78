package identity

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
)

// canonicalForm is a variant of the canonical request, in which signers differ. The zero form is the documented one.
type canonicalForm struct {
	rawPath         bool // with its empty segments and dots, as the Go SDK leaves it
	sortedUnencoded bool // parameters sorted before they are encoded, as the Go SDK does
	asSent          bool // the path as it was sent, not encoded once more: the documented form of S3
}

// canonicalForms returns the forms in which a request may have been signed: several only if they produce different
// texts. The documented one is last, to be shown if none matches.
func canonicalForms(r *http.Request, service string) []canonicalForm {
	if service == objectStorage {
		return formsOfS3[:]
	}
	if r.URL.RawQuery == "" && (r.URL.Path == "/" || r.URL.Path == "") {
		return documentedForm[:]
	}
	odd, forms := cleanPath(r.URL.EscapedPath()) != r.URL.EscapedPath(), documentedForm[:]
	if disordered := strings.Contains(r.URL.RawQuery, "%"); odd && disordered {
		forms = []canonicalForm{{rawPath: true, sortedUnencoded: true}, {rawPath: true}, {sortedUnencoded: true}, {}}
	} else if odd {
		forms = []canonicalForm{{rawPath: true}, {}}
	} else if disordered {
		forms = []canonicalForm{{sortedUnencoded: true}, {}}
	}
	return forms
}

var (
	documentedForm = [...]canonicalForm{{}}
	formsOfS3      = [...]canonicalForm{{asSent: true, sortedUnencoded: true}, {asSent: true}}
)

// objectStorage is S3, whose signatures differ from those of the other services: paths are not encoded once more, and
// the body's hash is the one that its header has, which the service compares with the body.
const objectStorage = "s3"

// appendCanonical appends the canonical request, from which a signature is computed.
func (c *claim) appendCanonical(dst []byte, r *http.Request, payload []byte, f canonicalForm) []byte {
	dst = append(append(dst, r.Method...), '\n')
	dst = append(appendCanonicalPath(dst, r.URL, f), '\n')
	dst = append(appendCanonicalQuery(dst, r.URL.RawQuery, f), '\n')
	for rest, more := c.signed, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, ";")
		dst = append(append(dst, name...), ':')
		dst = append(appendHeader(dst, r, name), '\n')
	}
	dst = append(dst, '\n')
	dst = append(append(dst, c.signed...), '\n')
	return append(dst, payload...)
}

// payloadHash appends the body's hash for the canonical request.
func payloadHash(dst []byte, r *http.Request, body []byte, service string) []byte {
	if service == objectStorage {
		return append(dst, cmp.Or(headerOf(r, "X-Amz-Content-Sha256"), unsignedPayload)...) // a signed URL has none
	}
	if headerOf(r, "X-Amz-Content-Sha256") == unsignedPayload {
		return append(dst, unsignedPayload...)
	}
	if len(body) <= chunked.ChunkSize {
		sum := sha256.Sum256(body)
		return hex.AppendEncode(dst, sum[:])
	}
	h := sha256.New()
	chunked.Write(h, body)
	return hex.AppendEncode(dst, h.Sum(nil))
}

// appendHeader appends a header's values, joined by commas, trimmed and with single spaces inside.
func appendHeader(dst []byte, r *http.Request, name string) []byte {
	switch name {
	case "host":
		return appendTrimmed(dst, r.Host)
	case "content-length":
		if len(r.Header["Content-Length"]) == 0 && r.ContentLength >= 0 {
			return strconv.AppendInt(dst, r.ContentLength, 10)
		}
	}
	for i, value := range r.Header[canonicalName(name)] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendTrimmed(dst, value)
	}
	return dst
}

// canonicalName returns the canonical name of a header in net/http. The common ones need no allocation.
func canonicalName(name string) string {
	switch name {
	case "accept-encoding":
		return "Accept-Encoding"
	case "amz-sdk-invocation-id":
		return "Amz-Sdk-Invocation-Id"
	case "amz-sdk-request":
		return "Amz-Sdk-Request"
	case "content-length":
		return "Content-Length"
	case "content-type":
		return "Content-Type"
	case "x-amz-date":
		return "X-Amz-Date"
	case "x-amz-security-token":
		return "X-Amz-Security-Token"
	case "x-amz-target":
		return "X-Amz-Target"
	case "x-amz-user-agent":
		return "X-Amz-User-Agent"
	case "x-amz-content-sha256":
		return "X-Amz-Content-Sha256"
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

func appendTrimmed(dst []byte, value string) []byte {
	value = strings.Trim(value, " ")
	for {
		i := strings.Index(value, "  ")
		if i < 0 {
			return append(dst, value...)
		}
		dst = append(dst, value[:i+1]...)
		value = strings.TrimLeft(value[i:], " ")
	}
}

// appendCanonicalPath appends the path, encoded once more than it was sent, without empty segments and dots unless the
// form keeps them.
func appendCanonicalPath(dst []byte, u *url.URL, f canonicalForm) []byte {
	path := u.EscapedPath()
	if path == "" || path == "/" {
		return append(dst, '/')
	}
	if f.asSent {
		return append(dst, path...)
	}
	if f.rawPath {
		return appendEscaped(dst, path, true)
	}
	return appendEscaped(dst, cleanPath(path), true)
}

func cleanPath(path string) string {
	if !strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		return path
	}
	var kept []string
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			kept = kept[:max(0, len(kept)-1)]
		default:
			kept = append(kept, segment)
		}
	}
	clean := "/" + strings.Join(kept, "/")
	if strings.HasSuffix(path, "/") && clean != "/" {
		clean += "/"
	}
	return clean
}

// appendEscaped appends text with all but the unreserved characters of RFC 3986 encoded as %XX.
func appendEscaped(dst []byte, text string, keepSlash bool) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', strings.IndexByte("-._~", b) >= 0,
			b == '/' && keepSlash:
			dst = append(dst, b)
		default:
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst
}

// parameter is a query parameter: decoded, and encoded as it is signed.
type parameter struct{ name, value, encodedName, encodedValue string }

// appendCanonicalQuery appends the parameters, encoded again, in the form's order, without the signature.
func appendCanonicalQuery(dst []byte, raw string, f canonicalForm) []byte {
	if raw == "" {
		return dst
	}
	var all []parameter
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, value = unescape(name), unescape(value)
		if part != "" && name != "X-Amz-Signature" {
			all = append(all, parameter{name, value, string(appendEscaped(nil, name, false)),
				string(appendEscaped(nil, value, false))})
		}
	}
	slices.SortFunc(all, func(a, b parameter) int {
		if f.sortedUnencoded {
			return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.value, b.value))
		}
		return cmp.Or(strings.Compare(a.encodedName, b.encodedName), strings.Compare(a.encodedValue, b.encodedValue))
	})
	for i, p := range all {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = append(append(append(dst, p.encodedName...), '='), p.encodedValue...)
	}
	return dst
}

// unescape decodes a part of a query. Malformed text is returned unchanged.
func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
