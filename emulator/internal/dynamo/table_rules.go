package dynamo

import (
	"slices"
	"strconv"
	"strings"
)

// The rules for keys, indexes and throughput, which CreateTable and UpdateTable share. dynalite recorded their order.

// The service's limits of a table.
const (
	maxLocalIndexes  = 5
	maxGlobalIndexes = 20
	maxUnits         = 1_000_000_000_000
	maxTags          = 50
)

const onDemand, provisioned = "PAY_PER_REQUEST", "PROVISIONED"

// checkTableKeys is for the key schema of a table.
func checkTableKeys(keys []keySchemaElement, attributes []attributeDefinition) error {
	if len(keys) > len(attributes) {
		return validationError("Invalid KeySchema: Some index key attribute have no definition") // the grammar is the service's
	}
	return checkKeySchema(keys, attributes)
}

// checkKeySchema is for the key schema of a table or an index.
func checkKeySchema(keys []keySchemaElement, attributes []attributeDefinition) error {
	for _, k := range keys {
		if !defines(attributes, k.AttributeName) {
			return parameterError("Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
				strings.Join(keyNames(keys), ", ") + "], AttributeDefinitions: [" + strings.Join(attributeNames(attributes), ", ") + "]")
		}
	}
	switch {
	case len(keys) == 2 && keys[0].AttributeName == keys[1].AttributeName:
		return validationError("Both the Hash Key and the Range Key element in the KeySchema have the same name")
	case keys[0].KeyType != "HASH":
		return validationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
	case len(keys) == 2 && keys[1].KeyType != "RANGE":
		return validationError("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
	}
	return nil
}

func defines(attributes []attributeDefinition, name string) bool {
	return definitionAt(attributes, name) >= 0
}

// definitionAt is where an attribute is defined, -1 if it is not.
func definitionAt(attributes []attributeDefinition, name string) int {
	return slices.IndexFunc(attributes, func(d attributeDefinition) bool { return d.AttributeName == name })
}

func keyNames(keys []keySchemaElement) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.AttributeName
	}
	return names
}

func attributeNames(attributes []attributeDefinition) []string {
	names := make([]string, len(attributes))
	for i, d := range attributes {
		names[i] = d.AttributeName
	}
	return names
}

func checkProjection(p projection) error {
	switch {
	case p.ProjectionType == "":
		return parameterError("Unknown ProjectionType: null")
	case p.ProjectionType != "INCLUDE" && p.NonKeyAttributes != nil:
		return parameterError("ProjectionType is " + p.ProjectionType + ", but NonKeyAttributes is specified")
	case p.ProjectionType == "INCLUDE" && p.NonKeyAttributes == nil:
		return parameterError("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	return nil
}

// checkLocalIndex is for a local index of a table with that key schema.
func checkLocalIndex(x indexDefinition, table []keySchemaElement, attributes []attributeDefinition) error {
	if err := checkKeySchema(x.KeySchema, attributes); err != nil {
		return err
	}
	if len(x.KeySchema) != 2 {
		return parameterError("Index KeySchema does not have a range key for index: " + x.Name)
	}
	if hash := x.KeySchema[0].AttributeName; hash != table[0].AttributeName {
		return parameterError("Index KeySchema does not have the same leading hash key as table KeySchema for index: " + x.Name +
			". index hash key: " + hash + ", table hash key: " + table[0].AttributeName)
	}
	return checkProjection(x.Projection)
}

// checkGlobalIndex is for a global index of a table of that billing mode. hasThroughput says whether the request gives the
// index a throughput.
func checkGlobalIndex(x indexDefinition, attributes []attributeDefinition, billing string, hasThroughput bool) error {
	if err := checkKeySchema(x.KeySchema, attributes); err != nil {
		return err
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	switch {
	case billing == onDemand && hasThroughput:
		return parameterError("ProvisionedThroughput should not be specified for index: " + x.Name + " when BillingMode is PAY_PER_REQUEST")
	case billing != onDemand && !hasThroughput:
		return missingIndexThroughput(x.Name)
	}
	return nil
}

func missingIndexThroughput(names ...string) *Error {
	return parameterError("ProvisionedThroughput must be specified for index: " + strings.Join(names, ","))
}

func duplicateIndex(name string) *Error {
	return parameterError("Duplicate index name: " + name)
}

func tooManyGlobalIndexes() *Error {
	return parameterError("GlobalSecondaryIndex count exceeds the per-table limit of " + strconv.Itoa(maxGlobalIndexes))
}

func throughputOnDemand() *Error {
	return parameterError("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
}

// checkUnits refuses units beyond anything.
func checkUnits(p *ProvisionedThroughputInput) error {
	switch {
	case p == nil:
	case *p.ReadCapacityUnits > maxUnits:
		return validationError("Given value " + strconv.FormatInt(*p.ReadCapacityUnits, 10) + " for ReadCapacityUnits is out of bounds")
	case *p.WriteCapacityUnits > maxUnits:
		return validationError("Given value " + strconv.FormatInt(*p.WriteCapacityUnits, 10) + " for WriteCapacityUnits is out of bounds")
	}
	return nil
}

// checkOnDemandThroughput is for ceilings in a request that leaves the table in that billing mode. what they are for is the
// table, or an index; where is how the operation says that the mode is the wrong one; removed is the value that removes a
// ceiling, if the operation has one.
func checkOnDemandThroughput(in *OnDemandThroughputInput, billing, what, where string, removed int64) error {
	if in == nil {
		return nil
	}
	ceilings := []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", in.MaxReadRequestUnits}, {"MaxWriteRequestUnits", in.MaxWriteRequestUnits}}
	for _, c := range ceilings {
		if c.value != nil && billing != onDemand {
			return parameterError(c.name + " for OnDemandThroughput cannot be specified when " + where)
		}
	}
	for _, c := range ceilings {
		if c.value != nil && *c.value < 1 && *c.value != removed {
			return parameterError("Requested " + c.name + " for OnDemandThroughput for " + what + " is outside of valid range")
		}
	}
	return nil
}
