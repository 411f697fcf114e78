package cloudwatch

import "slices"

// UntagResourceInput removes tags from an alarm.
type UntagResourceInput struct {
	ResourceARN *string
	TagKeys     []string
}

func untagResource(c *caller, in *UntagResourceInput) (*noOutput, error) {
	if in.TagKeys == nil {
		return nil, mustNotBeNull("tagKeys")
	}
	return c.retag(in.ResourceARN, func(tags []Tag) []Tag {
		return slices.DeleteFunc(tags, func(t Tag) bool { return slices.Contains(in.TagKeys, *t.Key) })
	})
}
