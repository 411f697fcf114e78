package cosmosdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Query is a query of one logical partition, or of all partitions when Key is empty. A cross-partition query must be
// one that the gateway serves by itself: it may filter and project, but neither sort nor aggregate.
type Query struct {
	Key  string
	Text string
	With map[string]any // parameters by name, with the @
	Page int            // maximum documents per page; the database chooses when 0
}

// options returns the options of the request for one page.
func (q Query) options(token string, session *string) *azcosmos.QueryOptions {
	o := &azcosmos.QueryOptions{PageSizeHint: int32(q.Page), SessionToken: session}
	if q.Page == 0 {
		o.PageSizeHint = -1
	}
	for _, name := range slices.Sorted(maps.Keys(q.With)) {
		o.QueryParameters = append(o.QueryParameters, azcosmos.QueryParameter{Name: name, Value: q.With[name]})
	}
	if token != "" {
		o.ContinuationToken = &token
	}
	return o
}

func (q Query) partition() azcosmos.PartitionKey {
	if q.Key == "" {
		return azcosmos.NewPartitionKey()
	}
	return azcosmos.NewPartitionKeyString(q.Key)
}

// One reads the page at a continuation token, or the first page when token is empty. A page may be empty although more
// follow; next is empty after the last page. Errors: ErrToken when the database rejects the token.
func One[T any](ctx context.Context, c *Container, q Query, token string) (page []T, next string, err error) {
	var out azcosmos.QueryItemsResponse
	err = c.do(ctx, q.Key, func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.NewQueryItemsPager(q.Text, q.partition(), q.options(token, c.session(ctx, q.Key))).NextPage(ctx)
		return out.Response, err
	})
	var answered *azcore.ResponseError
	if token != "" && errors.As(err, &answered) && answered.StatusCode == http.StatusBadRequest {
		return nil, "", fmt.Errorf("%w (%w)", ErrToken, err)
	}
	if err != nil {
		return nil, "", err
	}
	page = make([]T, 0, len(out.Items)) // so that JSON encodes an empty page as [], not null
	for _, item := range out.Items {
		var v T
		if err := json.Unmarshal(item, &v); err != nil {
			return nil, "", fmt.Errorf("cannot decode a document: %w", err)
		}
		page = append(page, v)
	}
	if out.ContinuationToken != nil {
		next = *out.ContinuationToken
	}
	return page, next, nil
}

// Each reads page after page until the last one, or until use returns false or an error.
func Each[T any](ctx context.Context, c *Container, q Query, use func([]T) (more bool, err error)) error {
	for token := ""; ; {
		page, next, err := One[T](ctx, c, q, token)
		if err != nil {
			return err
		}
		if more, err := use(page); err != nil || !more || next == "" {
			return err
		}
		token = next
	}
}

// All returns up to most results of a query; all of them when most is 0.
func All[T any](ctx context.Context, c *Container, q Query, most int) (all []T, err error) {
	err = Each(ctx, c, q, func(page []T) (bool, error) {
		all = append(all, page...)
		return most == 0 || len(all) < most, nil
	})
	if most > 0 && len(all) > most {
		all = all[:most]
	}
	return all, err
}
