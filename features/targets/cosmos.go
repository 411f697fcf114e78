package targets

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/util/loopback"
)

// The environment variables with the endpoint and the key of Cosmos DB.
const (
	cosmosEndpoint = "AZURE_COSMOS_ENDPOINT"
	cosmosKey      = "AZURE_COSMOS_KEY"
)

// errSpendAzure is the error of a run that would cost money without consent.
var errSpendAzure = errors.New("databases on Azure may cost money: confirm with --yes-spend")

// openAzure opens a real account, with the key in the environment or with the default Azure credential.
func openAzure(ctx context.Context, o Options) (*Target, error) {
	if !o.SpendAllowed {
		return nil, errSpendAzure
	}
	endpoint := os.Getenv(cosmosEndpoint)
	if endpoint == "" {
		return nil, fmt.Errorf("no Cosmos DB account is set: set %s, for example %[1]s=https://NAME.documents.azure.com:443/",
			cosmosEndpoint)
	}
	t := &Target{
		Name: string(Azure), Detail: "Azure Cosmos DB at " + endpoint, Endpoint: endpoint, TablePrefix: newPrefix(),
		Cannot: map[Capability]string{
			DynamoDB:         "Azure has no DynamoDB",
			MoveTime:         "the clock of Azure cannot be controlled",
			PrivateStore:     "all databases of a run share one account",
			Commands:         "faults and lag cannot be injected into Azure",
			IsolatedAccounts: "one credential belongs to one account",
		},
	}
	if key := os.Getenv(cosmosKey); key != "" {
		t.cosmos = byKey(endpoint, key)
		t.account = func() (*CosmosAccount, error) { return &CosmosAccount{endpoint, key, http.DefaultClient}, nil }
	} else {
		t.account = func() (*CosmosAccount, error) {
			return nil, fmt.Errorf("requests are signed with a key: set %s", cosmosKey)
		}
		credential, err := azidentity.NewDefaultAzureCredential(nil)
		if err != nil {
			return nil, fmt.Errorf("no Azure credential was found: sign in with az login, or set %s (%w)", cosmosKey, err)
		}
		t.cosmos = func(o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
			return azcosmos.NewClient(endpoint, credential, o)
		}
	}
	if err := checkReachable(ctx, t); err != nil {
		return nil, err
	}
	t.closers = append(t.closers, func() error { return dropDatabases(t) })
	o.Logger.Info("databases will be created on Azure and removed at the end", "endpoint", endpoint,
		"prefix", t.TablePrefix)
	return t, nil
}

// openCosmos opens an emulator of Cosmos DB, Tabletop's or another, at an endpoint. The key is the environment's, or
// else the emulators' well-known key. A self-signed certificate is accepted only on this machine.
func openCosmos(ctx context.Context, endpoint string) (*Target, error) {
	key := os.Getenv(cosmosKey)
	if key == "" {
		key = emulator.CosmosKey
	}
	transport := localTransport(endpoint)
	t := &Target{
		Name: "cosmos=" + endpoint, Detail: endpoint, Endpoint: endpoint, TablePrefix: newPrefix(),
		cosmos:  withTransport(byKey(endpoint, key), transport),
		account: func() (*CosmosAccount, error) { return &CosmosAccount{endpoint, key, transport}, nil },
		Cannot: map[Capability]string{
			DynamoDB:         "a Cosmos DB endpoint has no DynamoDB",
			MoveTime:         "the clock of an endpoint given by URL cannot be controlled",
			PrivateStore:     "all scenarios share an endpoint given by URL",
			Commands:         "an endpoint given by URL cannot be restarted or reconfigured",
			IsolatedAccounts: "one key belongs to one account",
		},
	}
	if err := checkReachable(ctx, t); err != nil {
		return nil, err
	}
	t.closers = append(t.closers, func() error { return dropDatabases(t) })
	return t, nil
}

// CosmosAccount is how to reach an account without an SDK.
type CosmosAccount struct {
	Endpoint string
	Key      string // in base64
	Client   *http.Client
}

// CosmosAccount returns the target's account of Cosmos DB, nil if it has none. Errors: no key is set.
func (t *Target) CosmosAccount() (*CosmosAccount, error) {
	if t.account == nil {
		return nil, nil
	}
	return t.account()
}

// opener returns a client of an account.
type opener func(*azcosmos.ClientOptions) (*azcosmos.Client, error)

func byKey(endpoint, key string) opener {
	return func(o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
		credential, err := azcosmos.NewKeyCredential(key)
		if err != nil {
			return nil, fmt.Errorf("the key of Cosmos DB is not base64: correct %s (%w)", cosmosKey, err)
		}
		return azcosmos.NewClientWithKey(endpoint, credential, o)
	}
}

// withTransport makes clients use a transport unless they have one.
func withTransport(open opener, transport *http.Client) opener {
	return func(o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
		var with azcosmos.ClientOptions
		if o != nil {
			with = *o
		}
		if with.Transport == nil {
			with.Transport = transport
		}
		return open(&with)
	}
}

// localTransport accepts any certificate of a server on this machine: emulators generate their own.
func localTransport(endpoint string) *http.Client {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if u, err := url.Parse(endpoint); err == nil && loopback.Is(u.Hostname()) {
		cfg.InsecureSkipVerify = true
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: cfg, MaxIdleConnsPerHost: 64}}
}

// checkReachable sends the account the cheapest request.
func checkReachable(ctx context.Context, t *Target) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := databasesWithPrefix(ctx, t)
	var answer *azcore.ResponseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer) && (answer.StatusCode == http.StatusUnauthorized ||
		answer.StatusCode == http.StatusForbidden):
		return fmt.Errorf("%s rejected the credential: correct %s, or assign the identity a role in the account (%s)",
			t.Endpoint, cosmosKey, answer.ErrorCode)
	}
	return fmt.Errorf("cannot reach Cosmos DB at %s: start it, or correct the URL (%w)", t.Endpoint, err)
}

// databasesWithPrefix returns the existing databases of this run.
func databasesWithPrefix(ctx context.Context, t *Target) ([]string, error) {
	client, err := t.Cosmos(nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for pages := client.NewQueryDatabasesPager("SELECT * FROM c", nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, d := range page.Databases {
			if strings.HasPrefix(d.ID, t.TablePrefix) {
				names = append(names, d.ID)
			}
		}
	}
	return names, nil
}

// dropDatabases deletes every database with the target's prefix. It is the last cleanup of a run, also after a failure.
func dropDatabases(t *Target) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	names, err := databasesWithPrefix(ctx, t)
	if err != nil {
		return fmt.Errorf("cannot list databases to remove %s*: delete them manually (%w)", t.TablePrefix, err)
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, DropDatabase(ctx, t, name))
	}
	return errors.Join(errs...)
}

// DropDatabase deletes a Cosmos DB database if it exists.
func DropDatabase(ctx context.Context, t *Target, name string) error {
	client, err := t.Cosmos(nil)
	if err != nil {
		return err
	}
	database, err := client.NewDatabase(name)
	if err != nil {
		return err
	}
	_, err = database.Delete(ctx, nil)
	var answer *azcore.ResponseError
	if err == nil || errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
		return nil
	}
	return fmt.Errorf("database %s was not deleted: delete it manually (%w)", name, err)
}
