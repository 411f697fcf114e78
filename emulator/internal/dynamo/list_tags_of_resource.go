package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// ListTagsOfResourceInput names the table whose tags are listed.
type ListTagsOfResourceInput struct{ ResourceArn *string }

func (in *ListTagsOfResourceInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *ListTagsOfResourceInput) check() error { return checkResource(in.ResourceArn, in) }

type listTagsOfResourceOutput struct{ Tags []tag }

func (out *listTagsOfResourceOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

// listTagsOfResource refuses to say whether a table that is not there is (nubo-db/dynamodb-conformance, 2026-05; dynalite
// had it that the table was not found).
func listTagsOfResource(a *request, in *ListTagsOfResourceInput) (*listTagsOfResourceOutput, error) {
	t, err := a.account.resource(*in.ResourceArn)
	if err != nil {
		return nil, serviceError("AccessDeniedException", "User: arn:aws:iam::"+a.account.id()+":root is not authorized to perform: dynamodb:ListTagsOfResource on resource: "+*in.ResourceArn)
	}
	return &listTagsOfResourceOutput{append([]tag{}, t.def.Tags...)}, nil
}

func (in *ListTagsOfResourceInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}
