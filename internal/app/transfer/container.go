package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/cosmoserror"
)

// ErrNoContainer is the error of a container that does not exist.
var ErrNoContainer = errors.New("the container does not exist")

// Container is a container of Cosmos DB.
type Container struct {
	client *azcosmos.ContainerClient
	paths  []string // of the partition key, such as /customer/id
}

// ParseContainer splits the name of a container: DATABASE/CONTAINER.
func ParseContainer(name string) (database, container string, ok bool) {
	database, container, ok = strings.Cut(name, "/")
	return database, container, ok && database != "" && container != "" && !strings.Contains(container, "/")
}

// OpenContainer finds a container. Errors: ErrNoContainer.
func OpenContainer(ctx context.Context, account *azcosmos.Client, database, name string) (*Container, error) {
	client, err := account.NewContainer(database, name)
	if err != nil {
		return nil, err
	}
	read, err := client.Read(ctx, nil)
	switch {
	case statusOf(err) == http.StatusNotFound:
		return nil, ErrNoContainer
	case err != nil:
		return nil, plainCosmosError(err)
	}
	return &Container{client, read.ContainerProperties.PartitionKeyDefinition.Paths}, nil
}

// CreateContainer creates a container, and its database, if they do not exist. paths are those of the partition key.
func CreateContainer(ctx context.Context, account *azcosmos.Client, database, name string, paths []string) error {
	_, err := account.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: database}, nil)
	if err != nil && statusOf(err) != http.StatusConflict {
		return plainCosmosError(err)
	}
	db, err := account.NewDatabase(database)
	if err != nil {
		return err
	}
	key := azcosmos.PartitionKeyDefinition{Paths: paths, Kind: azcosmos.PartitionKeyKindHash, Version: 2}
	if len(paths) > 1 {
		key.Kind = azcosmos.PartitionKeyKindMultiHash
	}
	_, err = db.CreateContainer(ctx, azcosmos.ContainerProperties{ID: name, PartitionKeyDefinition: key}, nil)
	if err != nil && statusOf(err) != http.StatusConflict {
		return plainCosmosError(err)
	}
	return nil
}

// Containers returns the names of all containers, as ParseContainer reads them.
func Containers(ctx context.Context, account *azcosmos.Client) (names []string, err error) {
	for databases := account.NewQueryDatabasesPager("SELECT * FROM c", nil); databases.More(); {
		page, err := databases.NextPage(ctx)
		if err != nil {
			return nil, plainCosmosError(err)
		}
		for _, d := range page.Databases {
			db, err := account.NewDatabase(d.ID)
			if err != nil {
				return nil, err
			}
			for containers := db.NewQueryContainersPager("SELECT * FROM c", nil); containers.More(); {
				page, err := containers.NextPage(ctx)
				if err != nil {
					return nil, plainCosmosError(err)
				}
				for _, c := range page.Containers {
					names = append(names, d.ID+"/"+c.ID)
				}
			}
		}
	}
	return names, nil
}

// DocumentPage is a page of a query's results, each in JSON.
type DocumentPage struct {
	Documents    [][]byte
	RequestUnits float64
}

// Query runs a query and calls page for each page. partition is the partition key as JSON, such as "ana" or ["a", 1];
// empty: all partitions. Cosmos DB itself serves only queries whose results need not be merged, the emulator all.
func (c *Container) Query(ctx context.Context, text, partition string, page func(DocumentPage) error) error {
	key := azcosmos.NewPartitionKey()
	if partition != "" {
		var err error
		if key, err = parsePartitionKey(partition); err != nil {
			return err
		}
	}
	err := c.pages(ctx, text, key, page)
	if !needsMerge(err) {
		return err
	}
	if err = c.pages(policy.WithHTTPHeader(ctx, allHashes), text, key, page); needsMerge(err) {
		return errNeedsMerge
	}
	return err
}

// allHashes names the range of all partitions, over which the emulator runs any query.
var allHashes = http.Header{"X-Ms-Read-Key-Type": {"EffectivePartitionKeyRange"}}

var errNeedsMerge = errors.New("this query runs only within a partition, because an SDK would have to merge its " +
	`results: give its key, such as --partition-key '"ana"'`)

// needsMerge reports whether an error is that of a query whose results a client has to merge.
func needsMerge(err error) bool {
	return err != nil && strings.Contains(err.Error(), "cross partition query can not be directly served by the gateway")
}

// pages calls page for each page of a query.
func (c *Container) pages(ctx context.Context, text string, key azcosmos.PartitionKey,
	page func(DocumentPage) error) error {
	for pages := c.client.NewQueryItemsPager(text, key, nil); pages.More(); {
		got, err := pages.NextPage(ctx)
		if err != nil {
			return plainCosmosError(err)
		}
		if err := page(DocumentPage{got.Items, float64(got.RequestCharge)}); err != nil {
			return withoutStop(err)
		}
	}
	return nil
}

var errPartitionKey = errors.New(`the partition key is not JSON: use a value such as '"ana"', or an array of values`)

func parsePartitionKey(text string) (azcosmos.PartitionKey, error) {
	key := azcosmos.NewPartitionKey()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return key, errPartitionKey
	}
	all, ok := value.([]any)
	if !ok {
		all = []any{value}
	}
	for _, v := range all {
		switch v := v.(type) {
		case string:
			key = key.AppendString(v)
		case float64:
			key = key.AppendNumber(v)
		case bool:
			key = key.AppendBool(v)
		case nil:
			key = key.AppendNull()
		default:
			return key, errPartitionKey
		}
	}
	return key, nil
}

// SystemProperties returns the names of the properties that Cosmos DB adds to documents.
func SystemProperties() []string { return []string{"_rid", "_self", "_etag", "_attachments", "_ts"} }

// WithoutSystemProperties returns a document without what Cosmos DB adds to it.
func WithoutSystemProperties(document datafile.Item) datafile.Item {
	return slices.DeleteFunc(document, func(a datafile.Attribute) bool {
		return slices.Contains(SystemProperties(), a.Name)
	})
}

// statusOf returns the status of a response that is an error, or 0.
func statusOf(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}

// plainCosmosError returns the service's code and message on one line; the SDK's text is the whole response.
func plainCosmosError(err error) error {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return err
	}
	return errors.New(cosmoserror.Line(response))
}
