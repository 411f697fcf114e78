package control

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TagResourceInput adds tags to a table or its stream, or overwrites those with the same key.
type TagResourceInput struct {
	ResourceArn *string
	Tags        []TagInput `check:"notnull"`
}

func (in *TagResourceInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *TagResourceInput) Check() error {
	if err := checkResource(in.ResourceArn, in); err != nil {
		return err
	}
	if len(in.Tags) == 0 {
		return wire.ValidationError("Atleast one Tag needs to be provided as Input.") // the spelling is the service's
	}
	return checkNewTags(in.Tags)
}

// emptyOutput is a response without a body, not even an empty object.
type emptyOutput struct{}

func (emptyOutput) AppendJSON(dst []byte) []byte { return dst }

// TagResource adds tags to a table or its stream, replacing those with the same key.
func TagResource(req *engine.Request, in *TagResourceInput) (emptyOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return emptyOutput{}, err
	}
	defer req.Account.DDL.Open()
	r, err := findTagged(req.Account, *in.ResourceArn)
	if err != nil {
		return emptyOutput{}, err
	}
	tags := mergeTags(r.tags(), in.Tags)
	if err := checkTagSet(tags); err != nil {
		return emptyOutput{}, err
	}
	_, err = req.Account.Publish(req.BeginWait(), r.withTags(tags), nil)
	return emptyOutput{}, err
}

// mergeTags adds tags, replacing those with the same key.
func mergeTags(tags []engine.Tag, added []TagInput) []engine.Tag {
	tags = slices.Clone(tags)
	for _, m := range added {
		t := engine.Tag{Key: *m.Key, Value: *m.Value}
		if i := slices.IndexFunc(tags, func(u engine.Tag) bool { return u.Key == t.Key }); i >= 0 {
			tags[i] = t
		} else {
			tags = append(tags, t)
		}
	}
	return tags
}

func (in *TagResourceInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, taggedRef(in.ResourceArn))
}

func (in *TagResourceInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	for _, t := range in.Tags {
		v.AddTag(engine.Tag{Key: *t.Key, Value: *t.Value})
	}
}
