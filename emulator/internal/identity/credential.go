package identity

import (
	"slices"
	"strings"
)

// algorithm is the only signing algorithm.
const algorithm = "AWS4-HMAC-SHA256"

// unsignedPayload is the value of X-Amz-Content-Sha256 if the signature does not cover the body.
const unsignedPayload = "UNSIGNED-PAYLOAD"

// scope is the part of a credential after the access key: date/region/service/aws4_request.
type scope struct{ date, region, service, terminator string }

// claim is the signature information of a request.
type claim struct {
	algorithm  string
	credential string // as sent
	accessKey  string
	scope      scope
	signed     string // names of the signed headers, joined by semicolons; checkForm normalizes them
	signature  string
	date       string // of the signature, as sent
	token      string // of a session
	presigned  bool
	expires    string // of a presigned request, in seconds
}

// parseAuthorization parses the Authorization header into a claim. Unknown parameters and parameters without a value
// are ignored.
func (c *claim) parseAuthorization(header string) {
	var rest string
	c.algorithm, rest, _ = strings.Cut(header, " ")
	for rest != "" {
		end := strings.IndexAny(rest, ", ")
		field := rest
		if end >= 0 {
			field, rest = rest[:end], rest[end+1:]
		} else {
			rest = ""
		}
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "Credential":
			c.credential = value
		case "SignedHeaders":
			c.signed = value
		case "Signature":
			c.signature = value
		}
	}
}

// splitCredential splits key/date/region/service/aws4_request; trailing slashes are ignored.
func (c *claim) splitCredential() bool {
	rest := strings.TrimRight(c.credential, "/")
	var ok [4]bool
	c.accessKey, rest, ok[0] = strings.Cut(rest, "/")
	c.scope.date, rest, ok[1] = strings.Cut(rest, "/")
	c.scope.region, rest, ok[2] = strings.Cut(rest, "/")
	c.scope.service, c.scope.terminator, ok[3] = strings.Cut(rest, "/")
	return ok == [4]bool{true, true, true, true} && !strings.Contains(c.scope.terminator, "/")
}

// hasSigned reports whether a header, given in lower case, is one of the signed headers.
func (c *claim) hasSigned(header string) bool {
	for rest := c.signed; rest != ""; {
		var name string
		if name, rest, _ = strings.Cut(rest, ";"); name == header {
			return true
		}
	}
	return false
}

// maxSigned is the largest number of signed headers. SDKs sign about ten. The value is our own: AWS does not document
// its limit.
const maxSigned = 100

// normalizeSigned returns the names of the signed headers as in the canonical request: in lower case, sorted, without
// duplicates ("Create a signed AWS API request"). So the canonical request is no larger than the request, however often
// a list repeats a header. It returns false for more than maxSigned names.
func normalizeSigned(signed string) (string, bool) {
	if strings.Count(signed, ";") >= maxSigned {
		return "", false
	}
	if isNormalized(signed) {
		return signed, true
	}
	names := strings.Split(strings.ToLower(signed), ";")
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ";"), true
}

// isNormalized reports whether a list of names is in lower case, sorted and without duplicates, as SDKs send it.
func isNormalized(signed string) bool {
	before := ""
	for rest, more := signed, true; more; {
		var name string
		if name, rest, more = strings.Cut(rest, ";"); name <= before || strings.ToLower(name) != name {
			return false
		}
		before = name
	}
	return true
}
