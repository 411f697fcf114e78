package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ListTagsOfResourceInput names the table or the stream whose tags are listed.
type ListTagsOfResourceInput struct {
	ResourceArn *string
	NextToken   *string // of no effect: all tags fit in one answer, and the service ignores an invalid token, too
}

func (in *ListTagsOfResourceInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *ListTagsOfResourceInput) Check() error { return checkResource(in.ResourceArn, in) }

type listTagsOfResourceOutput struct{ Tags []engine.Tag }

func (out *listTagsOfResourceOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

// ListTagsOfResource lists the tags of a table or its stream. A token makes no difference (ack-api-quirks
// DDB-TABLE-073, 2026-10-08).
func ListTagsOfResource(req *engine.Request, in *ListTagsOfResourceInput) (*listTagsOfResourceOutput, error) {
	r, err := findTagged(req.Account, *in.ResourceArn)
	if err != nil {
		return nil, err
	}
	return &listTagsOfResourceOutput{append([]engine.Tag{}, r.tags()...)}, nil
}

func (in *ListTagsOfResourceInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, taggedRef(in.ResourceArn))
}
