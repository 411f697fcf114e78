package identity

import (
	"slices"
	"strings"
)

// algorithm is the one way of signing.
const algorithm = "AWS4-HMAC-SHA256"

// unsignedPayload stands in X-Amz-Content-Sha256 where a signature does not cover the body.
const unsignedPayload = "UNSIGNED-PAYLOAD"

// scope is the part of a credential behind the access key: date/region/service/aws4_request.
type scope struct{ date, region, service, terminator string }

// claim is what a request says about its signature.
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

// parseAuthorization reads the header of that name into a claim. Other parameters are ignored, and so are those without
// a value.
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

// splitCredential reads key/date/region/service/aws4_request; slashes at the end do not count.
func (c *claim) splitCredential() bool {
	rest := strings.TrimRight(c.credential, "/")
	var ok [4]bool
	c.accessKey, rest, ok[0] = strings.Cut(rest, "/")
	c.scope.date, rest, ok[1] = strings.Cut(rest, "/")
	c.scope.region, rest, ok[2] = strings.Cut(rest, "/")
	c.scope.service, c.scope.terminator, ok[3] = strings.Cut(rest, "/")
	return ok == [4]bool{true, true, true, true} && !strings.Contains(c.scope.terminator, "/")
}

// signs reports whether a header, given in lower case, is among the signed ones.
func (c *claim) signs(header string) bool {
	for rest := c.signed; rest != ""; {
		var name string
		if name, rest, _ = strings.Cut(rest, ";"); name == header {
			return true
		}
	}
	return false
}

// maxSigned is how many headers a signature may list. SDKs sign about ten, and a request has no more headers worth
// signing: a choice of ours, for AWS does not document its own limit.
const maxSigned = 100

// normalizeSigned returns the names of the signed headers as the canonical request has them: in lower case, sorted,
// each once ("Create a signed AWS API request"). So the canonical request is no larger than the request, however often
// a list repeats a header. It reports false for more than maxSigned names.
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

// isNormalized reports whether a list of names is in lower case, sorted and without duplicates, as SDKs make it.
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
