package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// appendCanonical appends the canonical request, from which a signature is made.
func (c *claim) appendCanonical(dst []byte, r *http.Request, payload []byte) []byte {
	dst = append(append(dst, r.Method...), '\n')
	dst = append(appendCanonicalPath(dst, r.URL), '\n')
	dst = append(appendCanonicalQuery(dst, r.URL.RawQuery), '\n')
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

// payloadHash is what stands for the body in the canonical request.
func payloadHash(dst []byte, r *http.Request, body []byte) []byte {
	if headerOf(r, "X-Amz-Content-Sha256") == unsignedPayload {
		return append(dst, unsignedPayload...)
	}
	sum := sha256.Sum256(body)
	return hex.AppendEncode(dst, sum[:])
}

// appendHeader appends a header's values, joined by commas, without spaces at their ends and with single ones inside.
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

// canonicalName is the name under which net/http keeps a header; the usual ones are known without making it.
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

// appendCanonicalPath appends the path, encoded once more than it was sent, without empty segments and dots.
func appendCanonicalPath(dst []byte, u *url.URL) []byte {
	path := u.EscapedPath()
	if path == "" || path == "/" {
		return append(dst, '/')
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

// appendEscaped appends text with all but the unreserved characters of RFC 3986 as %XX.
func appendEscaped(dst []byte, text string, keepSlash bool) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', strings.IndexByte("-._~", b) >= 0, b == '/' && keepSlash:
			dst = append(dst, b)
		default:
			dst = append(dst, '%', digits[b>>4], digits[b&15])
		}
	}
	return dst
}

// appendCanonicalQuery appends the parameters, encoded anew, in order, without the signature itself.
func appendCanonicalQuery(dst []byte, raw string) []byte {
	if raw == "" {
		return dst
	}
	var pairs []string
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, value = unescape(name), unescape(value)
		if part == "" || name == "X-Amz-Signature" {
			continue
		}
		pair := append(appendEscaped(nil, name, false), '=')
		pairs = append(pairs, string(appendEscaped(pair, value, false)))
	}
	// By name, then by value; as = sorts behind some characters that names may have, the two are compared apart.
	slices.SortFunc(pairs, func(a, b string) int {
		nameA, valueA, _ := strings.Cut(a, "=")
		nameB, valueB, _ := strings.Cut(b, "=")
		if order := strings.Compare(nameA, nameB); order != 0 {
			return order
		}
		return strings.Compare(valueA, valueB)
	})
	return append(dst, strings.Join(pairs, "&")...)
}

// unescape reads a part of a query; one that is encoded wrongly stands for itself.
func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
