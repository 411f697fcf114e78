package kinesis

// deleteStreamInput is the input of DeleteStream.
type deleteStreamInput struct{ streamRef }

// deleteStream deletes a stream with its records immediately.
func deleteStream(c *call, in *deleteStreamInput) (any, error) {
	if _, _, err := c.stream(in.streamRef); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.account(c.space)
	st, err := a.find(in.streamRef)
	if err != nil {
		return nil, err
	}
	return nil, a.dropStream(st)
}
