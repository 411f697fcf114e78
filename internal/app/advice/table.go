package advice

import (
	"encoding/json"
	"strings"
)

// Table is what is known of a table of DynamoDB: by its creation or its description in the recording, or from a running
// emulator.
type Table struct {
	Name     string
	Key      Key
	Indexes  map[string]*Index // global and local, by name
	OnDemand bool
	Read     float64 // provisioned capacity units a second
	Write    float64
	TTL      string // attribute with the time of expiry; empty: items do not expire
	Items    int64  // 0: unknown or empty
	Bytes    int64

	Types map[string]string // of the attributes of keys: S, N or B
}

// Key is the attributes of a key, of tables with one attribute each.
type Key struct {
	Partition string
	Sort      string // empty: none
}

// Index is a secondary index.
type Index struct {
	Key        Key
	Local      bool
	Projection string   // ALL, KEYS_ONLY or INCLUDE
	Included   []string // attributes of INCLUDE
	Read       float64
	Write      float64
}

// NewTable returns a table as its TableDescription in JSON says, and the attribute of its time to live, if any.
func NewTable(description []byte, ttl string) *Table {
	var d map[string]any
	_ = json.Unmarshal(description, &d)
	name, _ := d["TableName"].(string)
	v := Review{Tables: map[string]*Table{}}
	v.describe(d)
	t := v.table(name)
	t.TTL = ttl
	return t
}

// tableName returns the name of a table that may be given by its ARN.
func tableName(nameOrARN string) string {
	if _, after, ok := strings.Cut(nameOrARN, ":table/"); ok {
		name, _, _ := strings.Cut(after, "/")
		return name
	}
	return nameOrARN
}

// learn notes what a request tells about tables.
func (v *Review) learn(r *Request) {
	if r.Status >= 300 {
		return
	}
	switch r.Operation {
	case "CreateTable", "UpdateTable": // DeleteTable says less, and what is known stays of use
		v.describe(object(r.Result["TableDescription"]))
	case "DescribeTable":
		v.describe(object(r.Result["Table"]))
	case "UpdateTimeToLive":
		t := v.table(r.table())
		if ttl := object(r.Body["TimeToLiveSpecification"]); ttl["Enabled"] == true {
			t.TTL, _ = ttl["AttributeName"].(string)
		}
	}
}

// table returns what is known of a table, to add to it.
func (v *Review) table(name string) *Table {
	t := v.Tables[name]
	if t == nil {
		t = &Table{Name: name, Indexes: map[string]*Index{}}
		v.Tables[name] = t
	}
	return t
}

// describe notes a TableDescription.
func (v *Review) describe(d map[string]any) {
	name, _ := d["TableName"].(string)
	if name == "" {
		return
	}
	t := v.table(name)
	t.Key = keyOf(d)
	t.OnDemand = object(d["BillingModeSummary"])["BillingMode"] == "PAY_PER_REQUEST"
	t.Read, t.Write = throughput(d)
	t.Items, t.Bytes = int64(float(d["ItemCount"])), int64(float(d["TableSizeBytes"]))
	clear(t.Indexes)
	t.Types = map[string]string{}
	for _, each := range list(d["AttributeDefinitions"]) {
		name, _ := object(each)["AttributeName"].(string)
		t.Types[name], _ = object(each)["AttributeType"].(string)
	}
	for _, kind := range []string{"LocalSecondaryIndexes", "GlobalSecondaryIndexes"} {
		for _, each := range list(d[kind]) {
			index := indexOf(object(each))
			index.Local = kind == "LocalSecondaryIndexes"
			name, _ := object(each)["IndexName"].(string)
			t.Indexes[name] = index
		}
	}
}

func indexOf(d map[string]any) *Index {
	x := &Index{Key: keyOf(d)}
	projection := object(d["Projection"])
	x.Projection, _ = projection["ProjectionType"].(string)
	for _, a := range list(projection["NonKeyAttributes"]) {
		name, _ := a.(string)
		x.Included = append(x.Included, name)
	}
	x.Read, x.Write = throughput(d)
	return x
}

func keyOf(d map[string]any) Key {
	var k Key
	for _, e := range list(d["KeySchema"]) {
		name, _ := object(e)["AttributeName"].(string)
		if object(e)["KeyType"] == "HASH" {
			k.Partition = name
		} else {
			k.Sort = name
		}
	}
	return k
}

func throughput(d map[string]any) (read, write float64) {
	p := object(d["ProvisionedThroughput"])
	return float(p["ReadCapacityUnits"]), float(p["WriteCapacityUnits"])
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }
func float(v any) float64         { f, _ := v.(float64); return f }
