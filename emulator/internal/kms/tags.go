package kms

import (
	"slices"
	"strings"
)

const maxTags = 50

// addTags adds tags, or replaces those with the same names.
func (k *key) addTags(tags []tag) error {
	for _, t := range tags {
		switch {
		case t.TagKey == "" || len(t.TagKey) > 128 || len(t.TagValue) > 256:
			return kmsError("TagException", "Invalid tag: "+t.TagKey)
		case strings.HasPrefix(t.TagKey, "aws:"):
			return kmsError("TagException", "aws: prefixed tag key names are not allowed for external use")
		}
		k.removeTag(t.TagKey)
		k.Tags = append(k.Tags, t)
	}
	if len(k.Tags) > maxTags {
		return kmsError("LimitExceededException", "Too many tags")
	}
	return nil
}

func (k *key) removeTag(name string) {
	k.Tags = slices.DeleteFunc(k.Tags, func(t tag) bool { return t.TagKey == name })
}

type tagResourceInput struct {
	keyInput
	Tags []tag
}

func (in *tagResourceInput) check(v *violations) {
	in.keyInput.check(v)
	if in.Tags == nil {
		v.Required(false, "tags")
	}
}

func tagResource(c *call, in *tagResourceInput) (any, error) {
	return c.change(in.KeyId, func(k *key) error { return k.addTags(in.Tags) })
}

type untagResourceInput struct {
	keyInput
	TagKeys []string
}

func (in *untagResourceInput) check(v *violations) {
	in.keyInput.check(v)
	if in.TagKeys == nil {
		v.Required(false, "tagKeys")
	}
}

func untagResource(c *call, in *untagResourceInput) (any, error) {
	return c.change(in.KeyId, func(k *key) error {
		for _, name := range in.TagKeys {
			k.removeTag(name)
		}
		return nil
	})
}

type listResourceTagsInput struct {
	keyInput
	pageInput
}

func (in *listResourceTagsInput) check(v *violations) {
	in.keyInput.check(v)
	in.checkPage(v, 50)
}

func listResourceTags(c *call, in *listResourceTagsInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	tags := slices.SortedFunc(slices.Values(k.Tags), func(x, y tag) int { return strings.Compare(x.TagKey, y.TagKey) })
	tags, next := page(tags, func(t tag) string { return t.TagKey }, in.Limit, 50, in.Marker)
	return struct {
		Tags []tag
		pageOutput
	}{append([]tag{}, tags...), pageEnd(next)}, c.permit(k)
}
