package invariants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// errNoCosmos reports an invariant of Cosmos DB without a client.
var errNoCosmos = errors.New("there is no Cosmos DB to ask: check it on an emulator or an account with Cosmos DB")

// queryCosmos finds what a query over all logical partitions returns.
func (v *Invariant) queryCosmos(ctx context.Context, d Databases, b *Break) error {
	return d.query(ctx, *v.Cosmos, v.Finds, func(document []byte) error {
		b.add("%s", shorten(string(document)))
		return nil
	})
}

// readContainer passes the documents of a container that meet a condition in SQL to do, as items.
func (d Databases) readContainer(ctx context.Context, c Container, only string, do func(item)) error {
	query := "SELECT * FROM c"
	if only != "" {
		query += " WHERE " + only
	}
	return d.query(ctx, c, query, func(document []byte) error {
		each, err := itemOf(document)
		if err == nil {
			do(each)
		}
		return err
	})
}

// query passes what a query over all logical partitions returns to do.
func (d Databases) query(ctx context.Context, c Container, query string, do func([]byte) error) error {
	if d.Cosmos == nil {
		return errNoCosmos
	}
	container, err := d.Cosmos.NewContainer(d.Prefix+c.Database, c.Container)
	if err != nil {
		return err
	}
	for pages := container.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, each := range page.Items {
			if err := do(each); err != nil {
				return err
			}
		}
	}
	return nil
}

// itemOf returns a document as an item, without the fields that the service adds.
func itemOf(document []byte) (item, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	each := item{}
	for name, value := range fields {
		switch name {
		case "_rid", "_self", "_etag", "_attachments", "_ts":
		default:
			each[name] = valueOf(value)
		}
	}
	return each, nil
}

// valueOf returns a value of JSON as one of an item.
func valueOf(value any) types.AttributeValue {
	switch value := value.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: value}
	case json.Number:
		return &types.AttributeValueMemberN{Value: value.String()}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: value}
	case []any:
		return &types.AttributeValueMemberL{Value: make([]types.AttributeValue, len(value))} // only its length is shown
	case map[string]any:
		fields := map[string]types.AttributeValue{}
		for name, field := range value {
			fields[name] = valueOf(field)
		}
		return &types.AttributeValueMemberM{Value: fields}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

// isMissingContainer reports whether an error says that a container does not exist.
func isMissingContainer(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}
