// Package cosmosclient creates clients of Azure's SDK for the Cosmos DB of an emulator. It is a package of its own so
// that programs that use only DynamoDB do not compile that SDK.
package cosmosclient

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
)

// New returns a client that connects to the emulator's CosmosURL, trusts its certificate and signs with its primary
// key. options may be nil; if it has a Transport, New keeps it. Errors: [emulator.ErrNoCosmos] if Cosmos DB is turned
// off.
func New(e *emulator.Emulator, options *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	transport, err := e.CosmosHTTPClient()
	if err != nil {
		return nil, err
	}
	key, err := azcosmos.NewKeyCredential(e.CosmosPrimaryKey())
	if err != nil {
		return nil, err
	}
	var o azcosmos.ClientOptions
	if options != nil {
		o = *options
	}
	if o.Transport == nil {
		o.Transport = transport
	}
	if e.Explored() && o.Retry.RetryDelay == 0 {
		o.Retry.RetryDelay, o.Retry.MaxRetryDelay = time.Millisecond, time.Millisecond
	}
	return azcosmos.NewClientWithKey(e.CosmosURL(), key, &o)
}
