package main

import (
	"fmt"
	"strings"
)

// withWrite adds optional members of writes: a condition, new or legacy, and what to return.
func (g *generator) withWrite(body object) object {
	if g.oneIn(3) {
		body["ReturnValues"] = pick(g, "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "BOGUS")
	}
	if g.oneIn(3) {
		body["ReturnConsumedCapacity"] = pick(g, "NONE", "TOTAL", "INDEXES")
	}
	if g.oneIn(4) {
		body["ReturnValuesOnConditionCheckFailure"] = pick(g, "ALL_OLD", "NONE")
	}
	switch g.IntN(8) {
	case 0, 1, 2:
		g.withExpression(body, "ConditionExpression", (*expression).condition)
	case 3:
		body["Expected"] = object{pick(g, "a", "p", "zz"): g.legacyCondition()}
	}
	return body
}

// legacyCondition returns a condition of Expected.
func (g *generator) legacyCondition() object {
	if g.oneIn(3) {
		return object{"Exists": g.oneIn(2), "Value": g.value(1)}
	}
	operator := pick(g, "EQ", "NE", "LT", "BETWEEN", "NULL", "NOT_NULL", "CONTAINS", "BEGINS_WITH", "IN")
	return object{"ComparisonOperator": operator, "AttributeValueList": []any{g.value(1)}}
}

func (g *generator) withUpdate(body object) object {
	if g.oneIn(8) {
		delete(body, "ConditionExpression")
		delete(body, "ExpressionAttributeNames")
		delete(body, "ExpressionAttributeValues")
		update := object{"Value": g.value(2), "Action": pick(g, "PUT", "ADD")}
		body["AttributeUpdates"] = object{pick(g, "a", "b", "p", "g"): update}
		return body
	}
	if body["Expected"] == nil {
		g.withExpression(body, "UpdateExpression", (*expression).update)
	}
	return body
}

func (g *generator) withProjection(body object) object {
	if g.oneIn(3) {
		g.withExpression(body, "ProjectionExpression", (*expression).projection)
	}
	if g.oneIn(4) {
		body["ConsistentRead"] = g.oneIn(2)
	}
	if g.oneIn(3) {
		body["ReturnConsumedCapacity"] = pick(g, "TOTAL", "INDEXES")
	}
	return body
}

func (g *generator) query() object {
	body := g.withProjection(object{"TableName": g.table()})
	if g.oneIn(2) {
		body["IndexName"] = pick(g, "by-g", "by-g", "by-lg", "none")
	}
	if g.oneIn(3) {
		body["ScanIndexForward"] = g.oneIn(2)
	}
	if g.oneIn(4) {
		body["Limit"] = pick(g, 1, 2, 0)
	}
	if g.oneIn(5) {
		body["Select"] = pick(g, "ALL_ATTRIBUTES", "COUNT", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
	}
	g.withExpression(body, "KeyConditionExpression", (*expression).keyCondition)
	if g.oneIn(3) {
		g.withExpression(body, "FilterExpression", (*expression).condition)
	}
	return body
}

func (g *generator) scan() object {
	body := g.withProjection(object{"TableName": g.table()})
	if g.oneIn(4) {
		body["IndexName"] = pick(g, "by-g", "by-lg", "none")
	}
	if g.oneIn(2) {
		g.withExpression(body, "FilterExpression", (*expression).condition)
	}
	if g.oneIn(6) {
		body["Segment"], body["TotalSegments"] = g.IntN(3), g.IntN(3)
	}
	return body
}

func (g *generator) batchGet() object {
	requests := object{}
	for range 1 + g.IntN(2) {
		table, keys := g.table(), []any{}
		for range g.IntN(4) {
			keys = append(keys, g.key(table))
		}
		requests[table] = g.withProjection(object{"Keys": keys})
		delete(requests[table].(object), "ReturnConsumedCapacity")
	}
	return object{"RequestItems": requests}
}

func (g *generator) batchWrite() object {
	requests := object{}
	for range 1 + g.IntN(2) {
		table, writes := g.table(), []any{}
		for range g.IntN(4) {
			if g.oneIn(3) {
				writes = append(writes, object{"DeleteRequest": object{"Key": g.key(table)}})
			} else {
				writes = append(writes, object{"PutRequest": object{"Item": g.item()}})
			}
		}
		requests[table] = writes
	}
	return object{"RequestItems": requests}
}

func (g *generator) transaction() object {
	actions := []any{}
	for range 1 + g.IntN(3) {
		action := g.keyed()
		switch g.IntN(4) {
		case 0:
			action = object{"TableName": action["TableName"], "Item": g.item()}
			g.maybeCondition(action)
			actions = append(actions, object{"Put": action})
		case 1:
			g.withExpression(action, "UpdateExpression", (*expression).update)
			g.maybeCondition(action)
			actions = append(actions, object{"Update": action})
		case 2:
			g.maybeCondition(action)
			actions = append(actions, object{"Delete": action})
		default:
			g.withExpression(action, "ConditionExpression", (*expression).condition)
			actions = append(actions, object{"ConditionCheck": action})
		}
	}
	return object{"TransactItems": actions}
}

func (g *generator) maybeCondition(action object) {
	if g.oneIn(3) {
		g.withExpression(action, "ConditionExpression", (*expression).condition)
	}
}

// expression collects the placeholders of an expression while it is written.
type expression struct {
	*generator
	names, values object
}

// withExpression adds an expression to a request, with its placeholders.
func (g *generator) withExpression(body object, member string, write func(*expression) string) {
	e := &expression{g, object{}, object{}}
	if names, ok := body["ExpressionAttributeNames"].(object); ok {
		e.names = names
	}
	if values, ok := body["ExpressionAttributeValues"].(object); ok {
		e.values = values
	}
	body[member] = write(e)
	if len(e.names) > 0 {
		body["ExpressionAttributeNames"] = e.names
	}
	if len(e.values) > 0 {
		body["ExpressionAttributeValues"] = e.values
	}
}

// path returns a document path.
func (e *expression) path() string {
	path := e.attribute(pick(e.generator, "a", "b", "c", "g", "n", "p", "zz"))
	for e.oneIn(4) {
		path += pick(e.generator, ".x", ".y", "[0]", "[1]", "[7]")
	}
	return path
}

func (e *expression) attribute(name string) string {
	if !e.oneIn(3) {
		return name
	}
	placeholder := fmt.Sprint("#", name)
	e.names[placeholder] = name
	return placeholder
}

func (e *expression) value() string {
	placeholder := fmt.Sprint(":v", len(e.values))
	e.values[placeholder] = e.generator.value(2)
	return placeholder
}

func (e *expression) operand() string {
	switch e.IntN(6) {
	case 0, 1:
		return e.path()
	case 2:
		return "size(" + e.path() + ")"
	}
	return e.value()
}

func (e *expression) condition() string {
	switch e.IntN(12) {
	case 0, 1, 2:
		return e.operand() + pick(e.generator, " = ", " <> ", " < ", " <= ", " > ", " >= ") + e.operand()
	case 3:
		return e.operand() + " BETWEEN " + e.operand() + " AND " + e.operand()
	case 4:
		return e.operand() + " IN (" + e.operand() + ", " + e.operand() + ")"
	case 5:
		return pick(e.generator, "attribute_exists", "attribute_not_exists") + "(" + e.path() + ")"
	case 6:
		e.values[":t"] = object{"S": pick(e.generator, "S", "N", "SS", "L", "X")}
		return "attribute_type(" + e.path() + ", :t)"
	case 7:
		return pick(e.generator, "begins_with", "contains") + "(" + e.operand() + ", " + e.operand() + ")"
	case 8:
		return "NOT " + e.condition()
	case 9:
		return "(" + e.condition() + ")" + pick(e.generator, " AND ", " OR ", " and ") + e.condition()
	}
	return e.condition() + pick(e.generator, " AND ", " OR ") + e.condition()
}

func (e *expression) keyCondition() string {
	clauses := []string{e.attribute(pick(e.generator, "p", "p", "g")) + " = " + e.keyValue("S")}
	if e.oneIn(2) {
		name := e.attribute(pick(e.generator, "s", "s", "g", "a"))
		switch e.IntN(4) {
		case 0:
			clauses = append(clauses, name+" BETWEEN "+e.keyValue("N")+" AND "+e.keyValue("N"))
		case 1:
			clauses = append(clauses, "begins_with("+name+", "+e.keyValue("S")+")")
		default:
			clauses = append(clauses, name+pick(e.generator, " = ", " < ", " <= ", " > ", " >= ", " <> ")+e.keyValue("N"))
		}
	}
	if e.oneIn(10) {
		clauses = append(clauses, e.condition())
	}
	return strings.Join(clauses, " AND ")
}

func (e *expression) keyValue(kind string) string {
	if e.oneIn(12) {
		return e.operand()
	}
	placeholder := fmt.Sprint(":k", len(e.values))
	e.values[placeholder] = object{kind: map[string]string{"S": pick(e.generator, "a", "b", "x", "y"),
		"N": pick(e.generator, "1", "2", "-3.5", "100")}[kind]}
	return placeholder
}

func (e *expression) update() string {
	var sections []string
	if !e.oneIn(4) {
		sections = append(sections, "SET "+e.path()+" = "+e.setValue())
	}
	if e.oneIn(4) {
		sections = append(sections, "REMOVE "+e.path())
	}
	if e.oneIn(4) {
		sections = append(sections, pick(e.generator, "ADD ", "DELETE ")+e.path()+" "+e.value())
	}
	if update := strings.Join(sections, " "); losesInDynamoDBLocal(object{"UpdateExpression": update}) {
		sections = append(sections, "SET "+e.path()+" = "+e.setValue()+", "+e.path()+" = "+e.setValue())
	}
	return strings.Join(sections, " ")
}

func (e *expression) setValue() string {
	switch e.IntN(6) {
	case 0:
		return e.operand() + pick(e.generator, " + ", " - ") + e.operand()
	case 1:
		return "if_not_exists(" + e.path() + ", " + e.operand() + ")"
	case 2:
		return "list_append(" + e.operand() + ", " + e.operand() + ")"
	case 3:
		return e.path()
	}
	return e.value()
}

func (e *expression) projection() string {
	paths := []string{e.path()}
	for e.oneIn(2) {
		paths = append(paths, e.path())
	}
	return strings.Join(paths, ", ")
}
