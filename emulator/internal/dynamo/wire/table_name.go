package wire

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// TableName is the name of a table in a request, which may be the table's ARN.
type TableName struct {
	Optional[string] // the bare name
	// Sent is the name as in the request. ConsumedCapacity and the maps of batches have it: "If you had specified the
	// Amazon Resource Name (ARN) of a table in the input, you'll see the table ARN in the response." (API reference,
	// ConsumedCapacity.)
	Sent string
}

// NamedTable returns the name of a table that a statement names.
func NamedTable(name string) TableName { return TableName{Optional[string]{name, true}, name} }

// TableOwner is the account whose tables a request can name by ARN.
type TableOwner interface {
	ID() string // twelve digits
	Region() string
}

// TableName decodes the name of a table, or its ARN.
func (d *Decoder) TableName(dst *TableName) error {
	err := d.Str(&dst.Optional)
	dst.Sent, dst.V = dst.V, d.bareName(dst.V)
	return err
}

// TableKey returns the name in a key of a batch's map of tables.
func (d *Decoder) TableKey(key []byte) TableName {
	sent := string(key)
	return TableName{Optional[string]{d.bareName(sent), true}, sent}
}

// NamedShape decodes a structure that package shape reads, and that has the name of a table, or its ARN.
func (d *Decoder) NamedShape(in any, table **string) error {
	err := shape.Read(&d.Reader, in)
	if *table != nil {
		**table = d.bareName(**table)
	}
	return err
}

const arnPrefix = "arn:"

// bareName returns the name of the table that an ARN names, and a text that is not an ARN unchanged. It records the
// error of an ARN, for Decode and ForeignTable.
func (d *Decoder) bareName(text string) string {
	if !strings.HasPrefix(text, arnPrefix) || d.Owner == nil {
		return text
	}
	name, err := parseTableARN(text, d.Owner.Region())
	switch {
	case err != nil && d.invalidARN == nil:
		d.invalidARN = err
	case err == nil && strings.Split(text, ":")[4] != d.Owner.ID():
		d.foreign = true
	}
	return name
}

// parseTableARN returns the table name in an ARN of a region.
//
// AWS's controllers for Kubernetes recorded the texts (ack-api-quirks DDB-TABLE-011 and DDB-TABLE-442, 2026-10-08), but
// the last one only in part: its rest is from ExtendDB/extenddb (2026-07-02). Their order is not known.
func parseTableARN(arn, region string) (name string, err *Error) {
	parts := strings.SplitN(arn, ":", 6) // arn, partition, service, region, account, resource
	if len(parts) < 6 || parts[0] != "arn" || parts[2] != "dynamodb" {
		return arn, invalidARNFormat(arn)
	}
	if parts[1] != "aws" {
		return arn, ValidationError(ValidationPrefix + "Invalid AWS partition in '" + arn + "'")
	}
	if parts[3] != region {
		return arn, ValidationError(ValidationPrefix + "Invalid AWS region in '" + arn + "'")
	}
	kind, name, ok := strings.Cut(parts[5], "/")
	switch {
	case ok && kind != "table":
		return arn, ValidationError(ValidationPrefix + "Invalid resource type in '" + arn + "'")
	case len(name) < 3, len(name) > shape.MaxNameLength, !shape.IsName(name): // an index and a stream have another slash
		return arn, invalidARNFormat(arn)
	}
	return name, nil
}

func invalidARNFormat(arn string) *Error {
	return ValidationError(ValidationPrefix + "Value '" + arn + "' at 'tableName' failed to satisfy constraint: " +
		"Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', " +
		"where Resource name must have length less than or equal to 255, " +
		"Resource name must have length greater than or equal to 3, " +
		"Resource name must satisfy regular expression pattern: " + shape.NamePattern)
}

// ForeignTable returns an error if the decoded input names a table of another account. It is checked after the validity
// of the request, because the owner of a table is a matter of permissions.
func (d *Decoder) ForeignTable() error {
	if d.foreign {
		return ServiceError("AccessDeniedException", "Access is denied")
	}
	return nil
}
