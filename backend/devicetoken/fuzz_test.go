package devicetoken

import (
	"regexp"
	"testing"
)

// FuzzToken: the two ways to tell a token agree, which are the pattern of the API and the check before a push.
func FuzzToken(f *testing.F) {
	for _, seed := range []string{"ExponentPushToken[a]", "ExponentPushToken[]", "ExponentPushToken[", "]", "ExponentPushToken[a]\n", "ExponentPushToken[ä]", ""} {
		f.Add(seed)
	}
	pattern := regexp.MustCompile(patternToken)
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := validToken(s), pattern.MatchString(s); got != want {
			t.Errorf("%q: %v, by the pattern %v", s, got, want)
		}
	})
}
