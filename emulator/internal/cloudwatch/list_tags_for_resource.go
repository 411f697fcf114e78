package cloudwatch

// ListTagsForResourceInput requests the tags of an alarm.
type ListTagsForResourceInput struct{ ResourceARN *string }

// ListTagsForResourceOutput is the response.
type ListTagsForResourceOutput struct {
	Tags []Tag `json:",omitempty"`
}

func listTagsForResource(c *caller, in *ListTagsForResourceInput) (*ListTagsForResourceOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, err := c.alarmOf(in.ResourceARN)
	if err != nil {
		return nil, err
	}
	return &ListTagsForResourceOutput{a.Tags}, nil
}
