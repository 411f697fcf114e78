package dynamo

import "testing"

// TestParametersAreSeparatedBySpacesOrCommas reads the parameters of an Authorization header.
func TestParametersAreSeparatedBySpacesOrCommas(t *testing.T) {
	t.Parallel()
	all := authParameters{credential: "c/1", signature: "s=", signedHeaders: "h;i"}
	for header, want := range map[string]authParameters{
		"":                 {},
		"AWS4-HMAC-SHA256": {},
		"AWS4-HMAC-SHA256 Credential=c/1, SignedHeaders=h;i, Signature=s=":             all,
		"AWS4-HMAC-SHA256 Signature=s=,Credential=c/1,SignedHeaders=h;i":               all,
		" ,, SignedHeaders=h;i Credential=c/1  Signature=s=, ":                         all,
		"Credential=,Credential=c/1,Credential=d SignedHeaders=h;i Signature=s= more=": all,
		"credential=c/1,Signature = s,SignedHeaders":                                   {},
	} {
		if got := authParametersOf(header); got != want {
			t.Errorf("%q has %+v, want %+v", header, got, want)
		}
	}
}
