package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// cosmosAccountFlags holds the flags of the Cosmos DB account that a command uses, if it uses one.
type cosmosAccountFlags struct {
	endpoint, key string
	autoscale     int32
	tracing       tracing.Provider // no flag: traces the requests to it
}

func (a *cosmosAccountFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&a.endpoint, "cosmos-endpoint", "", "Endpoint of the Cosmos DB account for notifications, such as "+
		"https://127.0.0.1:8081. Also set by AZURE_COSMOS_ENDPOINT.")
	flags.StringVar(&a.key, "cosmos-key", "", "Key of the Cosmos DB account. Also set by AZURE_COSMOS_KEY. Default: the "+
		"emulator's key for an account on this machine, otherwise the default Azure credential.")
}

// open returns a client of the account after checking that the account responds, or nil if no account is named. An
// account that is not on this machine costs money, so it needs yesSpend.
func (a *cosmosAccountFlags) open(ctx context.Context, yesSpend bool) (*azcosmos.Client, error) {
	client, err := a.client(yesSpend)
	if client == nil || err != nil {
		return nil, err
	}
	return client, a.checkReachable(ctx, client)
}

// reachTimeout is how long an account may take to respond to the first request.
const reachTimeout = 15 * time.Second

// checkReachable checks that the account responds and accepts the credential, by listing the databases. The identity
// need not have permission to list them.
func (a *cosmosAccountFlags) checkReachable(parent context.Context, client *azcosmos.Client) error {
	ctx, cancel := context.WithTimeout(policy.WithRetryOptions(parent, policy.RetryOptions{MaxRetries: -1}), reachTimeout)
	defer cancel()
	_, err := client.NewQueryDatabasesPager("SELECT * FROM c", nil).NextPage(ctx)
	var answered *azcore.ResponseError
	var untrusted *tls.CertificateVerificationError
	switch {
	case err == nil:
		return nil
	case parent.Err() != nil:
		return parent.Err()
	case errors.As(err, &untrusted):
		return command.Usagef("--cosmos-endpoint %s: certificate not trusted (%v): "+
			"run tabletop cosmos cert --endpoint %[1]s --out cosmos.crt, and set SSL_CERT_FILE=cosmos.crt",
			a.endpoint, untrusted.Err)
	case !errors.As(err, &answered):
		return command.Usagef("cannot reach Cosmos DB at %s: start it with tabletop emulator, or correct --cosmos-endpoint",
			a.endpoint)
	case answered.StatusCode == http.StatusUnauthorized:
		return command.Usagef("%s rejected the account key: set --cosmos-key to a key of the account", a.endpoint)
	case answered.StatusCode == http.StatusForbidden, answered.StatusCode == http.StatusTooManyRequests:
		return nil
	}
	return command.Usagef("%s is not a Cosmos DB account (it returned %d %s): correct --cosmos-endpoint",
		a.endpoint, answered.StatusCode, answered.ErrorCode)
}

// client returns a client of the account without sending a request.
func (a *cosmosAccountFlags) client(yesSpend bool) (*azcosmos.Client, error) {
	if a.endpoint == "" {
		return nil, nil
	}
	at, err := url.Parse(a.endpoint)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, command.Usagef("--cosmos-endpoint %q is not a URL: use one such as https://127.0.0.1:8081", a.endpoint)
	}
	if a.autoscale != 0 {
		if err := a.throughput().Check(); err != nil {
			return nil, command.Usagef("--cosmos-autoscale: %v", err)
		}
	}
	here := loopback.Is(at.Hostname())
	if !here && !yesSpend {
		return nil, command.Usagef("the account %s may cost money: confirm with --yes-spend", at.Host)
	}
	key := a.key
	if key == "" && here {
		key = emulator.CosmosKey
	}
	options := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: localTransport(at),
		TracingProvider: a.tracing}}
	if key == "" {
		return a.clientByIdentity(options)
	}
	if _, err := base64.StdEncoding.DecodeString(key); err != nil {
		return nil, command.Usagef("--cosmos-key is not base64: use a key of the account")
	}
	credential, err := azcosmos.NewKeyCredential(key)
	if err != nil {
		return nil, command.Usagef("--cosmos-key: %v", err)
	}
	return azcosmos.NewClientWithKey(a.endpoint, credential, options)
}

func (a *cosmosAccountFlags) clientByIdentity(options *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	credential, err := azidentity.NewDefaultAzureCredential(nil)
	if err != nil {
		return nil, command.Usagef("no Azure credential: set --cosmos-key, or log in with az login: %v", err)
	}
	return azcosmos.NewClient(a.endpoint, credential, options)
}

func (a *cosmosAccountFlags) throughput() notification.Throughput {
	return notification.Throughput{Autoscale: a.autoscale}
}

// localTransport returns a transport for an account on this machine: it allows many concurrent requests and trusts the
// certificate of the user's emulators. For other accounts it returns nil, which selects the SDK's own.
func localTransport(at *url.URL) policy.Transporter {
	if !loopback.Is(at.Hostname()) {
		return nil
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	if at.Scheme == "https" {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: trustedRoots()}
	}
	return &http.Client{Transport: t}
}

// trustedRoots returns the certificates that the system trusts and that of the user's emulators, if there is one.
func trustedRoots() *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if pem, err := emulatorcmd.UserCertificate(); err == nil {
		pool.AppendCertsFromPEM(pem.Certificate)
	}
	return pool
}
