package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// object is a JSON object.
type object = map[string]any

// request is one request of a history.
type request struct {
	operation string
	body      any
}

// answer is the response to a request, in a form that can be compared.
type answer struct {
	status int
	kind   string // the type of an error
	text   string // its message
	body   string // of a success: members sorted, sets sorted
}

// difference is a history whose last request has different responses.
type difference struct {
	history    []request
	ours, peer answer
}

// kind groups differences that probably have the same cause: reports contain one of each.
func (d *difference) kind() string {
	last := d.history[len(d.history)-1]
	return strings.Join([]string{last.operation, d.ours.kind, d.peer.kind, masked(d.ours.text), masked(d.peer.text),
		strings.Join(differingMembers(d.ours.body, d.peer.body), " ")}, "|")
}

// differingMembers returns the names of the members that differ between two responses.
func differingMembers(ours, peer string) []string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal([]byte(ours), &a) != nil || json.Unmarshal([]byte(peer), &b) != nil {
		return nil
	}
	var names []string
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if a[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// masked replaces the values that messages quote, so that messages about different values are equal.
func masked(message string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 3 {
			b.WriteString(word + " ")
		}
	}
	return b.String()
}

func (d *difference) String() string {
	var b strings.Builder
	for _, r := range d.history {
		body, _ := json.Marshal(r.body) // cannot fail: it came from JSON-like values
		fmt.Fprintf(&b, "  %s %s\n", r.operation, body)
	}
	fmt.Fprintf(&b, "    ours: %s\n    peer: %s\n", d.ours, d.peer)
	return b.String()
}

func (a answer) String() string {
	if a.kind != "" || a.text != "" {
		return fmt.Sprintf("%d %s: %.400s", a.status, a.kind, a.text)
	}
	return fmt.Sprintf("%d %.1200s", a.status, a.body)
}

// comparison sends histories to both databases.
type comparison struct {
	ours, peer endpoint
	messages   bool
	compared   int
	rounds     int // names the tables of a round
}

// round runs a history on new tables until a response differs. It returns nil if none differs.
func (c *comparison) round(history []request) (*difference, error) {
	c.rounds++
	prefix := fmt.Sprintf("diff%d-%d-", time.Now().UnixNano()%1e6, c.rounds)
	defer c.drop(prefix)
	for i, r := range append(slices.Clone(setup), history...) {
		a, err := c.ours.send(r, prefix)
		if err != nil {
			return nil, err
		}
		b, err := c.peer.send(r, prefix)
		if err != nil {
			return nil, err
		}
		if i < len(setup) {
			continue // the descriptions of tables differ in times and ARNs
		}
		c.compared++
		if c.differ(a, b) {
			return &difference{history[:i-len(setup)+1], a, b}, nil
		}
	}
	return nil, nil
}

func (c *comparison) differ(a, b answer) bool {
	if a.status != b.status || a.kind != b.kind || a.body != b.body {
		return true
	}
	return c.messages && a.text != b.text
}

func (c *comparison) drop(prefix string) {
	for _, table := range tableNames {
		for _, e := range []endpoint{c.ours, c.peer} {
			e.send(request{"DeleteTable", object{"TableName": table}}, prefix) // tables that remain do no harm
		}
	}
}

// endpoint is the address of a DynamoDB.
type endpoint struct{ url string }

var client = &http.Client{Timeout: 30 * time.Second}

// send sends a request with a prefix added to its table names, and removes the prefix from the response.
func (e endpoint) send(r request, prefix string) (answer, error) {
	body, err := json.Marshal(r.body)
	if err != nil {
		return answer{}, err
	}
	for _, table := range tableNames {
		body = bytes.ReplaceAll(body, []byte(`"`+table+`"`), []byte(`"`+prefix+table+`"`))
	}
	q, err := http.NewRequest(http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	q.Header.Set("Content-Type", "application/x-amz-json-1.0")
	q.Header.Set("X-Amz-Target", "DynamoDB_20120810."+r.operation)
	q.Header.Set("X-Amz-Date", time.Now().UTC().Format("20060102T150405Z"))
	q.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261124/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host, Signature=0")
	w, err := client.Do(q)
	if err != nil {
		return answer{}, fmt.Errorf("%s does not answer %s %.500s: %w", e.url, r.operation, body, err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return answer{}, err
	}
	return readAnswer(w.StatusCode, r.operation, strings.ReplaceAll(string(text), prefix, ""))
}

func readAnswer(status int, operation, text string) (answer, error) {
	var body object
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		return answer{status: status, body: text}, nil
	}
	if status != http.StatusOK {
		kind, _ := body["__type"].(string)
		_, kind, _ = strings.Cut(kind, "#")
		message, _ := body["message"].(string)
		if message == "" {
			message, _ = body["Message"].(string)
		}
		return answer{status: status, kind: kind, text: message}, nil
	}
	normalized, err := json.Marshal(normalize(body, operation == "Scan"))
	return answer{status: status, body: string(normalized)}, err
}

// normalize sorts unordered values: sets, items of a Scan and consumed capacities.
func normalize(v any, anyOrder bool) any {
	switch v := v.(type) {
	case object:
		for name, member := range v {
			unordered := name == "SS" || name == "NS" || name == "BS" || name == "ConsumedCapacity" ||
				anyOrder && name == "Items" || name == "Keys"
			v[name] = normalize(member, anyOrder)
			if list, ok := v[name].([]any); ok && unordered {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
		if v["Responses"] != nil {
			sortResponses(v["Responses"])
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i], anyOrder)
		}
	}
	return v
}

// sortResponses sorts the items of a BatchGetItem, whose order is undefined.
func sortResponses(responses any) {
	tables, ok := responses.(object)
	if !ok {
		return
	}
	for _, items := range tables {
		if list, ok := items.([]any); ok {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
}
