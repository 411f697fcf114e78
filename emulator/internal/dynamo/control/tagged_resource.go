package control

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The operations on tags name a table, or its enabled stream, by its ARN. The errors are those that AWS's controllers
// for Kubernetes recorded (ack-api-quirks, 2026-10-08). An account is checked before the region, and an ARN of another
// service is answered as one of another account (ExtendDB/extenddb, 2026-07-27, verified against the service).

// checkResource checks the form of a request whose resource is the table that an ARN names.
func checkResource(arn *string, request any) error {
	switch {
	case arn == nil:
		return wire.ValidationError("Invalid TableArn")
	case len(*arn) < 4 || !strings.EqualFold((*arn)[:4], "arn:"):
		return wire.ParameterError("ARNs must start with 'arn:': " + *arn)
	}
	return wire.CheckShape(request)
}

// taggedResource is a table or its enabled stream, whose tags are separate (ack-api-quirks DDB-TABLE-373, 2026-10-09).
type taggedResource struct {
	table  *engine.Table
	stream bool
}

func (r taggedResource) tags() []engine.Tag {
	if r.stream {
		return r.table.Def.Stream.Tags
	}
	return r.table.Def.Tags
}

// withTags returns the table's definition in which the resource has other tags.
func (r taggedResource) withTags(tags []engine.Tag) *engine.Definition {
	def := *r.table.Def
	if !r.stream {
		def.Tags = tags
		return &def
	}
	stream := *def.Stream
	stream.Tags, def.Stream = tags, &stream
	return &def
}

// findTagged returns the resource that an ARN names. Errors: the ARN is not one of a table or a stream of this account
// and region, or there is no such resource.
func findTagged(a *engine.Account, arn string) (r taggedResource, err error) {
	own := strings.Split(a.ARN("dynamodb", ""), ":") // arn, partition, service, region, account
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 {
		return r, invalidTableARN(arn)
	}
	for i, part := range own[:5] { // the service finds nothing by an ARN in upper case
		if part != parts[i] && strings.EqualFold(part, parts[i]) {
			return r, resourceNotFound(arn)
		}
	}
	if parts[2] != own[2] || parts[4] != own[4] {
		return r, wire.ServiceError("AccessDeniedException", "Access is denied")
	}
	if parts[1] != own[1] || parts[3] != own[3] {
		return r, invalidTableARN(arn)
	}
	kind, name, _ := strings.Cut(parts[5], "/")
	name, below, isBelow := strings.Cut(name, "/")
	switch {
	case kind != "table", isBelow && strings.HasPrefix(below, "backup/"):
		return r, wire.ParameterError("Provided Arn is not a DynamoDB resource arn: " + arn)
	case isBelow && strings.HasPrefix(below, "index/"):
		return r, wire.ParameterError(
			"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	case CheckTableName(&name) != nil:
		return r, invalidTableARN(arn)
	}
	label, isStream := strings.CutPrefix(below, "stream/")
	t, err := a.NamedTable(name)
	if err != nil || isBelow != isStream || isStream && (t.Def.Stream == nil || t.Def.Stream.Label != label) {
		return r, resourceNotFound(arn)
	}
	return taggedResource{t, isStream}, nil
}

func invalidTableARN(arn string) *wire.Error {
	return wire.ValidationError("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
}

func resourceNotFound(arn string) *wire.Error {
	return wire.DynamoError("ResourceNotFoundException", "Requested resource not found: ResourceArn: "+arn+" not found")
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
	return "", invalidTableARN(arn)
}

// taggedRef returns a reference to the table or the stream that an ARN names; empty if it is another ARN.
func taggedRef(arn *string) engine.ResourceRef {
	table, _, isStream := strings.Cut(wire.OrZero(arn), "/stream/")
	name, err := TableNameFromARN(table)
	if err != nil || !isStream { // an invalid ARN fails later
		return engine.ResourceRef{Table: name}
	}
	return engine.ResourceRef{Table: name, Resource: *arn}
}
