package emulator

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/internal/selfsigned"
	"github.com/tabletop-db/tabletop/internal/webguard"
)

// CosmosKey is the master key of the emulated Cosmos DB unless WithCosmosKeys says otherwise: the one that Microsoft
// publishes for emulators, as tools expect it.
const CosmosKey = masterkey.WellKnownKey

// What the account of Cosmos DB is unless WithCosmosRegion and WithCosmosConsistency say otherwise.
const (
	DefaultCosmosRegion      = cosmos.DefaultRegion
	DefaultCosmosConsistency = string(wire.Session)
)

// CosmosConsistencies are the levels that WithCosmosConsistency takes, the strongest first.
func CosmosConsistencies() []string {
	var levels []string
	for _, level := range wire.Consistencies() {
		levels = append(levels, string(level))
	}
	return levels
}

// ErrNoCosmos is that Cosmos DB was turned off, or does not answer in the way that was asked for.
var ErrNoCosmos = errors.New("no Cosmos DB answers here: give it an address by WithCosmosAddr or WithCosmosHTTPAddr")

// cosmosOptions are how Cosmos DB is run.
type cosmosOptions struct {
	addr        string // for https; empty: off
	plain       string // for http; empty: off
	compute     string // of the compute gateway, for https; empty: off
	keys        []string
	region      string
	consistency string
	pem         *selfsigned.PEM
}

// WithCosmosAddr sets the host and port on which Cosmos DB answers by https. The default is 127.0.0.1:0, a free port;
// an empty one turns it off.
func WithCosmosAddr(addr string) Option { return func(o *options) { o.cosmos.addr = addr } }

// WithCosmosHTTPAddr has Cosmos DB answer by http too, for programs that cannot be told to trust a certificate. By
// default it does not.
func WithCosmosHTTPAddr(addr string) Option { return func(o *options) { o.cosmos.plain = addr } }

// WithCosmosComputeAddr has the account's compute gateway answer too, by https: it can address items by ids that the
// routing gateway misreads, such as those with a slash. By default it does not.
func WithCosmosComputeAddr(addr string) Option { return func(o *options) { o.cosmos.compute = addr } }

// WithCosmosKeys sets the master keys of the account, in base64, any of which signs requests. The default is CosmosKey.
func WithCosmosKeys(keys ...string) Option {
	return func(o *options) { o.cosmos.keys = append(o.cosmos.keys, keys...) }
}

// WithCosmosConsistency sets the account's default consistency level, one of CosmosConsistencies. The default is
// Session; another one than these makes Start fail.
func WithCosmosConsistency(level string) Option {
	return func(o *options) { o.cosmos.consistency = level }
}

// WithCosmosRegion names the account's region. The default is South Central US.
func WithCosmosRegion(name string) Option { return func(o *options) { o.cosmos.region = name } }

// WithCosmosCertificate has Cosmos DB answer with a certificate and key, in PEM form, that are kept. By default each
// emulator makes one for itself; see CosmosCertificate.
func WithCosmosCertificate(certificate, key []byte) Option {
	return func(o *options) { o.cosmos.pem = &selfsigned.PEM{Certificate: certificate, Key: key} }
}

// cosmosDesk is the Cosmos DB of an emulator: the service and the ports that it answers on.
type cosmosDesk struct {
	service  *cosmos.Service
	measures *cosmosMeasures
	keys     []string
	secure   *port // nil: none
	plain    *port
	compute  *port
	pem      func() (selfsigned.PEM, error) // made when it is needed first
}

// openCosmos opens the service on the emulator's state, and its ports.
func (e *Emulator) openCosmos(o options, news *lag.Overlay) error {
	measures := newCosmosMeasures()
	service, err := cosmos.New(cosmos.Config{
		Store: e.store, Clock: e.clock, Logger: o.logger, Seed: o.seed, Faults: e.faults,
		Keys: o.cosmos.keys, Region: o.cosmos.region, Consistency: wire.Consistency(o.cosmos.consistency),
		Throttling: o.like(Throttling), Pool: e.pool, News: news, Observers: []func(*telemetry.Event){measures.observe},
	})
	if err != nil {
		return err
	}
	measures.service = service
	d := &cosmosDesk{service: service, measures: measures, keys: o.cosmos.keys}
	if d.keys == nil {
		d.keys = []string{CosmosKey}
	}
	d.pem = sync.OnceValues(func() (selfsigned.PEM, error) {
		if o.cosmos.pem != nil {
			return *o.cosmos.pem, nil
		}
		return selfsigned.New(e.clock.Machine())
	})
	e.cosmos = d
	if d.secure, err = listenCosmos(o.cosmos.addr); err != nil {
		return err
	}
	if d.compute, err = listenCosmos(o.cosmos.compute); err != nil {
		return err
	}
	d.plain, err = listenCosmos(o.cosmos.plain)
	return err
}

