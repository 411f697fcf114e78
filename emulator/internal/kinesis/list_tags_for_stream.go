package kinesis

import (
	"maps"
	"slices"
)

// listTagsForStreamInput is the input of ListTagsForStream.
type listTagsForStreamInput struct {
	streamRef
	ExclusiveStartTagKey *string
	Limit                *int
}

func (in *listTagsForStreamInput) check(v *violations) {
	in.streamRef.check(v)
	v.text("exclusiveStartTagKey", in.ExclusiveStartTagKey, 1, 128)
	v.between("limit", in.Limit, 1, 50)
}

type listTagsForStreamOutput struct {
	Tags        []tag
	HasMoreTags bool
}

type tag struct{ Key, Value string }

// maxListedTags is the default number of tags in a response.
const maxListedTags = 50

func listTagsForStream(c *call, in *listTagsForStreamInput) (any, error) {
	_, st, err := c.stream(in.streamRef)
	if err != nil {
		return nil, err
	}
	limit := maxListedTags
	if in.Limit != nil {
		limit = *in.Limit
	}
	out := listTagsForStreamOutput{Tags: []tag{}}
	for _, key := range slices.Sorted(maps.Keys(st.Tags)) {
		switch {
		case in.ExclusiveStartTagKey != nil && key <= *in.ExclusiveStartTagKey:
		case len(out.Tags) == limit:
			out.HasMoreTags = true
		default:
			out.Tags = append(out.Tags, tag{key, st.Tags[key]})
		}
	}
	return out, nil
}
