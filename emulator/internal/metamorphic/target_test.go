package metamorphic

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
)

// target is an emulator, with the clients that send requests to it.
type target struct {
	*emulator.Emulator
	client *http.Client
}

// reply is a response to a request.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// field returns a member of the response's JSON object, by its path.
func (a reply) field(path ...string) any {
	var v any
	if json.Unmarshal(a.body, &v) != nil {
		return nil
	}
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (a reply) text(path ...string) string {
	s, _ := a.field(path...).(string)
	return s
}

// list returns an array member of the response.
func (a reply) list(path ...string) []any {
	l, _ := a.field(path...).([]any)
	return l
}

// amazon sends a request to DynamoDB, DynamoDB Streams or KMS, by its target.
func (t *target) amazon(operation, body string) reply {
	prefix := "DynamoDB_20120810."
	switch operation {
	case "DescribeStream", "GetShardIterator", "GetRecords", "ListStreams":
		prefix = "DynamoDBStreams_20120810."
	case "CreateKey":
		prefix = "TrentService."
	}
	return t.send(http.MethodPost, t.DynamoDBURL()+"/", body, http.Header{
		"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {prefix + operation},
		"X-Amz-Date": {"20261121T120000Z"},
		"Authorization": {
			"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"},
	})
}

// azure sends a request to Cosmos DB. Headers are names and values in turn.
func (t *target) azure(method, path, body string, headers ...string) reply {
	date := strings.ToLower(time.Now().UTC().Format(http.TimeFormat))
	key, err := base64.StdEncoding.DecodeString(emulator.CosmosKey)
	if err != nil {
		panic(err)
	}
	kind, link := signedParts(path)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s\n%s\n%s\n%s\n\n", strings.ToLower(method), kind, link, date)
	header := http.Header{"X-Ms-Date": {date}, "X-Ms-Version": {"2020-07-15"},
		"Authorization": {url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))}}
	for i := 0; i < len(headers); i += 2 {
		header.Set(headers[i], headers[i+1])
	}
	return t.send(method, t.CosmosHTTPURL()+path, body, header)
}

// signedParts returns the resource type and the resource link of a path for its signature; the link of a feed is that
// of its owner.
func signedParts(path string) (kind, link string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts)%2 == 1 {
		return parts[len(parts)-1], strings.Join(parts[:len(parts)-1], "/")
	}
	return parts[len(parts)-2], strings.Join(parts, "/")
}

func (t *target) send(method, address, body string, header http.Header) reply {
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header = header
	w, err := t.client.Do(r)
	if err != nil {
		return reply{body: []byte("no answer: " + err.Error())}
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return reply{body: []byte("half an answer: " + err.Error())}
	}
	return reply{w.StatusCode, w.Header, text}
}

// volatile are the members of responses that differ between runs.
var volatile = map[string]bool{"_rid": true, "_self": true, "_etag": true, "_lsn": true, "TableId": true,
	"LatestStreamArn": true, "LatestStreamLabel": true,
	"BackupArn": true, "SourceBackupArn": true, "SSEDescription": true, "RestoreSummary": true}

// normal returns a response without what differs between runs: its status, and its JSON with sorted names.
func (a reply) normal() string {
	if a.status >= 400 && a.text("code") != "" { // of Cosmos DB, whose messages have ids
		return fmt.Sprint(a.status, " ", a.text("code"))
	}
	return fmt.Sprint(a.status, " ", canonical(a.body))
}

func canonical(text []byte) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(text)
	}
	return compact(v)
}

// compact returns a value as JSON without volatile members.
func compact(v any) string {
	text, err := json.Marshal(stripped(v))
	if err != nil {
		panic(err)
	}
	return string(text)
}

func stripped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range v {
			if !volatile[name] && !strings.HasSuffix(name, "DateTime") {
				kept[name] = stripped(member)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, element := range v {
			kept[i] = stripped(element)
		}
		return kept
	}
	return v
}