// listenCosmos takes an address for Cosmos DB, which may have none there.
func listenCosmos(addr string) (*port, error) {
	if addr == "" {
		return nil, nil
	}
	return listen("Cosmos DB", addr)
}

// config is how the port of https serves: with the certificate, which is made at the first handshake.
func (d *cosmosDesk) config() *tls.Config {
	pair := sync.OnceValues(func() (*tls.Certificate, error) {
		pem, err := d.pem()
		if err != nil {
			return nil, err
		}
		pair, err := pem.Pair()
		return &pair, err
	})
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return pair() },
	}
}

// serve has the service answer programs where it listens, and web pages as far as visitors lets them.
func (d *cosmosDesk) serve(memory *inflight.Tracker, logger *slog.Logger, visitors webguard.Guard) {
	routing, compute := visitors.Wrap(d.service, refuseForCosmos), visitors.Wrap(d.service.ComputeGateway(), refuseForCosmos)
	d.secure.serve(routing, memory, logger, d.config())
	d.compute.serve(compute, memory, logger, d.config())
	d.plain.serve(routing, memory, logger, nil)
}

// close lets the requests under way end and frees the ports.
func (d *cosmosDesk) close(ctx context.Context) error {
	if d == nil {
		return nil
	}
	return errors.Join(d.closePorts(ctx), d.service.Close())
}

// closePorts closes the ports alone, all at once.
func (d *cosmosDesk) closePorts(ctx context.Context) error {
	var wait sync.WaitGroup
	ports := []*port{d.secure, d.compute, d.plain}
	errs := make([]error, len(ports))
	for i, p := range ports {
		wait.Go(func() { errs[i] = p.close(ctx) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// CosmosURL is the endpoint of Cosmos DB, such as https://127.0.0.1:8081/; by http where it answers by that alone, and
// empty where it is turned off.
func (e *Emulator) CosmosURL() string {
	if e.cosmos.secure == nil {
		return e.CosmosHTTPURL()
	}
	return "https://" + e.cosmos.secure.here() + "/"
}

// CosmosHTTPURL is the endpoint of Cosmos DB by http; empty without WithCosmosHTTPAddr.
func (e *Emulator) CosmosHTTPURL() string {
	if e.cosmos.plain == nil {
		return ""
	}
	return "http://" + e.cosmos.plain.here() + "/"
}

// CosmosCertificate is the certificate of CosmosURL, in PEM form, for clients to trust; ErrNoCosmos where nothing
// answers by https.
func (e *Emulator) CosmosCertificate() ([]byte, error) {
	if e.cosmos.secure == nil && e.cosmos.compute == nil {
		return nil, ErrNoCosmos
	}
	pem, err := e.cosmos.pem()
	return pem.Certificate, err
}

// CosmosPrimaryKey is the first master key of the account, in base64: CosmosKey unless WithCosmosKeys gave others.
func (e *Emulator) CosmosPrimaryKey() string { return e.cosmos.keys[0] }

// CosmosHTTPClient is an HTTP client that trusts the certificate of CosmosURL, for the transport of an SDK; ErrNoCosmos
// where Cosmos DB is turned off. Package cosmosclient makes a client of Azure's SDK of it.
func (e *Emulator) CosmosHTTPClient() (*http.Client, error) {
	if e.CosmosURL() == "" {
		return nil, ErrNoCosmos
	}
	return e.cosmos.transport()
}

// transport is an HTTP client that trusts the certificate. HTTP/1.1 has a connection for each of many requests at a
// time, which is faster on one machine than sharing one.
func (d *cosmosDesk) transport() (*http.Client, error) {
	roots := x509.NewCertPool()
	if d.secure != nil {
		pem, err := d.pem()
		if err != nil {
			return nil, err
		}
		roots = pem.Pool()
	}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		MaxIdleConnsPerHost: 64,
	}}, nil
}
