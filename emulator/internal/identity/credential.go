package identity

import (
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
	signed     string // names of the signed headers, joined by semicolons
	signature  string
	date       string // of the signature, as sent
	token      string // of a session
	presigned  bool
	expires    string // of a presigned request, in seconds
}

// parseAuthorization reads the header of that name into a claim. Other parameters are ignored, and so are those without a
// value.
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

// signs says whether a header, given in lower case, is among the signed ones.
func (c *claim) signs(header string) bool {
	for rest := c.signed; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(rest, ";")
		if strings.EqualFold(name, header) {
			return true
		}
	}
	return false
}
