package backend

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/backend/push"
)

// Config configures the backend. AdminToken and Pepper are required, and AWS for the systems on DynamoDB.
type Config struct {
	// Systems are the names of the systems to mount, such as telemetry; default: all whose database is configured.
	Systems []string
	// AWS has the region, the credentials and, for anything but AWS itself, BaseEndpoint. If it has no HTTPClient of
	// the caller's own, the backend uses one that keeps enough connections for its concurrency.
	AWS         aws.Config
	TablePrefix string // prefix of every table name; default: empty
	// Cosmos is the account of the systems on Cosmos DB; without it, they are not available. The names of its databases
	// start with TablePrefix.
	Cosmos           *azcosmos.Client
	CosmosThroughput notification.Throughput // of each container that is created; default: 400 RU/s

	AdminToken string // bearer token of the admin endpoints
	Pepper     string // hashed with each API key; keep it in the environment, never in the database
	// Tokens verifies the bearer tokens of users. When it is nil, the server has its own issuer, which issues a token
	// for any subject to any caller of /auth/token: for development only.
	Tokens auth.Verifier
	// TrustedHosts are additional host names by which clients may address the server and whose web pages may access it:
	// see webguard. They matter only when Tokens is nil: otherwise a web page that somebody visits could get tokens.
	TrustedHosts []string
	// PushURL is the base address of Expo's push service, or of a gateway with the same API. Empty: no pushes are sent,
	// and requests to send some fail with an explanation.
	PushURL string
	// Senders send notifications, by platform. When it is nil, the gateway at PushURL receives the pushes by the APIs
	// of FCM and APNs.
	Senders map[notification.Platform]push.Sender
	// RunWorkers makes Serve also process what is waiting, as the jobs of the systems do: enqueued notifications every
	// second, kefir's reminders every minute if there is a PushURL. Any number of processes may do so concurrently.
	RunWorkers bool
	// ActiveIndex adds to active devices the key of the index by platform that devicetoken.ActiveIndexDescription
	// creates.
	ActiveIndex bool

	// TLS serves TLS 1.2 or newer with its certificates, as ServerTLS loads them; nil serves plain HTTP, for local use
	// or behind a TLS proxy.
	TLS *tls.Config

	// PIIKeyset is a Tink keyset in JSON that replaces KMS on targets without it: it wraps the keyset that seals
	// contact data. Empty: the KMS key alias/verification-pii.
	PIIKeyset []byte
	// Uploads is where the files of documents are stored: a folder, or s3://BUCKET. Empty: in memory.
	Uploads string

	Retention time.Duration    // of readings; default: 90 days
	Now       func() time.Time // default: time.Now
	Logger    *slog.Logger     // default: discards
	// Wait pauses between attempts of a database call; default: a timer. Tests that control a clock set it.
	Wait func(context.Context, time.Duration) error

	ClientOptions []func(*dynamodb.Options) // applied last, so that a caller can record or change requests
	// Observer measures and traces what the server does, and its metrics are served at /metrics; may be nil. Operations
	// of Cosmos are traced if that client was created with Observer.Cosmos. The caller closes the Observer after the
	// server has ended.
	Observer *observe.Observer
	// Middleware wraps the handler of all requests, so that a caller can measure them; may be nil.
	Middleware func(http.Handler) http.Handler
}

// withDefaults sets the defaults that New needs.
func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Middleware == nil {
		c.Middleware = func(h http.Handler) http.Handler { return h }
	}
	if c.Observer != nil {
		middleware := c.Middleware
		c.Middleware = func(h http.Handler) http.Handler { return middleware(c.Observer.Middleware(h)) }
		c.ClientOptions = append(slices.Clip(c.ClientOptions), c.Observer.DynamoDB)
	}
	return c
}

// pushClient returns the client of newClient for sending pushes, observed; nil leaves it to package push.
func (c Config) pushClient(newClient func(wrap func(http.RoundTripper) http.RoundTripper) *http.Client) *http.Client {
	if c.Observer == nil {
		return nil
	}
	return newClient(c.Observer.Transport)
}

// systems returns the systems to mount. Errors: a system is named whose database is not configured.
func (c Config) systems() ([]System, error) {
	systems, err := Choose(c.Systems...)
	if err != nil || c.Cosmos != nil {
		return systems, err
	}
	i := slices.IndexFunc(systems, func(s System) bool { return s.Store == CosmosDB })
	if i >= 0 && len(c.Systems) > 0 {
		return nil, fmt.Errorf("%s needs Cosmos DB: set --cosmos-endpoint", systems[i].Name)
	}
	return onDynamoDB(systems), nil
}
