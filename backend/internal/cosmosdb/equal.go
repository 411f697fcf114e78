package cosmosdb

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// storedEquals reports whether the stored document equals the one in text, apart from system properties, and returns
// its ETag.
func (c *Container) storedEquals(ctx context.Context, key, id string, text []byte) (azcore.ETag, bool) {
	out, err := c.client.ReadItem(ctx, azcosmos.NewPartitionKeyString(key), id,
		&azcosmos.ItemOptions{SessionToken: c.session(ctx, key)})
	c.recordResponse(ctx, key, out.Response, err)
	if err != nil {
		return "", false
	}
	var want, got map[string]any
	if json.Unmarshal(text, &want) != nil || json.Unmarshal(out.Value, &got) != nil {
		return "", false
	}
	for _, added := range []string{"_rid", "_self", "_etag", "_ts", "_attachments"} {
		delete(got, added)
	}
	return out.ETag, reflect.DeepEqual(want, got)
}
