package dynamo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// TagResourceInput adds tags to a table, or overwrites those with the same key.
type TagResourceInput struct {
	ResourceArn *string
	Tags        []TagInput `check:"notnull"`
}

func (in *TagResourceInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *TagResourceInput) check() error {
	if err := checkResource(in.ResourceArn, in); err != nil {
		return err
	}
	switch {
	case len(in.Tags) == 0:
		return validationError("Atleast one Tag needs to be provided as Input.") // the spelling is the service's
	case len(in.Tags) > maxTags:
		return tooManyTags()
	}
	return nil
}

// noOutput is an answer without members.
type noOutput struct{}

func (noOutput) appendJSON(dst []byte) []byte { return append(dst, "{}"...) }

func tagResource(a *request, in *TagResourceInput) (noOutput, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return noOutput{}, err
	}
	defer a.account.ddl.Open()
	t, err := a.account.resource(*in.ResourceArn)
	if err != nil {
		return noOutput{}, dynamoError("ResourceNotFoundException", "Requested resource not found: ResourcArn: "+*in.ResourceArn+" not found") // sic
	}
	def := *t.def
	if def.Tags = merge(def.Tags, in.Tags); len(def.Tags) > maxTags {
		return noOutput{}, tooManyTags()
	}
	_, err = a.account.publish(a.waiting(), &def, nil)
	return noOutput{}, err
}

// merge puts tags to others, in the place of those with the same key.
func merge(tags []tag, more []TagInput) []tag {
	tags = slices.Clone(tags)
	for _, m := range more {
		t := tag{*m.Key, *m.Value}
		if i := slices.IndexFunc(tags, func(u tag) bool { return u.Key == t.Key }); i >= 0 {
			tags[i] = t
		} else {
			tags = append(tags, t)
		}
	}
	return tags
}

func tooManyTags() *Error {
	return parameterError("Too many tags: tag limit is " + strconv.Itoa(maxTags))
}

// checkResource is the check of a request that is about the table which an ARN names.
func checkResource(arn *string, request any) error {
	if arn == nil {
		return validationError("Invalid TableArn")
	}
	if err := checkShape(request); err != nil {
		return err
	}
	_, err := tableOfResource(*arn)
	return err
}

// tableOfResource is the name of the table that an ARN names, whether there is one or not.
func tableOfResource(arn string) (string, error) {
	const partition, parts = "arn:aws:dynamodb:", 3
	rest, ok := strings.CutPrefix(arn, partition)
	if ok {
		if fields := strings.SplitN(rest, ":", parts); len(fields) == parts {
			name, found := strings.CutPrefix(fields[2], "table/")
			if found && checkTableName(&name) == nil {
				return name, nil
			}
		}
	}
	return "", validationError("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
}

// resource finds the table that an ARN names.
func (a *account) resource(arn string) (*table, error) {
	name, err := tableOfResource(arn)
	if err != nil {
		return nil, err
	}
	return a.namedTable(name)
}

func (in *TagResourceInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

// tableRef is the table that an ARN names, which may be none.
func tableRef(arn *string) resourceRef {
	name, _ := tableOfResource(orZero(arn)) // what is no ARN of a table is refused later
	return resourceRef{table: name}
}

func (in *TagResourceInput) policyValues(v *policyValues, _ int, _ string) {
	for _, t := range in.Tags {
		v.give(tag{*t.Key, *t.Value})
	}
}
