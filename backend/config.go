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

// Config says where the backend keeps its data and who may use it. AdminToken and Pepper are required, and AWS for the
// systems on DynamoDB.
type Config struct {
	// Systems are the names of those that are mounted, such as telemetry; when there are none, all whose database is
	// given.
	Systems []string
	// AWS has region, credentials and, for anything but AWS itself, BaseEndpoint. Without an HTTPClient of its own
	// the backend uses one that keeps enough connections for its concurrency.
	AWS         aws.Config
	TablePrefix string // before every table name; empty by default
	// Cosmos is the account of the systems on Cosmos DB; without one there are none of these. Its databases' names
	// begin with TablePrefix.
	Cosmos           *azcosmos.Client
	CosmosThroughput notification.Throughput // of each container that is made; 400 request units a second when zero

	AdminToken string // the bearer token of admin endpoints
	Pepper     string // hashed before each API key; from the environment, never from the database
	// Tokens verifies the bearer tokens of people. When nil, they are those of an issuer of the server's own, which
	// gives a token about anybody to whoever asks at /auth/token: for development only.
	Tokens auth.Verifier
	// TrustedHosts are host names by which clients may call the server, and whose web pages may, beside those that are
	// trusted anyway: see webguard. It matters only where Tokens is nil: pages that somebody visits could get tokens
	// otherwise.
	TrustedHosts []string
	// PushURL is where push messages go: the base address of Expo's push service, or of a gateway that speaks like it.
	// Empty: none are sent, and a request to send some says so.
	PushURL string
	// Senders are those of notifications by platform; when nil, the gateway at PushURL gets their pushes, in the forms
	// of FCM and APNs.
	Senders map[notification.Platform]push.Sender
	// Work has Serve take up what is waiting as well, as the jobs of the systems do: notifications that were enqueued
	// each second, kefir's reminders each minute where there is a PushURL. Any number may do so at once. False leaves
	// it to others.
	Work bool
	// ActiveIndex has active devices carry the key of the index by platform that devicetoken.ActiveIndexDescription
	// adds.
	ActiveIndex bool

	// TLS serves by TLS 1.2 or newer with its certificates, as ServerTLS reads them; nil serves plain HTTP, for the
	// desk or behind something that ends TLS.
	TLS *tls.Config

	// PIIKeyset is a Tink keyset in JSON that stands in for KMS, where a target has none: it wraps the keyset that
	// seals contact data. Empty: the key alias/verification-pii of KMS does.
	PIIKeyset []byte
	// Uploads is where the files of documents go: a folder, or s3://BUCKET. Empty: into memory, until the process ends.
	Uploads string

	Retention time.Duration    // of readings; 90 days when zero
	Now       func() time.Time // time.Now when nil
	Logger    *slog.Logger     // discards when nil
	// Wait pauses between tries of a database call; a timer when nil. Tests that move a clock set it.
	Wait func(context.Context, time.Duration) error

	ClientOptions []func(*dynamodb.Options) // applied last, so that a caller can record or change what goes out
	// Observer measures and traces what the server does, and serves its metrics at /metrics; nil does neither.
	// Operations of Cosmos are traced where that client was made with Observer.Cosmos. The caller closes it when the
	// server has ended.
	Observer *observe.Observer
	// Around is put around the handler of all requests, so that a caller can measure what comes in; nil adds nothing.
	Around func(http.Handler) http.Handler
}

// complete fills in what New needs.
func (c Config) complete() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Around == nil {
		c.Around = func(h http.Handler) http.Handler { return h }
	}
	if c.Observer != nil {
		around := c.Around
		c.Around = func(h http.Handler) http.Handler { return around(c.Observer.Around(h)) }
		c.ClientOptions = append(slices.Clip(c.ClientOptions), c.Observer.DynamoDB)
	}
	return c
}

// pushClient is the client of what sends pushes; nil leaves it to package push.
func (c Config) pushClient() *http.Client {
	if c.Observer == nil {
		return nil
	}
	return push.NewClient(c.Observer.Transport)
}

// choose are the systems that are mounted. One that is named and whose database is not given is an error.
func (c Config) choose() ([]System, error) {
	systems, err := Choose(c.Systems...)
	if err != nil || c.Cosmos != nil {
		return systems, err
	}
	i := slices.IndexFunc(systems, func(s System) bool { return s.Store == CosmosDB })
	if i >= 0 && len(c.Systems) > 0 {
		return nil, fmt.Errorf("%s is on Cosmos DB: give its account by --cosmos-endpoint", systems[i].Name)
	}
	return onDynamoDB(systems), nil
}
