package control

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TagResourceInput adds tags to a table, or overwrites those with the same key.
type TagResourceInput struct {
	ResourceArn *string
	Tags        []TagInput `check:"notnull"`
}

func (in *TagResourceInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *TagResourceInput) Check() error {
	if err := checkResource(in.ResourceArn, in); err != nil {
		return err
	}
	switch {
	case len(in.Tags) == 0:
		return wire.ValidationError("Atleast one Tag needs to be provided as Input.") // the spelling is the service's
	case len(in.Tags) > maxTags:
		return tooManyTags()
	}
	return nil
}

// emptyOutput is an empty response.
type emptyOutput struct{}

func (emptyOutput) AppendJSON(dst []byte) []byte { return append(dst, "{}"...) }

// TagResource adds tags to a table, replacing those with the same key.
func TagResource(req *engine.Request, in *TagResourceInput) (emptyOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return emptyOutput{}, err
	}
	defer req.Account.DDL.Open()
	t, err := tableByARN(req.Account, *in.ResourceArn)
	if err != nil {
		// The spelling is the service's.
		return emptyOutput{}, wire.DynamoError("ResourceNotFoundException", "Requested resource not found: ResourcArn: "+
			*in.ResourceArn+" not found")
	}
	def := *t.Def
	if def.Tags = mergeTags(def.Tags, in.Tags); len(def.Tags) > maxTags {
		return emptyOutput{}, tooManyTags()
	}
	_, err = req.Account.Publish(req.BeginWait(), &def, nil)
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

func tooManyTags() *wire.Error {
	return wire.ParameterError("Too many tags: tag limit is " + strconv.Itoa(maxTags))
}

// checkResource checks a request whose resource is the table that an ARN names.
func checkResource(arn *string, request any) error {
	if arn == nil {
		return wire.ValidationError("Invalid TableArn")
	}
	if err := wire.CheckShape(request); err != nil {
		return err
	}
	_, err := TableNameFromARN(*arn)
	return err
}

// TableNameFromARN returns the table name in an ARN. The table need not exist.
func TableNameFromARN(arn string) (string, error) {
	const partition, parts = "arn:aws:dynamodb:", 3
	rest, ok := strings.CutPrefix(arn, partition)
	if ok {
		if fields := strings.SplitN(rest, ":", parts); len(fields) == parts {
			name, found := strings.CutPrefix(fields[2], "table/")
			if found && CheckTableName(&name) == nil {
				return name, nil
			}
		}
	}
	return "", wire.ValidationError("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
}

// tableByARN returns the table that an ARN names.
func tableByARN(a *engine.Account, arn string) (*engine.Table, error) {
	name, err := TableNameFromARN(arn)
	if err != nil {
		return nil, err
	}
	return a.NamedTable(name)
}

func (in *TagResourceInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

// tableRef returns a reference to the table that an ARN names; empty if it is not an ARN of a table.
func tableRef(arn *string) engine.ResourceRef {
	name, _ := TableNameFromARN(wire.OrZero(arn)) // an invalid ARN fails later
	return engine.ResourceRef{Table: name}
}

func (in *TagResourceInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	for _, t := range in.Tags {
		v.AddTag(engine.Tag{Key: *t.Key, Value: *t.Value})
	}
}
