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

// providerToken signs a provider token dated now.
func (d *testGateway) providerToken(t *testing.T, key push.Key) string {
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
	d := newTestGateway(t, pushgateway.Config{APNsKeys: map[string]*ecdsa.PublicKey{ours.ID: &ours.Private.PublicKey}})
	p := d.install(t, pushgateway.IOS)
	post := func(token string) string {
		return do(d.gateway, "POST", "/3/device/"+p.DeviceToken, `{"aps":{}}`, "Authorization", "bearer "+token,
			"apns-topic", "com.example.app")
	}
	want := func(token, answer string) {
		t.Helper()
		if got := post(token); got != answer {
			t.Errorf("%s, want %s", got, answer)
		}
	}
	first := d.providerToken(t, ours)
	want("", `403 {"reason":"MissingProviderToken"}`)
	want("nonsense", `403 {"reason":"InvalidProviderToken"}`)
	want(d.providerToken(t, forged), `403 {"reason":"InvalidProviderToken"}`)
	want(first, "200 ")
	d.advance(19 * time.Minute)
	want(d.providerToken(t, ours), `429 {"reason":"TooManyProviderTokenUpdates"}`)
	want(first, "200 ")
	d.advance(41 * time.Minute)
	want(first, `403 {"reason":"ExpiredProviderToken"}`)
	want(d.providerToken(t, ours), "200 ")
}

// TestAnyProvider checks that without known keys every key is accepted, but not every token.
func TestAnyProvider(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	p := d.install(t, pushgateway.IOS)
	key := newKey(t)
	short := key
	short.Team = "SHORT"
	hs, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"iss": key.Team,
		"iat": d.Now().Unix()}).SignedString([]byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{d.providerToken(t, key): "200", d.providerToken(t, short): "403",
		hs: "403"} {
		got := do(d.gateway, "POST", "/3/device/"+p.DeviceToken, `{"aps":{}}`, "Authorization", "bearer "+token,
			"apns-topic", "com.example.app")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
