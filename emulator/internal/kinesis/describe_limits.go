package kinesis

// describeLimitsInput is the input of DescribeLimits, which has no members.
type describeLimitsInput struct{}

func (*describeLimitsInput) check(*violations) {}

type describeLimitsOutput struct {
	ShardLimit, OpenShardCount, OnDemandStreamCount, OnDemandStreamCountLimit int
}

// onDemandLimit is the default quota of on-demand streams, which the emulator does not enforce.
const onDemandLimit = 50

func describeLimits(c *call, _ *describeLimitsInput) (any, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	a := c.account(c.space)
	if err := c.permit(a, ""); err != nil {
		return nil, err
	}
	out := describeLimitsOutput{ShardLimit: shardLimit, OpenShardCount: a.openShards(),
		OnDemandStreamCountLimit: onDemandLimit}
	for _, st := range a.streams {
		if st.Mode == onDemand {
			out.OnDemandStreamCount++
		}
	}
	return out, nil
}
