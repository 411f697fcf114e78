package identity

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// maxSkew is how far a signature's time may differ from the service's: 5 minutes for DynamoDB, according to its
// messages.
const maxSkew = 5 * time.Minute

// verifier verifies signatures. Its caller looks up the access keys.
type verifier struct {
	service string // required service, such as dynamodb
	region  string // required region; empty: any
	now     time.Time
	machine time.Time // machine time, with which clients date their signatures, whatever the emulator's clock shows
}

// checkForm checks everything of a claim that needs no key: dates, scope, algorithm.
func (v *verifier) checkForm(c *claim) error {
	date, ok := parseDate(c.date)
	if !ok {
		return newError(IncompleteSig, "Date must be in ISO-8601 'basic format'. Got '"+c.date+
			"'. See http://en.wikipedia.org/wiki/ISO_8601")
	}
	if err := v.checkTime(c, date); err != nil {
		return err
	}
	signed, ok := normalizeSigned(c.signed)
	if !ok {
		return newError(IncompleteSig, "A signature may list at most "+strconv.Itoa(maxSigned)+" 'SignedHeaders'.")
	}
	if c.signed = signed; !c.hasSigned("host") {
		return newError(InvalidSignature, "'Host' must be a 'SignedHeader' in the AWS Authorization.")
	}
	if c.algorithm != algorithm {
		return newError(IncompleteSig, "Unsupported AWS 'algorithm': '"+c.algorithm+"' (only "+algorithm+" for now). ")
	}
	if !c.splitCredential() {
		return newError(IncompleteSig,
			"Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '"+
				c.credential+"'")
	}
	return v.checkScope(c)
}

// checkTime refuses a signature that is too old or in the future by both the emulator's clock and the machine's: moving
// the emulator's clock does not move the clocks of clients.
func (v *verifier) checkTime(c *claim, date time.Time) error {
	lifetime := maxSkew
	if seconds, err := strconv.Atoi(c.expires); c.presigned && err == nil && seconds >= 0 && seconds <= 7*24*60*60 {
		lifetime = time.Duration(seconds) * time.Second
	}
	for _, now := range [...]time.Time{v.now, v.machine} {
		now = now.Truncate(time.Second) // dates have whole seconds: a signature is valid for the whole of its last second
		if !date.Before(now.Add(-lifetime)) && !date.After(now.Add(maxSkew)) {
			return nil
		}
	}
	now := v.now.UTC().Format(dateLayout)
	if date.After(v.now) {
		return newError(InvalidSignature, "Signature not yet current: "+c.date+" is still later than "+
			v.now.Add(maxSkew).UTC().Format(dateLayout)+" ("+now+" + 5 min.)")
	}
	return newError(InvalidSignature, "Signature expired: "+c.date+" is now earlier than "+
		v.now.Add(-lifetime).UTC().Format(dateLayout)+" ("+now+" - "+strconv.Itoa(int(lifetime/time.Minute))+" min.)")
}

func (v *verifier) checkScope(c *claim) error {
	message := ""
	if v.region != "" && c.scope.region != v.region {
		message += "Credential should be scoped to a valid region, not '" + c.scope.region + "'. "
	}
	if c.scope.service != v.service {
		message += "Credential should be scoped to correct service: '" + v.service + "'. "
	}
	if c.scope.terminator != "aws4_request" {
		message += "Credential should be scoped with a valid terminator: 'aws4_request', not '" + c.scope.terminator + "'. "
	}
	if day := c.date[:8]; c.scope.date != day {
		message += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" +
			c.scope.date + "' != '" + day + "', from '" + c.date + "'. "
	}
	if message != "" {
		return newError(InvalidSignature, message)
	}
	return nil
}

// scratch is the reusable memory of one verification.
type scratch struct{ canonical, toSign, payload, signature []byte }

// scratches returns the pool of scratch memory.
func scratches() poison.Pool { return poison.Pool{New: func() any { return new(scratch) }} }

// release returns the memory to the pool.
func (s *scratch) release(to *poison.Pool) {
	poison.Bytes(s.canonical, s.toSign, s.payload, s.signature)
	to.Put(s)
}

// checkSignature compares the signature with the one that the key produces.
func (s *scratch) checkSignature(c *claim, key *signingKey, r *http.Request, body []byte) error {
	s.payload = payloadHash(s.payload[:0], r, body, c.scope.service)
	for _, f := range canonicalForms(r, c.scope.service) {
		s.canonical = c.appendCanonical(s.canonical[:0], r, s.payload, f)
		s.toSign = c.appendStringToSign(s.toSign[:0], s.canonical)
		s.signature = key.appendSignature(s.signature[:0], s.toSign)
		if len(c.signature) == len(s.signature) && subtle.ConstantTimeCompare([]byte(c.signature), s.signature) == 1 {
			return nil
		}
	}
	return mismatch(hideToken(string(s.canonical), c.token), string(s.toSign))
}

// appendStringToSign appends the string to sign.
func (c *claim) appendStringToSign(dst, canonical []byte) []byte {
	dst = append(append(dst, algorithm+"\n"...), c.date...)
	dst = append(append(dst, '\n'), c.scope.date...)
	dst = append(append(dst, '/'), c.scope.region...)
	dst = append(append(dst, '/'), c.scope.service...)
	dst = append(append(dst, '/'), c.scope.terminator...)
	sum := sha256.Sum256(canonical)
	return hex.AppendEncode(append(dst, '\n'), sum[:])
}

// mismatch returns the service's error for a wrong signature. It shows what should have been signed, but neither the
// right signature nor, unlike the service, the session token.
func mismatch(canonical, toSign string) *Error {
	return newError(InvalidSignature, "The request signature we calculated does not match the signature you provided. "+
		"Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\n"+
		"The Canonical String for this request should have been\n'"+canonical+"'\n\n"+
		"The String-to-Sign should have been\n'"+toSign+"'\n")
}

func hideToken(canonical, token string) string {
	if token == "" {
		return canonical
	}
	canonical = strings.ReplaceAll(canonical, token, "(hidden)")
	return strings.ReplaceAll(canonical, string(appendEscaped(nil, token, false)), "(hidden)")
}
