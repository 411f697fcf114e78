package identity

import (
	"net/http"
	"time"
)

// Key is an access key.
type Key struct{ ID, Secret string }

// signedByUs are the headers that Sign signs.
const signedByUs = "host;x-amz-content-sha256;x-amz-date;x-amz-target"

// Sign signs a request to a service as clients do, at a time of the machine's clock. The signature does not cover the
// body, so that it can be sent as it arrives.
func (k Key) Sign(r *http.Request, service, region string, now time.Time) {
	date := now.UTC().Format(dateLayout)
	r.Header.Set("X-Amz-Date", date)
	r.Header.Set("X-Amz-Content-Sha256", unsignedPayload)
	c := claim{scope: scope{date[:8], region, service, "aws4_request"}, signed: signedByUs, date: date}
	canonical := c.appendCanonical(nil, r, []byte(unsignedPayload), canonicalForm{})
	signature := newSigningKey(k.Secret, c.scope).appendSignature(nil, c.appendStringToSign(nil, canonical))
	r.Header.Set("Authorization", algorithm+" Credential="+k.ID+"/"+c.scope.date+"/"+region+"/"+service+
		"/aws4_request, SignedHeaders="+signedByUs+", Signature="+string(signature))
}
