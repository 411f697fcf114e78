package cosmosdb

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// FeedRange is a part of a container whose changes one reader follows: of effective partition keys, from Min up to Max.
type FeedRange struct {
	Min string `json:"min"`
	Max string `json:"max"`
}

// FeedRanges are those of the container now, one for each physical partition.
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

// Changes are the documents of a range that were written after a continuation, each as it is now, at most so many; from
// the beginning where the continuation is empty. None: there is nothing new. The continuation of what follows survives
// splits.
func (c *Container) Changes(ctx context.Context, r FeedRange, continuation string, most int) (documents [][]byte, next string, err error) {
	options := azcosmos.ChangeFeedOptions{
		MaxItemCount: int32(most), FeedRange: &azcosmos.FeedRange{MinInclusive: r.Min, MaxExclusive: r.Max},
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
