package pushgateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// TestRefusals sends messages that each service delivers or refuses, and finds them by phone.
func TestRefusals(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	ios, android := d.install(t, pushgateway.IOS), d.install(t, pushgateway.Android)
	d.gateway.Uninstall(android.ID)
	expo := func(token, body string) { do(d.gateway, "POST", expoPath, `{"to":"`+token+`","body":"`+body+`"}`) }
	fcm := func() {
		do(d.gateway, "POST", fcmPath, `{"message":{"token":"`+android.DeviceToken+`"}}`, "Authorization", "Bearer x")
	}
	expo(ios.ExpoToken, "first")
	expo(ios.ExpoToken, strings.Repeat("x", 5000))
	expo(ios.ExpoToken, "second")
	expo("ExponentPushToken[nobody]", "")
	fcm()
	do(d.gateway, "POST", "/3/device/"+strings.Repeat("ab", 32), "{}")
	for _, service := range []string{pushgateway.Expo, pushgateway.FCM} {
		if err := d.gateway.Fail(pushgateway.Fault{Service: service, Status: 503, Times: 1}); err != nil {
			t.Fatal(err)
		}
	}
	expo(ios.ExpoToken, "not delivered")
	fcm()
	all := func(phone string, limit int) (texts []string) {
		delivered, refused := d.gateway.Latest(phone, limit)
		for _, one := range delivered {
			texts = append(texts, one.Body)
		}
		for _, r := range refused {
			texts = append(texts, r.Service+" "+r.Code)
		}
		return texts
	}
	for want, got := range map[string][]string{
		"[second first expo MessageTooBig]": all(ios.ID, 10),
		"[fcm UNREGISTERED]":                all(android.ID, 10),
		"[second fcm UNAVAILABLE]":          all("", 1),
		"[second first fcm UNAVAILABLE expo Service Unavailable apns MissingProviderToken fcm UNREGISTERED " +
			"expo DeviceNotRegistered expo MessageTooBig]": all("", 10),
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	phones := d.gateway.Summaries()
	if first := phones[0]; first.ID != ios.ID || first.Delivered != 2 || first.Refused != 1 || first.Last == nil {
		t.Errorf("%+v", first)
	}
	if second := phones[1]; second.Delivered != 0 || second.Refused != 1 || second.Last != nil {
		t.Errorf("%+v", second)
	}
}

// TestRefusalsAreBounded refuses more messages than are kept, with long tokens.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	for range 1001 {
		do(d.gateway, "POST", expoPath, `{"to":"ExponentPushToken[`+strings.Repeat("x", 1000)+`]"}`)
	}
	_, refused := d.gateway.Latest("", 2000)
	if len(refused) != 1000 || len(refused[0].Token) != 256 {
		t.Errorf("%d, the token has %d bytes", len(refused), len(refused[0].Token))
	}
}
