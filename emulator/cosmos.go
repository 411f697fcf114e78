package emulator

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/internal/util/selfsigned"
	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

// CosmosKey is the default master key of the emulated Cosmos DB: the one that Microsoft publishes for its emulator and
// that tools expect. WithCosmosKeys sets others.
const CosmosKey = masterkey.WellKnownKey

// Defaults of the Cosmos DB account; see WithCosmosRegion and WithCosmosConsistency.
const (
	DefaultCosmosRegion      = cosmos.DefaultRegion
	DefaultCosmosConsistency = string(wire.Session)
)

// CosmosConsistencies returns the consistency levels that WithCosmosConsistency accepts, the strongest first.
func CosmosConsistencies() []string {
	var levels []string
	for _, level := range wire.Consistencies() {
		levels = append(levels, string(level))
	}
	return levels
}

// ErrNoCosmos reports that Cosmos DB is turned off, or does not answer on the requested protocol.
var ErrNoCosmos = errors.New("no address for Cosmos DB: set one with WithCosmosAddr or WithCosmosHTTPAddr")

// cosmosOptions are the settings of Cosmos DB.
type cosmosOptions struct {
	httpsAddr   string // of https; empty: off
	httpAddr    string // of http; empty: off
	computeAddr string // of the compute gateway, by https; empty: off
	keys        []string
	region      string
	consistency string
	backupDays  int // of continuous backup; 0: none
	pem         *selfsigned.PEM
}

// WithCosmosAddr sets the host and port of Cosmos DB for https. The default is 127.0.0.1:0, a free port; an empty addr
// turns https off.
func WithCosmosAddr(addr string) Option { return func(o *options) { o.cosmos.httpsAddr = addr } }

// WithCosmosHTTPAddr makes Cosmos DB answer over http too, for programs that cannot be made to trust a certificate. By
// default it does not.
func WithCosmosHTTPAddr(addr string) Option { return func(o *options) { o.cosmos.httpAddr = addr } }

// WithCosmosComputeAddr makes the account's compute gateway answer too, over https. It can address items whose ids the
// routing gateway misreads, such as ids with a slash. By default it does not answer.
func WithCosmosComputeAddr(addr string) Option {
	return func(o *options) { o.cosmos.computeAddr = addr }
}

// WithCosmosKeys sets the master keys of the account, in base64. A request may be signed with any of them. The default
// is CosmosKey.
func WithCosmosKeys(keys ...string) Option {
	return func(o *options) { o.cosmos.keys = append(o.cosmos.keys, keys...) }
}

// WithCosmosConsistency sets the account's default consistency level, one of CosmosConsistencies. The default is
// Session. Start fails if the level is unknown.
func WithCosmosConsistency(level string) Option {
	return func(o *options) { o.cosmos.consistency = level }
}

// WithCosmosRegion sets the name of the account's region. The default is South Central US.
func WithCosmosRegion(name string) Option { return func(o *options) { o.cosmos.region = name } }

// WithCosmosContinuousBackup keeps earlier states of containers for 7 or 30 days, as the tiers Continuous7Days and
// Continuous30Days of the service do: the web console shows and restores them. Each write costs more then. By default,
// and with 0, there are none, and those that a data folder has are removed. Start fails for another number.
func WithCosmosContinuousBackup(days int) Option {
	return func(o *options) { o.cosmos.backupDays = days }
}

// errBackupDays reports a period that the service does not have.
var errBackupDays = errors.New("the continuous backup of Cosmos DB keeps 7 or 30 days: use one of these, or 0 for none")

// WithCosmosCertificate sets the certificate and key, in PEM form, that Cosmos DB answers with. By default each
// emulator creates its own; see CosmosCertificate.
func WithCosmosCertificate(certificate, key []byte) Option {
	return func(o *options) { o.cosmos.pem = &selfsigned.PEM{Certificate: certificate, Key: key} }
}

// cosmosServer is the Cosmos DB of an emulator: the service and the ports that it listens on.
type cosmosServer struct {
	service *cosmos.Service
	metrics *cosmosMetrics
	keys    []string
	https   *port // nil: off
	http    *port
	compute *port
	pem     func() (selfsigned.PEM, error) // created on first use
}

