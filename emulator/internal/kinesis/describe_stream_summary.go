package kinesis

// describeStreamSummaryInput is the input of DescribeStreamSummary.
type describeStreamSummaryInput struct{ streamRef }

type describeStreamSummaryOutput struct{ StreamDescriptionSummary streamSummary }

type streamSummary struct {
	streamFacts
	OpenShardCount int
	ConsumerCount  int // always 0: there is no enhanced fan-out
}

func describeStreamSummary(c *call, in *describeStreamSummaryInput) (any, error) {
	a, st, err := c.stream(in.streamRef)
	if err != nil {
		return nil, err
	}
	return describeStreamSummaryOutput{streamSummary{streamFacts: a.facts(st), OpenShardCount: st.Shards}}, nil
}
