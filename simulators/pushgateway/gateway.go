package pushgateway

import (
	"crypto/ecdsa"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Config says how the services behave. Its zero value is a gateway as the documentation of the services has them.
type Config struct {
	Now  func() time.Time // time.Now when nil
	Seed uint64           // the same seed gives out the same tokens and ids

	Project   string // the Firebase project, and the Expo project, of phones that name none; default "tabletop"
	Topic     string // the bundle id of the iOS app; default "com.example.app"
	ExpoToken string // the access token that Expo demands; none when empty

	// APNsKeys are the public keys of providers by key id. When there is none, every key is taken for right.
	APNsKeys map[string]*ecdsa.PublicKey
	// TrustedHosts are host names by which clients may call the gateway, and whose web pages may, beside those that are
	// trusted anyway: see webguard.
	TrustedHosts []string
	// AnyHTTP has APNs answer over HTTP/1.1 too; the service itself speaks HTTP/2 alone.
	AnyHTTP bool

	ReceiptAfter    time.Duration // how long after its ticket an Expo receipt is there; at once by default
	ExpoPerSecond   int           // notifications for a project; default 600
	FCMPerMinute    int           // messages for a project; default 600,000
	DevicePerMinute int           // messages for one device, by FCM and APNs; default 240
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

// Gateway is the three services. It is an http.Handler and safe for concurrent use.
type Gateway struct {
	cfg Config
	mux *http.ServeMux

	mu         sync.Mutex
	rand       *rand.Rand
	phones     map[string]*Phone
	tokens     map[string]*registration // by token, of all services
	deliveries []Delivery
	bytes      int                // of deliveries
	forgotten  int64              // deliveries before these
	receipts   map[string]receipt // by ticket
	limits     map[string]*window
	providers  map[string]provider // of APNs, by key id
	faults     []Fault
}

// New makes a gateway that no phone is registered with yet.
func New(cfg Config) *Gateway {
	cfg = cfg.withDefaults()
	g := &Gateway{
		cfg: cfg, mux: http.NewServeMux(), rand: rand.New(rand.NewPCG(cfg.Seed, cfg.Seed^0x9e3779b97f4a7c15)),
		phones: map[string]*Phone{}, tokens: map[string]*registration{}, receipts: map[string]receipt{},
		limits: map[string]*window{}, providers: map[string]provider{},
	}
	g.mux.HandleFunc("/--/api/v2/push/send", g.expoSend)
	g.mux.HandleFunc("/--/api/v2/push/getReceipts", g.expoReceipts)
	g.mux.HandleFunc("/v1/projects/{project}/{call}", g.fcmSend)
	g.mux.HandleFunc("/3/device/{token}", g.apnsSend)
	g.mux.HandleFunc("/3/", g.apnsElsewhere)
	g.mountAdmin()
	return g
}

// ServeHTTP answers as the service that the path is of.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// now is the gateway's time, as the services have it: in UTC.
func (g *Gateway) now() time.Time { return g.cfg.Now().UTC() }

// id is a UUID of version 4 from the seed. REQUIRES: g.mu is held.
func (g *Gateway) id() string {
	return sim.UUID(g.rand.Uint64(), g.rand.Uint64())
}
