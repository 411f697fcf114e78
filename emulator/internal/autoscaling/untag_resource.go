package autoscaling

// untagResourceInput is the input of UntagResource.
type untagResourceInput struct {
	resourceInput
	TagKeys []string
}

func (in *untagResourceInput) check(v *violations) {
	in.resourceInput.check(v)
	v.Required(in.TagKeys != nil, "tagKeys")
}

// untagResource removes tags of a target by their keys; those that are not there are ignored.
func untagResource(c *call, in *untagResourceInput) (any, error) {
	if len(in.TagKeys) == 0 {
		return nil, invalid("TagKeys cannot be null or empty")
	}
	return in.change(c, func(t *target) error {
		for _, name := range in.TagKeys {
			delete(t.Tags, name)
		}
		return nil
	})
}
