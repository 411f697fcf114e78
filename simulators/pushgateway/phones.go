package pushgateway

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// The platforms of phones, as the app names them.
const (
	IOS     = "ios"
	Android = "android"
)

const (
	// maxPhones is the maximum number of a gateway's phones, including those from which the app was removed: their last
	// tokens are never forgotten.
	maxPhones = 100_000
	// maxReplaced is how many replaced tokens a gateway remembers. It forgets older ones when as many more are invalid.
	maxReplaced = 100_000
)

// Phone is a phone that has or had the app.
type Phone struct {
	ID          string `json:"id"`
	Platform    string `json:"platform"`
	Project     string `json:"project"`
	Installed   bool   `json:"installed"`
	ExpoToken   string `json:"expoPushToken"` // current, or the last one
	DeviceToken string `json:"deviceToken"`   // of APNs or FCM
}

// registration is a service's record of a token.
type registration struct {
	phone        *Phone
	service      string
	invalidSince time.Time // since when no app has it; zero while one does
	invalidation int       // the number of that event in the gateway, from 1
	knownToExpo  bool      // Expo has learnt this from Apple or Google, through a failed message
}

// The services, as named in deliveries and faults.
const (
	Expo = "expo"
	FCM  = "fcm"
	APNs = "apns"
)

// Install installs the app on a phone: a new one if id is empty or unknown. project is the app's Firebase and Expo
// project; default: the gateway's. On a phone that had the app before, iOS keeps its Expo token and Android gets a new
// one. Errors: a platform other than ios and android, and more than 100,000 phones.
func (g *Gateway) Install(id, platform, project string) (Phone, error) {
	if platform != IOS && platform != Android {
		return Phone{}, fmt.Errorf("platform %q: use ios or android", platform)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if id == "" {
		id = g.newID()
	}
	p := g.phones[id]
	if p == nil && len(g.phones) >= maxPhones {
		return Phone{}, fmt.Errorf("the gateway has %d phones, the maximum: reuse one by its id", maxPhones)
	}
	if p == nil || p.Platform != platform {
		if p != nil {
			g.invalidate(p.ExpoToken, p.DeviceToken)
		}
		p = &Phone{ID: id, Platform: platform}
		g.phones[id] = p
	}
	setDefault(&project, g.cfg.Project)
	p.Project, p.Installed = project, true
	g.invalidate(p.DeviceToken)
	p.DeviceToken = g.register(p, g.deviceToken(platform), serviceOf(platform))
	if platform == Android || p.ExpoToken == "" {
		g.invalidate(p.ExpoToken)
		p.ExpoToken = g.expoToken()
	}
	g.register(p, p.ExpoToken, Expo)
	return *p, nil
}

// Rotate gives the app on a phone new tokens, as services do from time to time; the old ones become invalid. It returns
// false for a phone without the app.
func (g *Gateway) Rotate(id string) (Phone, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.phones[id]
	if p == nil || !p.Installed {
		return Phone{}, false
	}
	g.invalidate(p.ExpoToken, p.DeviceToken)
	p.ExpoToken = g.register(p, g.expoToken(), Expo)
	p.DeviceToken = g.register(p, g.deviceToken(p.Platform), serviceOf(p.Platform))
	return *p, true
}

// Uninstall removes the app from a phone: its tokens become invalid. It returns false for a phone without the app.
func (g *Gateway) Uninstall(id string) (Phone, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.phones[id]
	if p == nil || !p.Installed {
		return Phone{}, false
	}
	p.Installed = false
	g.invalidate(p.ExpoToken, p.DeviceToken)
	return *p, true
}

// Phone returns the phone with this id; false when there is none.
func (g *Gateway) Phone(id string) (Phone, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.phones[id]
	if p == nil {
		return Phone{}, false
	}
	return *p, true
}

// Phones returns all phones, ordered by id.
func (g *Gateway) Phones() []Phone {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]Phone, 0, len(g.phones))
	for _, id := range slices.Sorted(maps.Keys(g.phones)) {
		all = append(all, *g.phones[id])
	}
	return all
}

// register makes a token valid for a phone and returns it. REQUIRES: g.mu is held.
func (g *Gateway) register(p *Phone, token, service string) string {
	g.tokens[token] = &registration{phone: p, service: service}
	return token
}

// pruneTokens forgets tokens that were replaced, except the latest. REQUIRES: g.mu is held.
func (g *Gateway) pruneTokens() {
	maps.DeleteFunc(g.tokens, func(token string, r *registration) bool {
		p := g.phones[r.phone.ID]
		replaced := token != p.ExpoToken && token != p.DeviceToken
		return replaced && r.invalidation <= g.invalidations-maxReplaced
	})
}

// invalidate invalidates tokens. REQUIRES: g.mu is held.
func (g *Gateway) invalidate(tokens ...string) {
	for _, token := range tokens {
		if r := g.tokens[token]; r != nil && r.invalidSince.IsZero() {
			g.invalidations++
			r.invalidSince, r.invalidation = g.now(), g.invalidations
			if g.invalidations%maxReplaced == 0 {
				g.pruneTokens()
			}
		}
	}
}

// serviceOf returns the service that delivers to a platform.
func serviceOf(platform string) string {
	if platform == IOS {
		return APNs
	}
	return FCM
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// randomText returns n random letters of an alphabet. REQUIRES: g.mu is held.
func (g *Gateway) randomText(n int, alphabet string) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[g.rand.IntN(len(alphabet))])
	}
	return b.String()
}

func (g *Gateway) expoToken() string {
	return "ExponentPushToken[" + g.randomText(22, letters+"-_") + "]"
}

// deviceToken returns a token in the service's format: 32 bytes in hexadecimal, or the long string of FCM.
func (g *Gateway) deviceToken(platform string) string {
	if platform == IOS {
		return g.randomText(64, "0123456789abcdef")
	}
	return g.randomText(22, letters+"-_") + ":APA91b" + g.randomText(134, letters+"-_")
}
