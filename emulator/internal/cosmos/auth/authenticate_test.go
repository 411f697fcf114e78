package auth

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzParseAuthorization holds that the form that SDKs send is parsed as any other is.
func FuzzParseAuthorization(f *testing.F) {
	const plain = "type=master&ver=1.0&sig=abc+/0=="
	escaped := url.QueryEscape(plain)
	for _, header := range []string{plain, escaped, strings.ReplaceAll(escaped, "%3D", "%3d"),
		"type%3dmaster%26ver%3d1.0%26sig%3da",
		escaped + "%26ver%3D2", escaped + "&type=aad", escaped + "%zz", escaped + "+ ", strings.TrimSuffix(escaped, "%3D%3D"),
		url.QueryEscape("type=master&ver=1.0&sig="), url.QueryEscape("type=Master&ver=1.0&sig=a"), "", "sig=a"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got, ok := parseAuthorization(header)
		want, wantOK := parseAnyAuthorization(header)
		if got != want || ok != wantOK {
			t.Errorf("%q: %+v %v, want %+v %v", header, got, ok, want, wantOK)
		}
	})
}
