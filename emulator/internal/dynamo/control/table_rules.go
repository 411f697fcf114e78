package control

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The rules for keys, indexes and throughput, shared by CreateTable and UpdateTable. dynalite recorded their order.

// The service's limits for one table.
const (
	maxLocalIndexes  = 5
	maxGlobalIndexes = 20
	maxUnits         = 1_000_000_000_000
)

// checkTableKeys checks the key schema of a table.
func checkTableKeys(keys []engine.KeySchemaElement, attributes []engine.AttributeDefinition) error {
	if len(keys) > len(attributes) {
		// The grammar is the service's.
		return wire.ValidationError("Invalid KeySchema: Some index key attribute have no definition")
	}
	return checkKeySchema(keys, attributes)
}

// checkKeySchema checks the key schema of a table or a local index.
func checkKeySchema(keys []engine.KeySchemaElement, attributes []engine.AttributeDefinition) error {
	if err := checkKeysDefined(keys, attributes); err != nil {
		return err
	}
	switch {
	case len(keys) == 2 && keys[0].AttributeName == keys[1].AttributeName:
		return sameHashAndRange()
	case keys[0].KeyType != "HASH":
		return firstKeyNotHash()
	case len(keys) == 2 && keys[1].KeyType != "RANGE":
		return wire.ValidationError("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func checkKeysDefined(keys []engine.KeySchemaElement, attributes []engine.AttributeDefinition) error {
	for _, k := range keys {
		if !defines(attributes, k.AttributeName) {
			return wire.ParameterError("Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
				strings.Join(keyNames(keys), ", ") + "], AttributeDefinitions: [" + strings.Join(attributeNames(attributes), ", ") +
				"]")
		}
	}
	return nil
}

func sameHashAndRange() *wire.Error {
	return wire.ValidationError("Both the Hash Key and the Range Key element in the KeySchema have the same name")
}

func firstKeyNotHash() *wire.Error {
	return wire.ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
}

func defines(attributes []engine.AttributeDefinition, name string) bool {
	return definitionAt(attributes, name) >= 0
}

// definitionAt returns the position of an attribute's definition, -1 if there is none.
func definitionAt(attributes []engine.AttributeDefinition, name string) int {
	return slices.IndexFunc(attributes, func(d engine.AttributeDefinition) bool { return d.AttributeName == name })
}

func keyNames(keys []engine.KeySchemaElement) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.AttributeName
	}
	return names
}

func attributeNames(attributes []engine.AttributeDefinition) []string {
	names := make([]string, len(attributes))
	for i, d := range attributes {
		names[i] = d.AttributeName
	}
	return names
}

