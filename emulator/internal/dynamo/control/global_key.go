package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// maxKeyAttributes is the service's limit of partition key attributes, and of sort key attributes, of a global index.
const maxKeyAttributes = 4

// checkGlobalKeySchema checks the key schema of a global index: up to four HASH attributes, then up to four RANGE
// attributes. Messages: nubo-db/dynoxide (eu-west-2, 2026-10-09) and aws-controllers-k8s (us-west-2 and us-east-1,
// 2026-10-08), for CreateTable and UpdateTable alike. The order of the checks is not recorded.
func checkGlobalKeySchema(keys []engine.KeySchemaElement, attributes []engine.AttributeDefinition) error {
	if err := checkKeysDefined(keys, attributes); err != nil {
		return err
	}
	if keys[0].KeyType != "HASH" {
		return firstKeyNotHash()
	}
	if err := checkDistinctKeys(keys); err != nil {
		return err
	}
	counts := map[string]int{}
	for _, k := range keys {
		if k.KeyType == "HASH" && counts["RANGE"] > 0 {
			return wire.ParameterError("All HASH key attributes must precede RANGE key attributes in the KeySchema")
		}
		counts[k.KeyType]++
	}
	for _, keyType := range []string{"HASH", "RANGE"} {
		if counts[keyType] > maxKeyAttributes {
			return wire.ParameterError("The KeySchema exceeds the maximum allowed number of " + keyType + " key attributes")
		}
	}
	return nil
}

// checkDistinctKeys returns an error for a key schema of a global index that has an attribute twice. In CreateTable it
// comes before definitions that no key uses. (ScyllaDB's tests on AWS, 2026.)
func checkDistinctKeys(keys []engine.KeySchemaElement) error {
	if len(keys) == 2 && keys[1].KeyType == "RANGE" && keys[0].AttributeName == keys[1].AttributeName {
		return sameHashAndRange()
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if seen[k.AttributeName] {
			return wire.ValidationError("The KeySchema contains multiple key attributes with the same name")
		}
		seen[k.AttributeName] = true
	}
	return nil
}
