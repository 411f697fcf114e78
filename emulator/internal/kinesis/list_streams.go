package kinesis

import "slices"

// listStreamsInput is the input of ListStreams.
type listStreamsInput struct {
	Limit                    *int
	ExclusiveStartStreamName *string
	NextToken                *string // the name of the last stream of the previous page
}

func (in *listStreamsInput) check(v *violations) {
	v.between("limit", in.Limit, 1, 10000)
	v.text("exclusiveStartStreamName", in.ExclusiveStartStreamName, 1, 128)
	v.text("nextToken", in.NextToken, 1, 1<<20)
}

// maxListedStreams is the default number of streams in a response.
const maxListedStreams = 100

type listStreamsOutput struct {
	StreamNames     []string
	HasMoreStreams  bool
	NextToken       *string `json:",omitempty"`
	StreamSummaries []listedStream
}

type listedStream struct {
	StreamName              string
	StreamARN               string
	StreamStatus            string
	StreamModeDetails       streamModeDetails
	StreamCreationTimestamp timestamp
}

func listStreams(c *call, in *listStreamsInput) (any, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	a := c.account(c.space)
	if err := c.permit(a, ""); err != nil {
		return nil, err
	}
	after := in.ExclusiveStartStreamName
	if in.NextToken != nil {
		after = in.NextToken
	}
	limit := maxListedStreams
	if in.Limit != nil {
		limit = *in.Limit
	}
	names := slices.DeleteFunc(a.sortedNames(), func(name string) bool { return after != nil && name <= *after })
	out := listStreamsOutput{StreamNames: []string{}, StreamSummaries: []listedStream{},
		HasMoreStreams: len(names) > limit}
	for _, name := range names[:min(limit, len(names))] {
		st := a.streams[name]
		out.StreamNames = append(out.StreamNames, name)
		out.StreamSummaries = append(out.StreamSummaries, listedStream{name, a.arn(name), "ACTIVE",
			streamModeDetails{st.Mode}, st.Created})
	}
	if out.HasMoreStreams {
		out.NextToken = &out.StreamNames[limit-1]
	}
	return out, nil
}