func checkProjection(p engine.Projection) error {
	switch {
	case p.ProjectionType == "":
		return wire.ParameterError("Unknown ProjectionType: null")
	case p.ProjectionType != "INCLUDE" && p.NonKeyAttributes != nil:
		return wire.ParameterError("ProjectionType is " + p.ProjectionType + ", but NonKeyAttributes is specified")
	case p.ProjectionType == "INCLUDE" && p.NonKeyAttributes == nil:
		return wire.ParameterError("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	for i, name := range p.NonKeyAttributes {
		if slices.Contains(p.NonKeyAttributes[:i], name) {
			return wire.ParameterError("Duplicate element in NonKeyAttributes: " + name)
		}
	}
	return nil
}

// checkLocalIndex checks a local index of a table with the key schema table.
func checkLocalIndex(x engine.IndexDefinition, table []engine.KeySchemaElement,
	attributes []engine.AttributeDefinition) error {
	if err := checkKeySchema(x.KeySchema, attributes); err != nil {
		return err
	}
	if len(x.KeySchema) != 2 {
		return wire.ParameterError("Index KeySchema does not have a range key for index: " + x.Name)
	}
	if hash := x.KeySchema[0].AttributeName; hash != table[0].AttributeName {
		return wire.ParameterError("Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
			x.Name +
			". index hash key: " + hash + ", table hash key: " + table[0].AttributeName)
	}
	return checkProjection(x.Projection)
}

// checkGlobalIndex checks a global index of a table with that billing mode. hasThroughput reports whether the request
// sets the index's throughput.
func checkGlobalIndex(x engine.IndexDefinition, attributes []engine.AttributeDefinition, billing string,
	hasThroughput bool) error {
	if err := checkGlobalKeySchema(x.KeySchema, attributes); err != nil {
		return err
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	switch {
	case billing == engine.OnDemand && hasThroughput:
		return wire.ParameterError("ProvisionedThroughput should not be specified for index: " + x.Name +
			" when BillingMode is PAY_PER_REQUEST")
	case billing != engine.OnDemand && !hasThroughput:
		return wire.ParameterError("ProvisionedThroughput is not specified for index: " + x.Name)
	}
	return nil
}

func missingIndexThroughput(names ...string) *wire.Error {
	return wire.ParameterError("ProvisionedThroughput must be specified for index: " + strings.Join(names, ","))
}

// DuplicateIndex returns the error for two indexes with the same name.
func DuplicateIndex(name string) *wire.Error {
	return wire.ParameterError("Duplicate index name: " + name)
}

func tooManyGlobalIndexes() *wire.Error {
	return wire.ParameterError("GlobalSecondaryIndex count exceeds the per-table limit of " +
		strconv.Itoa(maxGlobalIndexes))
}

func errThroughputOnDemand() *wire.Error {
	return wire.ParameterError(
		"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
}

// CheckUnits returns an error for units above the maximum of any table.
func CheckUnits(p *ProvisionedThroughputInput) error {
	switch {
	case p == nil:
	case *p.ReadCapacityUnits > maxUnits:
		return wire.ValidationError("Given value " + strconv.FormatInt(*p.ReadCapacityUnits, 10) +
			" for ReadCapacityUnits is out of bounds")
	case *p.WriteCapacityUnits > maxUnits:
		return wire.ValidationError("Given value " + strconv.FormatInt(*p.WriteCapacityUnits, 10) +
			" for WriteCapacityUnits is out of bounds")
	}
	return nil
}

// checkOnDemandThroughput checks the maximums in a request after which the table has that billing mode. what is the
// table or index in the message about a value, refused the end of the operation's message about a billing mode without
// maximums, and removed the value that removes a maximum, if the operation has one. (Messages about indexes:
// ack-api-quirks DDB-TABLE-128 and DDB-TABLE-153, 2026-10-08.)
func checkOnDemandThroughput(in *OnDemandThroughputInput, billing, what, refused string, removed int64) error {
	if in == nil {
		return nil
	}
	maximums := []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", in.MaxReadRequestUnits}, {"MaxWriteRequestUnits", in.MaxWriteRequestUnits}}
	for _, c := range maximums {
		if c.value != nil && billing != engine.OnDemand {
			return wire.ParameterError(c.name + " for OnDemandThroughput" + refused)
		}
	}
	for _, c := range maximums {
		if c.value != nil && *c.value < 1 && *c.value != removed {
			return wire.ParameterError("Requested " + c.name + " for OnDemandThroughput for " + what +
				" is outside of valid range")
		}
	}
	return nil
}

// UnsupportedInput is a structure of a feature that the emulator does not have, of which it reads nothing.
type UnsupportedInput struct{}

// checkUnsupported returns an error for a request that uses what global tables have here no equivalent of: a client
// gets an error rather than a table that lacks what it asked for.
func (in *CreateTableInput) checkUnsupported() error {
	return UnsupportedMembers(Member{"GlobalTableSourceArn", in.GlobalTableSourceArn != nil},
		Member{"GlobalTableSettingsReplicationMode", in.GlobalTableSettingsReplicationMode != nil})
}

func (in *UpdateTableInput) checkUnsupported() error {
	// The text is the service's (ack-api-quirks DDB-TABLE-442, 2026-10-09).
	if wire.OrZero(in.GlobalTableSettingsReplicationMode) == "ENABLED_WITH_OVERRIDES" {
		return wire.ValidationError("Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to " +
			"satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.")
	}
	return UnsupportedMembers(
		Member{"GlobalTableSettingsReplicationMode", in.GlobalTableSettingsReplicationMode != nil},
		Member{"DisassociationProtectionEnabled", in.DisassociationProtectionEnabled != nil})
}

// Member is a member of a request.
type Member struct {
	Name string
	Set  bool // the request has it
}

// UnsupportedMembers returns an error for the first member that a request has of those that the emulator does not
// support. The text is ours.
func UnsupportedMembers(all ...Member) error {
	if i := slices.IndexFunc(all, func(m Member) bool { return m.Set }); i >= 0 {
		return wire.ParameterError(all[i].Name + " is not supported by this emulator")
	}
	return nil
}

// checkTableClass returns an error for a table class that does not exist.
func checkTableClass(class *string) error {
	if class == nil || *class == "STANDARD" || *class == "STANDARD_INFREQUENT_ACCESS" {
		return nil
	}
	return wire.ValidationError("Invalid table-class parameter provided. Please try again with a valid table-class value: " +
		"[STANDARD, STANDARD_INFREQUENT_ACCESS].")
}
