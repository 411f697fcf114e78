package identity

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// readClaim reads the signature information of a request, and refuses it if it is incomplete. The order of checks is
// the service's, as dynalite found it.
func readClaim(r *http.Request) (claim, error) {
	header := r.Header.Get("Authorization")
	var query url.Values
	if r.URL.RawQuery != "" {
		query = r.URL.Query()
	}
	presigned := query.Has("X-Amz-Algorithm")
	switch {
	case header != "" && presigned:
		return claim{},
			newError(InvalidSignature,
				"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.")
	case presigned:
		return queryClaim(query)
	case !strings.HasPrefix(header, "AWS4-"):
		return claim{}, newError(MissingToken, "Request is missing Authentication Token")
	}
	return headerClaim(r, header)
}

func headerClaim(r *http.Request, header string) (claim, error) {
	var c claim
	c.parseAuthorization(header)
	if c.date = headerOf(r, "X-Amz-Date"); c.date == "" {
		c.date = basicDate(r.Header.Get("Date"))
	}
	message := ""
	for _, p := range [...]struct{ name, value string }{{"Credential", c.credential}, {"Signature", c.signature},
		{"SignedHeaders", c.signed}} {
		if p.value == "" {
			message += "Authorization header requires '" + p.name + "' parameter. "
		}
	}
	if c.date == "" {
		message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	if message != "" {
		return c, newError(IncompleteSig, message+"Authorization="+header)
	}
	c.token = headerOf(r, "X-Amz-Security-Token")
	return c, nil
}

// headerOf returns the first value of a header, given in canonical form.
func headerOf(r *http.Request, name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// basicDate converts an HTTP date to the format of signatures. Any other text is returned unchanged.
func basicDate(text string) string {
	if t, err := http.ParseTime(text); err == nil {
		return t.UTC().Format(dateLayout)
	}
	return text
}

func queryClaim(query url.Values) (claim, error) {
	message := ""
	for _, name := range []string{"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders",
		"X-Amz-Date"} {
		if query.Get(name) == "" {
			message += "AWS query-string parameters must include '" + name + "'. "
		}
	}
	if message != "" {
		return claim{}, newError(IncompleteSig, message+"Re-examine the query-string parameters.")
	}
	return claim{
		algorithm: query.Get("X-Amz-Algorithm"), credential: query.Get("X-Amz-Credential"),
		signature: query.Get("X-Amz-Signature"),
		signed:    query.Get("X-Amz-SignedHeaders"), date: query.Get("X-Amz-Date"), token: query.Get("X-Amz-Security-Token"),
		expires: query.Get("X-Amz-Expires"), presigned: true,
	}, nil
}

// dateLayout is ISO 8601's basic format, as in signatures.
const dateLayout = "20060102T150405Z"

// parseDate parses a date in dateLayout. time.Parse would take longer than everything else about a claim.
func parseDate(text string) (time.Time, bool) {
	if len(text) != len(dateLayout) || text[8] != 'T' || text[15] != 'Z' {
		return time.Time{}, false
	}
	var n [6]int
	at := 0
	for i, digits := range [...]int{4, 2, 2, 2, 2, 2} {
		if i == 3 {
			at++ // the T
		}
		for range digits {
			d := text[at] - '0'
			if d > 9 {
				return time.Time{}, false
			}
			n[i] = n[i]*10 + int(d)
			at++
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	return t, t.Month() == time.Month(n[1]) && t.Day() == n[2]
}
