package autoscaling

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// The limits of tags.
const (
	maxTags     = 50
	maxTagKey   = 128 // characters
	maxTagValue = 256
)

// tagResourceInput is the input of TagResource.
type tagResourceInput struct {
	resourceInput
	Tags map[string]string
}

func (in *tagResourceInput) check(v *violations) {
	in.resourceInput.check(v)
	v.Required(in.Tags != nil, "tags")
	v.tags(in.Tags)
}

// tagResource adds tags to a target, or replaces those with the same keys.
func tagResource(c *call, in *tagResourceInput) (any, error) {
	if len(in.Tags) == 0 {
		return nil, invalid("Tags cannot be empty")
	}
	return in.change(c, func(t *target) error { return t.addTags(in.Tags) })
}

// addTags adds tags.
func (t *target) addTags(tags map[string]string) error {
	for name, value := range tags {
		if strings.HasPrefix(strings.ToLower(name), "aws:") {
			return invalid("Caller is an end user and not allowed to mutate system tags")
		}
		if t.Tags == nil {
			t.Tags = map[string]string{}
		}
		t.Tags[name] = value
	}
	if len(t.Tags) > maxTags { // the text is ours
		return serviceError("TooManyTagsException", "A scalable target cannot have more than 50 tags.")
	}
	return nil
}

// resourceInput names a target by its ARN.
type resourceInput struct{ ResourceARN *string }

const resourceARN = `^arn:.+:application-autoscaling:.+:[0-9]+:scalable-target\/[a-zA-Z0-9-]+$`

var resourceARNs = lazyregexp.New(resourceARN)

func (in resourceInput) check(v *violations) {
	v.required("resourceARN", in.ResourceARN, 1011)
	if in.ResourceARN != nil {
		v.Matches("resourceARN", *in.ResourceARN, resourceARNs, resourceARN)
	}
}

// find returns the target that the request names, after authorizing the request.
func (in resourceInput) find(c *call) (*target, error) {
	if err := c.permit(*in.ResourceARN); err != nil {
		return nil, err
	}
	for _, t := range c.selected(c.space, func(t *target) bool { return c.arn(t) == *in.ResourceARN }) {
		return t, nil
	}
	return nil, serviceError("ResourceNotFoundException", "Scalable Target not found")
}

// change stores a copy of the target that fn has changed.
func (in resourceInput) change(c *call, fn func(t *target) error) (any, error) {
	t, err := in.find(c)
	if err != nil {
		return nil, err
	}
	next := t.clone()
	if err := fn(next); err != nil {
		return nil, err
	}
	return empty{}, c.saveTarget(next)
}
