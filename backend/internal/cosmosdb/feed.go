package cosmosdb

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// FeedRange is the part of a container whose change feed one reader follows: effective partition keys from Min
// (inclusive) to Max (exclusive).
type FeedRange struct {
	Min string `json:"min"`
	Max string `json:"max"`
}

// FeedRanges returns the container's current feed ranges, one for each physical partition.
func (c *Container) FeedRanges(ctx context.Context) ([]FeedRange, error) {
	var out []azcosmos.FeedRange
	err := c.do(ctx, "", func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.ReadFeedRanges(ctx, nil)
		return azcosmos.Response{}, err
	})
	ranges := make([]FeedRange, len(out))
	for i, r := range out {
		ranges[i] = FeedRange{r.MinInclusive, r.MaxExclusive}
	}
	return ranges, err
}

// Changes returns up to limit documents of a range that were written after continuation, each in its current state; an
// empty continuation starts at the beginning. No documents means no changes. The returned continuation survives
// partition splits.
func (c *Container) Changes(ctx context.Context, r FeedRange, continuation string, limit int) (documents [][]byte,
	next string, err error) {
	options := azcosmos.ChangeFeedOptions{
		MaxItemCount: int32(limit), FeedRange: &azcosmos.FeedRange{MinInclusive: r.Min, MaxExclusive: r.Max},
	}
	if continuation != "" {
		options.Continuation = &continuation
	}
	var out azcosmos.ChangeFeedResponse
	err = c.do(ctx, "", func(bool) (_ azcosmos.Response, err error) {
		out, err = c.client.ReadChangeFeed(ctx, &options)
		return out.Response, err
	})
	return out.Items, out.ContinuationToken, err
}
