package pushgateway

import (
	"crypto/ecdsa"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Config configures the services. Its zero value makes them behave as documented.
type Config struct {
	Now  func() time.Time // default: time.Now
	Seed uint64           // equal seeds give equal tokens and ids

	Project   string // default Firebase and Expo project of phones; default "tabletop"
	Topic     string // the bundle id of the iOS app; default "com.example.app"
	ExpoToken string // the access token that Expo requires; none when empty

	// APNsKeys are the public keys of providers, by key id. If it is empty, every key is accepted.
	APNsKeys map[string]*ecdsa.PublicKey
	// TrustedHosts are additional host names by which clients may address the gateway and whose web pages may access
	// it: see webguard.
	TrustedHosts []string
	// AnyHTTP makes APNs respond over HTTP/1.1 too; the real service supports only HTTP/2.
	AnyHTTP bool

	ReceiptAfter    time.Duration // delay of an Expo receipt after its ticket; default: none
	ExpoPerSecond   int           // notifications per project; default 600
	FCMPerMinute    int           // messages per project; default 600,000
	DevicePerMinute int           // messages per device, by FCM and APNs; default 240
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	setDefault(&c.Project, "tabletop")
	setDefault(&c.Topic, "com.example.app")
	setDefault(&c.ExpoPerSecond, 600)
	setDefault(&c.FCMPerMinute, 600_000)
	setDefault(&c.DevicePerMinute, 240)
	return c
}

func setDefault[T comparable](field *T, value T) {
	var unset T
	if *field == unset {
		*field = value
	}
}

// Gateway emulates the three services. It is an http.Handler and safe for concurrent use.
type Gateway struct {
	cfg Config
	mux *http.ServeMux

	mu             sync.Mutex
	rand           *rand.Rand
	phones         map[string]*Phone
	tokens         map[string]*registration // by token, of all services
	invalidations  int                      // of tokens
	deliveries     []Delivery
	bytes          int                // of deliveries
	discarded      int64              // number of deliveries discarded before these
	receipts       map[string]receipt // by ticket
	limits         map[string]*limitWindow
	providerTokens map[string]providerToken // of APNs, by key id
	faults         []Fault
	refusals       []Refusal               // the latest
	counts         map[string]*phoneCounts // by phone
}

// New returns a gateway without phones.
func New(cfg Config) *Gateway {
	cfg = cfg.withDefaults()
	g := &Gateway{
		cfg: cfg, mux: http.NewServeMux(), rand: rand.New(rand.NewPCG(cfg.Seed, cfg.Seed^0x9e3779b97f4a7c15)),
		phones: map[string]*Phone{}, tokens: map[string]*registration{}, receipts: map[string]receipt{},
		limits: map[string]*limitWindow{}, providerTokens: map[string]providerToken{},
		counts: map[string]*phoneCounts{},
	}
	g.mux.HandleFunc("/--/api/v2/push/send", g.expoSend)
	g.mux.HandleFunc("/--/api/v2/push/getReceipts", g.expoReceipts)
	g.mux.HandleFunc("/v1/projects/{project}/{call}", g.fcmSend)
	g.mux.HandleFunc("/3/device/{token}", g.apnsSend)
	g.mux.HandleFunc("/3/", g.apnsNotFound)
	g.mountAdmin()
	return g
}

// prune makes room for an entry in a map of at most limit entries, by id. It deletes those that have expired, or all if
// none has.
func prune[V any](entries map[string]V, limit int, expired func(V) bool) {
	if len(entries) < limit {
		return
	}
	maps.DeleteFunc(entries, func(_ string, v V) bool { return expired(v) })
	if len(entries) >= limit {
		clear(entries)
	}
}

// ServeHTTP responds as the service to which the path belongs.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// now returns the gateway's time in UTC.
func (g *Gateway) now() time.Time { return g.cfg.Now().UTC() }

// newID returns a version 4 UUID that depends on the seed. REQUIRES: g.mu is held.
func (g *Gateway) newID() string {
	return sim.UUID(g.rand.Uint64(), g.rand.Uint64())
}
