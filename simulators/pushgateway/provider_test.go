package pushgateway_test

import (
	"crypto/ecdsa"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

// provider signs a provider token dated now.
func (d *desk) provider(t *testing.T, key push.Key) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{"iss": key.Team, "iat": d.Now().Unix()})
	token.Header["kid"] = key.ID
	signed, err := token.SignedString(key.Private)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// TestProviderTokens checks that a token is accepted for an hour, and a new one every twenty minutes, only of known
// keys.
func TestProviderTokens(t *testing.T) {
	t.Parallel()
	ours, forged := newKey(t), newKey(t)
	d := newDesk(t, pushgateway.Config{APNsKeys: map[string]*ecdsa.PublicKey{ours.ID: &ours.Private.PublicKey}})
	p := d.install(t, pushgateway.IOS)
	post := func(token string) string {
		return ask(d.gateway, "POST", "/3/device/"+p.DeviceToken, `{"aps":{}}`, "Authorization", "bearer "+token,
			"apns-topic", "com.example.app")
	}
	want := func(token, answer string) {
		t.Helper()
		if got := post(token); got != answer {
			t.Errorf("%s, want %s", got, answer)
		}
	}
	first := d.provider(t, ours)
	want("", `403 {"reason":"MissingProviderToken"}`)
	want("nonsense", `403 {"reason":"InvalidProviderToken"}`)
	want(d.provider(t, forged), `403 {"reason":"InvalidProviderToken"}`)
	want(first, "200 ")
	d.move(19 * time.Minute)
	want(d.provider(t, ours), `429 {"reason":"TooManyProviderTokenUpdates"}`)
	want(first, "200 ")
	d.move(41 * time.Minute)
	want(first, `403 {"reason":"ExpiredProviderToken"}`)
	want(d.provider(t, ours), "200 ")
}

// TestAnyProvider checks that without known keys every key is accepted, but not every token.
func TestAnyProvider(t *testing.T) {
	t.Parallel()
	d := newDesk(t, pushgateway.Config{})
	p := d.install(t, pushgateway.IOS)
	key := newKey(t)
	short := key
	short.Team = "SHORT"
	hs, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"iss": key.Team,
		"iat": d.Now().Unix()}).SignedString([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{d.provider(t, key): "200", d.provider(t, short): "403", hs: "403"} {
		got := ask(d.gateway, "POST", "/3/device/"+p.DeviceToken, `{"aps":{}}`, "Authorization", "bearer "+token,
			"apns-topic", "com.example.app")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
