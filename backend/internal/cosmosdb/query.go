package cosmosdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Query is a query of one logical partition, or of all partitions when PartitionKey is empty. A cross-partition query
// must be one that the gateway serves by itself: it may filter and project, but neither sort nor aggregate.
type Query struct {
	PartitionKey string
	Text         string
	Parameters   map[string]any // parameters by name, with the @
	PageSize     int            // maximum documents per page; the database chooses when 0
}

// options returns the options of the request for one page.
func (q Query) options(token string, session *string) *azcosmos.QueryOptions {
	o := &azcosmos.QueryOptions{PageSizeHint: int32(q.PageSize), SessionToken: session}
	if q.PageSize == 0 {
		o.PageSizeHint = -1
	}
	for _, name := range slices.Sorted(maps.Keys(q.Parameters)) {
		o.QueryParameters = append(o.QueryParameters, azcosmos.QueryParameter{Name: name, Value: q.Parameters[name]})
	}
	if token != "" {
		o.ContinuationToken = &token
	}
	return o
}

func (q Query) partition() azcosmos.PartitionKey {
	if q.PartitionKey == "" {
		return azcosmos.NewPartitionKey()
	}
	return azcosmos.NewPartitionKeyString(q.PartitionKey)
}

// QueryPage reads the page at a continuation token, or the first page when token is empty. A page may be empty although
// more follow; next is empty after the last page. Documents that cannot be decoded are missing: see Decode. Errors:
// ErrToken when the database rejects the token.
func QueryPage[T any](ctx context.Context, c *Container, q Query, token string) (page []T, next string, err error) {
	var out azcosmos.QueryItemsResponse
	err = c.do(ctx, q.PartitionKey, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.NewQueryItemsPager(q.Text, q.partition(),
			q.options(token, c.session(ctx, q.PartitionKey))).NextPage(ctx)
		return out.Response, err
	})
	var respErr *azcore.ResponseError
	if token != "" && errors.As(err, &respErr) && respErr.StatusCode == http.StatusBadRequest {
		return nil, "", fmt.Errorf("%w (%w)", ErrToken, err)
	}
	if err != nil {
		return nil, "", err
	}
	if out.ContinuationToken != nil {
		next = *out.ContinuationToken
	}
	return Decode[T](ctx, c, out.Items), next, nil
}

// Decode decodes documents of a container. It skips and logs those that cannot be decoded: one document that another
// program wrote must not hide the others.
func Decode[T any](ctx context.Context, c *Container, documents [][]byte) []T {
	all := make([]T, 0, len(documents)) // so that JSON encodes an empty page as [], not null
	for _, text := range documents {
		var v T
		if err := json.Unmarshal(text, &v); err != nil {
			var document struct{ ID any }
			_ = json.Unmarshal(text, &document)
			c.logger.WarnContext(ctx, "document skipped because it cannot be decoded",
				slog.String("container", c.client.ID()), slog.Any("id", document.ID), slog.Any("error", err))
			continue
		}
		all = append(all, v)
	}
	return all
}

// QueryPages reads page after page until the last one, or until visit returns false or an error.
func QueryPages[T any](ctx context.Context, c *Container, q Query, visit func([]T) (more bool, err error)) error {
	for token := ""; ; {
		page, next, err := QueryPage[T](ctx, c, q, token)
		if err != nil {
			return err
		}
		if more, err := visit(page); err != nil || !more || next == "" {
			return err
		}
		token = next
	}
}

// QueryAll returns up to limit results of a query; all of them when limit is 0.
func QueryAll[T any](ctx context.Context, c *Container, q Query, limit int) (all []T, err error) {
	err = QueryPages(ctx, c, q, func(page []T) (bool, error) {
		all = append(all, page...)
		return limit == 0 || len(all) < limit, nil
	})
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, err
}
