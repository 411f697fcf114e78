package invariants

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// errNoCosmos reports an invariant of Cosmos DB without a client.
var errNoCosmos = errors.New("there is no Cosmos DB to ask: check it on an emulator or an account with Cosmos DB")

// queryCosmos finds what a query over all logical partitions returns.
func (v *Invariant) queryCosmos(ctx context.Context, d Databases, b *Break) error {
	if d.Cosmos == nil {
		return errNoCosmos
	}
	container, err := d.Cosmos.NewContainer(v.Cosmos.Database, v.Cosmos.Container)
	if err != nil {
		return err
	}
	for pages := container.NewQueryItemsPager(v.Finds, azcosmos.NewPartitionKey(), nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, each := range page.Items {
			b.add("%s", shorten(string(each)))
		}
	}
	return nil
}

// isMissingContainer reports whether an error says that a container does not exist.
func isMissingContainer(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}
