package control

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UntagResourceInput removes tags from a table or its stream by their keys.
type UntagResourceInput struct {
	ResourceArn *string
	TagKeys     []string `check:"notnull"`
}

func (in *UntagResourceInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *UntagResourceInput) Check() error {
	if err := checkResource(in.ResourceArn, in); err != nil {
		return err
	}
	if len(in.TagKeys) == 0 {
		// The spelling is the service's.
		return wire.ValidationError("Atleast one Tag Key needs to be provided as Input.")
	}
	for i := range in.TagKeys {
		if err := checkTagKey(&in.TagKeys[i]); err != nil {
			return err
		}
	}
	if len(in.TagKeys) > maxTags {
		return tooManyTags()
	}
	return nil
}

// UntagResource removes tags from a table or its stream.
func UntagResource(req *engine.Request, in *UntagResourceInput) (emptyOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return emptyOutput{}, err
	}
	defer req.Account.DDL.Open()
	r, err := findTagged(req.Account, *in.ResourceArn)
	if err != nil {
		return emptyOutput{}, err
	}
	tags := slices.DeleteFunc(slices.Clone(r.tags()), func(t engine.Tag) bool {
		return slices.Contains(in.TagKeys, t.Key)
	})
	_, err = req.Account.Publish(req.BeginWait(), r.withTags(tags), nil)
	return emptyOutput{}, err
}

func (in *UntagResourceInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, taggedRef(in.ResourceArn))
}

func (in *UntagResourceInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.TagKeys = slices.Clone(in.TagKeys)
}
