package dynamo_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sdkModel has the shapes of an API's requests, from the model that AWS's SDKs are generated from.
type sdkModel struct {
	Operations map[string]string // the input's shape, by operation
	Shapes     map[string]sdkShape
}

type sdkShape struct {
	Type               string
	Members            map[string]sdkReference
	Required           []string
	Member, Key, Value *sdkReference
	Enum               []string
	Min, Max           *int64
	Pattern            string
}

type sdkReference struct{ Shape string }

// sdkModels are the APIs, by the service in X-Amz-Target.
var sdkModels = map[string]string{
	"DynamoDB_20120810":        "testdata/model/dynamodb.json",
	"DynamoDBStreams_20120810": "testdata/model/dynamodbstreams.json",
}

// readModel reads a model that tools/awsmodel wrote.
func readModel(t *testing.T, path string) *sdkModel {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	m := new(sdkModel)
	if err := json.Unmarshal(data, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// place is a member of a request, at any depth.
type place struct {
	operation string
	path      string // as in messages: tableName, keySchema.1.member.keyType
	shape     string
	request   func(value string) string // a request with only that value
	around    []string                  // the shapes around it, which are not entered again
	required  func() string             // a request without it, if it is required
}

// places returns all members of an operation's request.
func (m *sdkModel) places(operation string) []place {
	input := m.Operations[operation]
	_, hasTable := m.Shapes[input].Members["TableName"]
	var all []place
	m.walk(place{operation: operation, shape: input, request: func(v string) string { return v }}, func(p place) {
		if hasTable && p.path != "tableName" {
			p = p.withTable()
		}
		all = append(all, p)
	})
	return all
}

// withTable adds a table name to the requests: some operations report a missing name before they check anything else.
func (p place) withTable() place {
	request, required := p.request, p.required
	add := func(body string) string {
		return strings.Replace(`{"TableName":"abc",`+strings.TrimPrefix(body, "{"), ",}", "}", 1)
	}
	p.request = func(value string) string { return add(request(value)) }
	if required != nil {
		p.required = func() string { return add(required()) }
	}
	return p
}

// walk calls visit for a place and everything below it, but for attribute values, which have tests of their own.
func (m *sdkModel) walk(p place, visit func(place)) {
	if p.path != "" {
		visit(p)
	}
	if slices.Contains(p.around, p.shape) || p.shape == "AttributeValue" {
		return
	}
	s := m.Shapes[p.shape]
	prefix := p.path
	if prefix != "" {
		prefix += "."
	}
	below := func(shape, name, form string) place {
		return place{operation: p.operation, path: prefix + name, shape: shape,
			request: func(v string) string { return p.request(fmt.Sprintf(form, v)) },
			around:  append(slices.Clone(p.around), p.shape)}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		member := below(s.Members[name].Shape, strings.ToLower(name[:1])+name[1:], `{"`+name+`":%s}`)
		if slices.Contains(s.Required, name) {
			member.required = func() string { return p.request("{}") }
		}
		m.walk(member, visit)
	}
	if s.Member != nil {
		m.walk(below(s.Member.Shape, "1.member", `[%s]`), visit)
	}
	if s.Value != nil {
		m.walk(below(s.Value.Shape, "abc.member", `{"abc":%s}`), visit)
	}
}

// wrongJSON returns JSON of a type that a shape does not have.
func wrongJSON(s sdkShape) string {
	switch s.Type {
	case "structure", "map", "list":
		return `"text"`
	}
	return `{}`
}

// mistakes returns requests that violate the model at a place, each with the violated constraint (type, required, min,
// max, enum or pattern) and a text that the response must contain.
func (m *sdkModel) mistakes(p place) map[string]mistake {
	s := m.Shapes[p.shape]
	all := map[string]mistake{"type": {p.request(wrongJSON(s)), "#SerializationException"}}
	add := func(kind, value, rule string) {
		all[kind] = mistake{p.request(value), "at '" + p.path + "' failed to satisfy constraint: Member must " + rule}
	}
	if p.required != nil {
		all["required"] = mistake{p.required(), "Value null at '" + p.path + "' failed to satisfy constraint: Member must not be null"}
	}
	if s.Enum != nil {
		add("enum", `"BOGUS"`, "satisfy enum value set: [")
	}
	if s.Pattern != "" {
		add("pattern", `"\u0001\u0001\u0001\u0001"`, "satisfy regular expression pattern: "+s.Pattern)
	}
	least, most := s.Min != nil && *s.Min > 0 || s.Min != nil && isNumber(s), s.Max != nil
	switch {
	case isNumber(s) && least:
		add("min", fmt.Sprint(*s.Min-1), fmt.Sprint("have value greater than or equal to ", *s.Min))
	case s.Type == "string" && least:
		add("min", textOf(*s.Min-1), fmt.Sprint("have length greater than or equal to ", *s.Min))
	case s.Type == "list" && least:
		add("min", "[]", fmt.Sprint("have length greater than or equal to ", *s.Min))
	}
	switch {
	case isNumber(s) && most:
		add("max", fmt.Sprint(*s.Max+1), fmt.Sprint("have value less than or equal to ", *s.Max))
	case s.Type == "string" && most:
		add("max", textOf(*s.Max+1), fmt.Sprint("have length less than or equal to ", *s.Max))
	}
	return all
}

// mistake is a request with one violation, and a part of the response that reports it.
type mistake struct{ request, want string }

func isNumber(s sdkShape) bool { return s.Type == "integer" || s.Type == "long" }

// textOf returns a string of a length, as JSON.
func textOf(length int64) string { return `"` + strings.Repeat("a", int(length)) + `"` }

// errorOf returns the type and the message of the error that a request fails with.
func (c *conversation) errorOf(target, request string) string {
	var answer struct {
		Type    string `json:"__type"`
		Message string
	}
	if err := json.Unmarshal(c.post(target, request).Body.Bytes(), &answer); err != nil {
		return err.Error()
	}
	return answer.Type + ": " + answer.Message
}

// TestEveryMemberIsReadAndConstrained violates each constraint on each member of each request in the SDK's model of the
// API, one at a time: the response must report that violation. A member that an operation ignores fails the test.
// Responses that differ from the model, and members that are not supported, are in modelDifferences.
func TestEveryMemberIsReadAndConstrained(t *testing.T) {
	t.Parallel()
	c, used := newConversation(t), make([]bool, len(modelDifferences))
	for service, path := range sdkModels {
		m := readModel(t, path)
		for operation := range m.Operations {
			target := service + "." + operation
			if strings.Contains(c.post(target, "{}").Body.String(), "#UnknownOperationException") {
				continue
			}
			for _, p := range m.places(operation) {
				for kind, mistake := range m.mistakes(p) {
					answer := c.errorOf(target, mistake.request)
					at := operation + " " + p.path + " " + kind
					i := slices.IndexFunc(modelDifferences, func(d modelDifference) bool { return d.covers(at) })
					switch {
					case i >= 0:
						used[i] = true
						if !strings.Contains(answer, modelDifferences[i].answer) {
							t.Errorf("%s: %.300s\nwant %s", at, answer, modelDifferences[i].answer)
						}
					case !strings.Contains(answer, mistake.want):
						t.Errorf("%s: %.300s\nwant %s", at, answer, mistake.want)
					}
				}
			}
		}
	}
	for i, d := range modelDifferences {
		if !used[i] {
			t.Errorf("nothing differs from the model at %s any more: remove the line", d.at)
		}
	}
}

// TestEveryOperationIsServed calls every operation of the SDK's model, and one that no SDK has.
func TestEveryOperationIsServed(t *testing.T) {
	t.Parallel()
	c := newConversation(t)
	for service, path := range sdkModels {
		for operation := range readModel(t, path).Operations {
			answer := c.post(service+"."+operation, "{}").Body.String()
			if strings.Contains(answer, "#UnknownOperationException") {
				t.Errorf("%s: %s", operation, answer)
			}
		}
	}
	want := `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
	if got := c.post("DynamoDB_20120810.MakeCoffee", "{}").Body.String(); got != want {
		t.Error(got)
	}
}

// TestEveryTableNameMayBeAnARN sends the ARN of a table of another region wherever the SDK's model has the name or the
// ARN of a table.
func TestEveryTableNameMayBeAnARN(t *testing.T) {
	t.Parallel()
	const arn, want = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders", "Invalid AWS region in '"
	c, m := newConversation(t), readModel(t, "testdata/model/dynamodb.json")
	for operation := range m.Operations {
		target := "DynamoDB_20120810." + operation
		if strings.Contains(c.post(target, "{}").Body.String(), "#UnknownOperationException") {
			continue
		}
		for _, p := range m.places(operation) {
			if p.shape != "TableArn" || !strings.HasSuffix(strings.ToLower(p.path), "tablename") {
				continue
			}
			if answer := c.post(target, p.request(`"`+arn+`"`)).Body.String(); !strings.Contains(answer, want) {
				t.Errorf("%s %s: %.300s", operation, p.path, answer)
			}
		}
	}
	for operation, requests := range map[string]string{"BatchGetItem": "{}", "BatchWriteItem": "[]"} {
		answer := c.post("DynamoDB_20120810."+operation, `{"RequestItems":{"`+arn+`":`+requests+`}}`).Body.String()
		if !strings.Contains(answer, want) {
			t.Errorf("%s: %.300s", operation, answer)
		}
	}
}
