package dynamo

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// UntagResourceInput removes tags from a table by their keys.
type UntagResourceInput struct {
	ResourceArn *string
	TagKeys     []string `check:"notnull"`
}

func (in *UntagResourceInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *UntagResourceInput) check() error {
	if err := checkResource(in.ResourceArn, in); err != nil {
		return err
	}
	if len(in.TagKeys) == 0 {
		return validationError("Atleast one Tag Key needs to be provided as Input.") // the spelling is the service's
	}
	return nil
}

func untagResource(a *request, in *UntagResourceInput) (noOutput, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return noOutput{}, err
	}
	defer a.account.ddl.Open()
	t, err := a.account.resource(*in.ResourceArn)
	if err != nil {
		return noOutput{}, tableNotFound()
	}
	def := *t.def
	def.Tags = slices.DeleteFunc(slices.Clone(def.Tags), func(t tag) bool { return slices.Contains(in.TagKeys, t.Key) })
	_, err = a.account.publish(a.waiting(), &def, nil)
	return noOutput{}, err
}

func (in *UntagResourceInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

func (in *UntagResourceInput) policyValues(v *policyValues, _ int, _ string) {
	v.tagKeys = slices.Clone(in.TagKeys)
}