// openCosmos opens the Cosmos DB service on the emulator's store, and its ports.
func (e *Emulator) openCosmos(o options, pendingWrites *lag.Overlay) error {
	days := o.cosmos.backupDays
	metrics := newCosmosMetrics()
	service, err := cosmos.New(cosmos.Config{
		Store: e.store, Clock: e.clock, Logger: o.logger, Seed: o.seed, Faults: e.faults,
		Keys: o.cosmos.keys, Region: o.cosmos.region, Consistency: wire.Consistency(o.cosmos.consistency),
		Throttling: o.enabled(Throttling), Pool: e.pool, PendingWrites: pendingWrites,
		ContinuousBackup: time.Duration(days) * 24 * time.Hour,
		Observers: []func(*telemetry.Event){metrics.observe, e.recorder.observeCosmos,
			e.watcher.observeCosmos},
	})
	if err != nil {
		return err
	}
	metrics.service = service
	d := &cosmosServer{service: service, metrics: metrics, keys: o.cosmos.keys}
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
	if d.https, err = listenCosmos(o.cosmos.httpsAddr); err != nil {
		return err
	}
	if d.compute, err = listenCosmos(o.cosmos.computeAddr); err != nil {
		return err
	}
	d.http, err = listenCosmos(o.cosmos.httpAddr)
	return err
}

// listenCosmos listens on an address for Cosmos DB. An empty address returns a nil port.
func listenCosmos(addr string) (*port, error) {
	if addr == "" {
		return nil, nil
	}
	return listen("Cosmos DB", addr)
}

// config returns the TLS configuration of the https ports. The certificate is created at the first handshake.
func (d *cosmosServer) config() *tls.Config {
	pair := sync.OnceValues(func() (*tls.Certificate, error) {
		pem, err := d.pem()
		if err != nil {
			return nil, err
		}
		pair, err := pem.TLSCertificate()
		return &pair, err
	})
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return pair() },
	}
}

// serve serves the service on its ports, to web pages as far as guard allows. with adds the console to the routing
// gateway on a port.
func (d *cosmosServer) serve(memory *inflight.Tracker, logger *slog.Logger, guard webguard.Guard,
	with func(http.Handler, *port) http.Handler) {
	routing := guard.Wrap(d.withCertificate(d.service), refuseForCosmos)
	compute := guard.Wrap(d.service.ComputeGateway(), refuseForCosmos)
	if d.https != nil {
		d.https.serve(with(routing, d.https), memory, logger, d.config())
	}
	d.compute.serve(compute, memory, logger, d.config())
	if d.http != nil {
		d.http.serve(with(routing, d.http), memory, logger, nil)
	}
}

// close waits for the requests in progress until ctx is done, then closes the ports and the service.
func (d *cosmosServer) close(ctx context.Context) error {
	if d == nil {
		return nil
	}
	return errors.Join(d.closePorts(ctx), d.service.Close())
}

// closePorts closes only the ports, all at the same time.
func (d *cosmosServer) closePorts(ctx context.Context) error {
	var wait sync.WaitGroup
	ports := []*port{d.https, d.compute, d.http}
	errs := make([]error, len(ports))
	for i, p := range ports {
		wait.Go(func() { errs[i] = p.close(ctx) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// CosmosURL returns the endpoint of Cosmos DB, such as https://127.0.0.1:8081/. It is an http URL if Cosmos DB answers
// only over http, and empty if Cosmos DB is turned off.
func (e *Emulator) CosmosURL() string {
	if e.cosmos.https == nil {
		return e.CosmosHTTPURL()
	}
	return "https://" + e.cosmos.https.loopbackAddr() + "/"
}

// CosmosHTTPURL returns the http endpoint of Cosmos DB, or an empty string without WithCosmosHTTPAddr.
func (e *Emulator) CosmosHTTPURL() string {
	if e.cosmos.http == nil {
		return ""
	}
	return "http://" + e.cosmos.http.loopbackAddr() + "/"
}

// CosmosCertificate returns the certificate of CosmosURL, in PEM form, for clients to trust. Errors: ErrNoCosmos if
// nothing answers over https.
func (e *Emulator) CosmosCertificate() ([]byte, error) {
	if e.cosmos.https == nil && e.cosmos.compute == nil {
		return nil, ErrNoCosmos
	}
	pem, err := e.cosmos.pem()
	return pem.Certificate, err
}

// CosmosPrimaryKey returns the first master key of the account, in base64: CosmosKey unless WithCosmosKeys set others.
func (e *Emulator) CosmosPrimaryKey() string { return e.cosmos.keys[0] }

// CosmosHTTPClient returns an HTTP client that trusts the certificate of CosmosURL, for the transport of an SDK.
// Errors: ErrNoCosmos if Cosmos DB is turned off. Package cosmosclient creates a client of Azure's SDK with it.
func (e *Emulator) CosmosHTTPClient() (*http.Client, error) {
	if e.CosmosURL() == "" {
		return nil, ErrNoCosmos
	}
	return e.cosmos.transport()
}

// transport returns an HTTP client that trusts the certificate. It uses HTTP/1.1 with a connection for each concurrent
// request, which is faster on one machine than sharing an HTTP/2 connection.
func (d *cosmosServer) transport() (*http.Client, error) {
	roots := x509.NewCertPool()
	if d.https != nil {
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
