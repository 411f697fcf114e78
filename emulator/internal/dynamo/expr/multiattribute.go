package expr

import "strings"

// IsMultiAttribute reports whether the partition key or the sort key has more than one attribute, as only those of
// global indexes can. The service has other messages for such keys.
func (s *KeySchema) IsMultiAttribute() bool { return len(s.Hash) > 1 || len(s.Range) > 1 }

// resolveMultiAttribute is Resolve for a key with several attributes. The messages and the order of the first three
// checks are AWS's (paritysuite/dynamodb-conformance and nubo-db/dynoxide, eu-west-2, eu-central-1 and us-east-1,
// 2026-10); no recording shows that types and empty values come last.
func (k *KeyExpression) resolveMultiAttribute(schema *KeySchema) (*KeyCondition, error) {
	for _, check := range []func(*KeySchema) error{k.checkHash, k.checkOutside, k.checkPrefix, k.checkValues} {
		if err := check(schema); err != nil {
			return nil, err
		}
	}
	result := new(KeyCondition)
	result.Hash, result.Ranges = result.firstHash[:0], result.firstRange[:0]
	for _, a := range schema.Hash {
		c, _ := k.clause(a.Name)
		result.Hash = append(result.Hash, c.operands[0])
	}
	for _, a := range schema.Range {
		c, ok := k.clause(a.Name)
		if !ok {
			break
		}
		result.Ranges = append(result.Ranges, Range{Op: rangeOp(c.op), Low: c.operands[0], High: c.operands[1]})
	}
	return result, nil
}

// checkHash returns an error for partition key attributes that no clause compares by equality.
func (k *KeyExpression) checkHash(schema *KeySchema) error {
	if missing := k.withoutEquality(schema.Hash); missing != "" {
		return errorf("HASH key attributes %s must have equality conditions specified in the query", missing)
	}
	return nil
}

// checkOutside returns an error for a clause on an attribute that is not part of the key. The message names the first
// sort key attribute without a clause. There is one, because there are no more clauses than attributes.
func (k *KeyExpression) checkOutside(schema *KeySchema) error {
	inside := 0
	missed := ""
	for _, a := range schema.attributes() {
		if _, ok := k.clause(a.Name); ok {
			inside++
		} else if missed == "" {
			missed = a.Name
		}
	}
	if inside < len(k.clauses) {
		return errorf("Query condition missed key schema element: %s", missed)
	}
	return nil
}

// checkPrefix returns an error for a clause on a sort key attribute if one on its left is not compared by equality.
func (k *KeyExpression) checkPrefix(schema *KeySchema) error {
	for last := len(schema.Range) - 1; last > 0; last-- {
		a := schema.Range[last]
		if _, ok := k.clause(a.Name); !ok {
			continue
		}
		if missing := k.withoutEquality(schema.Range[:last]); missing != "" {
			return errorf("RANGE key attributes %s must have equality conditions specified in the query because a "+
				"condition is present on key attribute %s", missing, a.Name)
		}
		break
	}
	return nil
}

// withoutEquality returns the names of the attributes that no clause compares by equality, separated by commas.
func (k *KeyExpression) withoutEquality(attributes []KeyAttribute) string {
	var names []string
	for _, a := range attributes {
		if c, ok := k.clause(a.Name); !ok || c.op != opEqual {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}

// checkValues returns an error for values of another type than the attribute's, then for empty values.
func (k *KeyExpression) checkValues(schema *KeySchema) error {
	for _, check := range []func(clause, KeyAttribute) error{clause.check, clause.checkNotEmpty} {
		for _, a := range schema.attributes() {
			if c, ok := k.clause(a.Name); ok {
				if err := check(c, a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
