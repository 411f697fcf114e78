package cloudwatch

import (
	"slices"
	"strings"
)

// TagResourceInput adds tags to an alarm or changes them.
type TagResourceInput struct {
	ResourceARN *string
	Tags        []Tag
}

// maxTags is the largest number of tags of an alarm.
const maxTags = 50

func tagResource(c *caller, in *TagResourceInput) (*noOutput, error) {
	if in.Tags == nil {
		return nil, mustNotBeNull("tags")
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	return c.retag(in.ResourceARN, func(tags []Tag) []Tag {
		for _, t := range in.Tags {
			tags = append(slices.DeleteFunc(tags, func(old Tag) bool { return *old.Key == *t.Key }), t)
		}
		return tags
	})
}

// retag changes the tags of the alarm with an ARN.
func (c *caller) retag(arn *string, change func(tags []Tag) []Tag) (*noOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, err := c.alarmOf(arn)
	if err != nil {
		return nil, err
	}
	next := *a
	next.Tags = change(slices.Clone(a.Tags))
	if len(next.Tags) > maxTags {
		return nil, invalidValue("An alarm has at most %d tags.", maxTags)
	}
	return &noOutput{}, c.save(&next)
}

// alarmOf returns the alarm with an ARN. c.mu must be held.
func (c *caller) alarmOf(arn *string) (*alarm, error) {
	if arn == nil {
		return nil, mustNotBeNull("resourceARN")
	}
	name, ok := strings.CutPrefix(*arn, c.arnOf(c.account, ""))
	a, known := c.alarms[alarmKey{c.account, name}]
	if !ok || !known {
		return nil, noSuchResource(*arn)
	}
	return a, nil
}

func checkTags(tags []Tag) error {
	if len(tags) > maxTags {
		return invalidValue("An alarm has at most %d tags, not %d.", maxTags, len(tags))
	}
	for _, t := range tags {
		if n := len(zero(t.Key)); n < 1 || n > 128 || t.Value == nil || len(*t.Value) > 256 {
			return invalidValue("A tag has a key of 1 to 128 and a value of up to 256 characters.")
		}
	}
	return nil
}
