package devicetoken

import (
	"regexp"
	"testing"
)

// FuzzToken checks that the two validations of a token agree: the pattern of the API and the check before a push.
func FuzzToken(f *testing.F) {
	for _, seed := range []string{"ExponentPushToken[a]", "ExponentPushToken[]", "ExponentPushToken[", "]",
		"ExponentPushToken[a]\n", "ExponentPushToken[ä]", ""} {
		f.Add(seed)
	}
	pattern := regexp.MustCompile(patternToken)
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := validToken(s), pattern.MatchString(s); got != want {
			t.Errorf("%q: %v, by the pattern %v", s, got, want)
		}
	})
}

// FuzzRegistration checks that no body causes a panic, and that the store is used only after a valid one.
func FuzzRegistration(f *testing.F) {
	for _, seed := range []string{
		`{"deviceId":"one","expoPushToken":"ExponentPushToken[a]","platform":"ios"}`, `{}`, `[]`, `null`, `{"deviceId":`,
		`{"deviceId":"\u0000"}`,
		`{"deviceId":"one","expoPushToken":"ExponentPushToken[a]","platform":"ios","platform":"windows"}`,
		`{"DEVICEID":"one"}`, "\xff", `{"a":{"a":[[[[]]]]}}`,
	} {
		f.Add(seed)
	}
	w := newWorld(f)
	ana := w.as("ana")
	f.Fuzz(func(t *testing.T, body string) {
		w.calls.reset()
		got := ana.call("POST", "/devices", body)
		switch asked := w.calls.all(); {
		case got.status >= 500:
			t.Errorf("%q: %d %s", body, got.status, got.raw)
		case got.status >= 400 && asked != "":
			t.Errorf("%q is refused with %d, and the store was asked: %s", body, got.status, asked)
		}
	})
}
