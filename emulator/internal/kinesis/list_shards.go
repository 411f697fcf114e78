package kinesis

import "strings"

// listShardsInput is the input of ListShards. Only the filter AFTER_SHARD_ID excludes shards: all shards are open since
// the stream's creation.
type listShardsInput struct {
	streamRef
	NextToken             *string
	ExclusiveStartShardId *string
	MaxResults            *int
	ShardFilter           *shardFilter
}

type shardFilter struct {
	Type    string
	ShardId *string
}

func (in *listShardsInput) check(v *violations) {
	in.streamRef.check(v)
	v.text("nextToken", in.NextToken, 1, 1<<20)
	v.text("exclusiveStartShardId", in.ExclusiveStartShardId, 1, 128)
	v.between("maxResults", in.MaxResults, 1, 10000)
	if in.ShardFilter != nil {
		v.OneOf("shardFilter.type", in.ShardFilter.Type, "AFTER_SHARD_ID", "AT_TRIM_HORIZON", "FROM_TRIM_HORIZON",
			"AT_LATEST", "AT_TIMESTAMP", "FROM_TIMESTAMP")
	}
}

// maxListedShards is the default number of shards in a response.
const maxListedShards = 1000

type listShardsOutput struct {
	Shards    []shardDescription
	NextToken *string `json:",omitempty"`
}

func listShards(c *call, in *listShardsInput) (any, error) {
	ref, after := in.streamRef, in.ExclusiveStartShardId
	if in.NextToken != nil { // the stream and the last shard of the previous page
		if ref.StreamName != nil || ref.StreamARN != nil {
			// (mhart/kinesalite.)
			return nil, invalidArgument("NextToken and StreamName cannot be provided together.")
		}
		name, shard, ok := strings.Cut(*in.NextToken, "/")
		if !ok || !isName(name) {
			return nil, invalidArgument("Invalid NextToken.")
		}
		ref, after = streamRef{StreamName: &name}, &shard
	} else if in.ShardFilter != nil && in.ShardFilter.Type == "AFTER_SHARD_ID" {
		after = in.ShardFilter.ShardId
	}
	_, st, err := c.stream(ref)
	if err != nil {
		return nil, err
	}
	limit := maxListedShards
	if in.MaxResults != nil {
		limit = *in.MaxResults
	}
	out := listShardsOutput{}
	var more bool
	if out.Shards, more = st.shardsAfter(after, limit); more {
		token := st.Name + "/" + out.Shards[limit-1].ShardId
		out.NextToken = &token
	}
	return out, nil
}
