package tablefile

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/emulator"
)

// startEmulator returns a new emulator as a target.
func startEmulator(t *testing.T, opts ...emulator.Option) *Target {
	t.Helper()
	target, err := NewTarget(t.Context(), emulator.Run(t, opts...).AWSConfig())
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func full(t *testing.T) *File {
	t.Helper()
	text, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, string(text))
}

func parsed(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("tables.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// apply applies a file to a target and returns the performed steps.
func apply(t *testing.T, target *Target, f *File, o Options) []string {
	t.Helper()
	p, err := target.Compare(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	var done []string
	if err := p.Do(t.Context(), target, func(s Step) { done = append(done, s.String()) }); err != nil {
		t.Fatal(err)
	}
	return done
}

// TestTableFileCreatesEverything creates everything, finds no difference the second time, and applies what Read
// returns to another emulator, which is equal then.
func TestTableFileCreatesEverything(t *testing.T) {
	t.Parallel()
	first, second := startEmulator(t), startEmulator(t)
	want := []string{
		"create key alias/orders", "orders: create table", "orders: enable TTL by expires",
		"orders: set point-in-time recovery to 35 days",
		"orders: create alarm orders-system-errors", "orders: create alarm orders-by-state-throttled",
		"customers: create table",
		"create alarm user-errors",
	}
	if diff := cmp.Diff(want, apply(t, first, full(t), Options{})); diff != "" {
		t.Error(diff)
	}
	if again := apply(t, first, full(t), Options{}); len(again) > 0 {
		t.Errorf("the second time %v", again)
	}
	text := written(t, first)
	apply(t, second, parsed(t, text), Options{})
	if diff := cmp.Diff(text, written(t, second)); diff != "" {
		t.Error(diff)
	}
	if len(first.Notes) > 0 {
		t.Error(first.Notes)
	}
}

// written returns a target's description in YAML.
func written(t *testing.T, target *Target) string {
	t.Helper()
	f, err := target.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.OmitDefaults().Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const before = `
tables:
  - name: orders
    key: {partition: id}
    indexes:
      - {name: by_state, key: {partition: state}}
    ttl: expires
    tags: {team: shop, old: "1"}
    stream: keys-only
    recovery_days: 7
    alarms:
      - {name: slow, metric: SuccessfulRequestLatency, statistic: p99, operation: Query, period: 1m, when: "> 50"}
`

const after = `
tables:
  - name: orders
    key: {partition: id}
    billing: provisioned
    throughput: {read: 3, write: 4}
    indexes:
      - {name: by_customer, key: {partition: customer}, throughput: {read: 1, write: 1}}
      - {name: by_day, key: {partition: day}, project: keys, throughput: {read: 1, write: 1}}
    ttl: gone
    tags: {team: store}
    stream: new-image
    recovery_days: 35
    deletion_protection: true
    encryption: aws
    class: infrequent-access
    policy: {Version: "2012-10-17", Statement: [{Effect: Deny, Principal: "*", Action: "dynamodb:DeleteTable", Resource: "arn:aws:dynamodb:us-east-1:000000000000:table/orders"}]}
    alarms:
      - {name: slow, metric: SuccessfulRequestLatency, statistic: p99, operation: Query, period: 1m, when: "> 20"}
`

// TestChangesAreAppliedInPlace changes a target from one description to another and back.
func TestChangesAreAppliedInPlace(t *testing.T) {
	t.Parallel()
	target := startEmulator(t)
	apply(t, target, parsed(t, before), Options{})
	p, err := target.Compare(t.Context(), parsed(t, after), Options{})
	if err != nil || len(p.Kept) != 2 || len(p.Refused) != 1 {
		t.Errorf("%v kept %v, refused %v", err, p.Kept, p.Refused)
	}
	done := apply(t, target, parsed(t, after), Options{Prune: true})
	want := []string{
		"delete index by_state", "change billing from on-demand to provisioned",
		"change class from standard to infrequent-access", "change encryption from owned to aws",
		"enable deletion protection", "disable stream of keys-only", "enable stream of new-image",
		"create index by_customer",
		"create index by_day", "disable TTL by expires", "enable TTL by gone",
		"set point-in-time recovery to 35 days", "add tags [team]", "delete tag old", "put resource policy",
		"update alarm slow",
	}
	for i := range done {
		done[i] = strings.TrimPrefix(done[i], "orders: ")
	}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{after, before, before} {
		apply(t, target, parsed(t, text), Options{Prune: true})
		if again := apply(t, target, parsed(t, text), Options{Prune: true}); len(again) > 0 {
			t.Errorf("left %v", again)
		}
	}
}

func TestUnsupportedChangesAreRefused(t *testing.T) {
	t.Parallel()
	target := startEmulator(t)
	apply(t, target, parsed(t, before), Options{})
	other := parsed(t, `
tables:
  - name: orders
    key: {partition: id, sort: day}
    attributes: {id: N}
    indexes:
      - {name: by_state, key: {partition: state}, project: keys}
      - {name: by_total, key: {partition: id, sort: total}, local: true}
`)
	p, err := target.Compare(t.Context(), other, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"orders: the key cannot be changed from (id) to (id, day)",
		"orders: key attribute id cannot be changed from type S to N",
		"orders: index by_state cannot be changed from (state) with all to (state) with keys",
		"orders: local index by_total can only be created with the table",
	} {
		if !slices.ContainsFunc(p.Refused, func(r string) bool { return strings.HasPrefix(r, want) }) {
			t.Errorf("no refusal %q in %q", want, p.Refused)
		}
	}
	if err := p.Do(t.Context(), target, nil); err == nil {
		t.Error("a plan with refusals was done")
	}
}

// TestTargetMayHaveTablesOnly creates the tables on a target without KMS, CloudWatch and point-in-time recovery, like
// DynamoDB Local, and checks the notes about what is missing.
func TestTargetMayHaveTablesOnly(t *testing.T) {
	t.Parallel()
	config := emulator.Run(t).AWSConfig()
	behind := *config.BaseEndpoint
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if !strings.HasPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_") || strings.Contains(operation, "Continuous") ||
			strings.Contains(operation, "Policy") {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`)
			return
		}
		forward, err := http.NewRequestWithContext(r.Context(), r.Method, behind, r.Body)
		if err != nil {
			t.Error(err)
		}
		forward.Header, forward.ContentLength = r.Header, r.ContentLength
		answer, err := http.DefaultTransport.RoundTrip(forward)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		maps.Copy(w.Header(), answer.Header)
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(bare.Close)
	config.BaseEndpoint = &bare.URL
	target, err := NewTarget(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	done := apply(t, target, full(t), Options{})
	want := []string{"orders: create table", "orders: enable TTL by expires", "customers: create table"}
	if diff := cmp.Diff(want, done); diff != "" {
		t.Error(diff)
	}
	notes := []string{
		"the target has no KMS: customer managed keys, and encryption with them, are omitted",
		"the target has no CloudWatch: alarms are omitted",
		"not supported by the target, skipped: orders: set point-in-time recovery to 35 days",
	}
	if diff := cmp.Diff(notes, target.Notes); diff != "" {
		t.Error(diff)
	}
}

// TestLostConnections loses the connection of every other request to KMS and CloudWatch: no service counts as missing,
// and every alarm is read.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	config := emulator.Run(t).AWSConfig()
	behind, err := url.Parse(*config.BaseEndpoint)
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	proxy := httputil.NewSingleHostReverseProxy(behind)
	flaky := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isDynamoDB := strings.HasPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_")
		if !isDynamoDB && requests.Add(1)%2 == 1 {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(flaky.Close)
	config.BaseEndpoint = &flaky.URL
	config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxBackoff = time.Millisecond })
	}
	target, err := NewTarget(t.Context(), config)
	if err != nil || len(target.Notes) > 0 {
		t.Fatalf("%q, %v", target.Notes, err)
	}
	apply(t, target, full(t), Options{})
	alarms := func(f *File) (n int) {
		for _, table := range f.Tables {
			n += len(table.Alarms)
		}
		return n
	}
	if got, err := target.Read(t.Context(), nil); err != nil || alarms(got) != alarms(full(t)) || alarms(got) == 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if requests.Load() < 4 {
		t.Errorf("only %d requests went to KMS and CloudWatch", requests.Load())
	}
}

func TestInvalidTableFilesAreRefusedWithTheirLine(t *testing.T) {
	t.Parallel()
	const table = "tables:\n- name: orders\n  key: {partition: id}\n"
	for text, want := range map[string]string{
		"tables: []":              "f:1: no tables",
		"tables:\n- name: x":      `f:2: name "x": write 3 to 255 letters`,
		"tables:\n- name: orders": "f:2: the table orders has no partition key",
		table + "- name: orders\n  key: {partition: id}":                                           `f:4: two tables are named "orders"`,
		table + "  billing: free":                                                                  `f:4: billing "free": write one of on-demand, provisioned`,
		table + "  billing: provisioned":                                                           "f:4: a provisioned table needs throughput",
		table + "  recovery_days: 36":                                                              "f:4: recovery_days 36: use 1 to 35",
		table + "  encryption: mine":                                                               `f:4: encryption "mine": write owned, aws`,
		table + "  stream: all":                                                                    `f:4: stream "all": write one of keys-only,`,
		table + "  attributes: {state: N}":                                                         "f:4: state is not a key attribute",
		table + "  attributes: {id: BOOL}":                                                         `f:4: type "BOOL": write S, N or B`,
		table + "  indexes:\n  - {name: by_a, key: {partition: a}, local: true}":                   "f:5: a local index has the table's partition key, id",
		table + "  indexes:\n  - {name: by_a, key: {partition: a}, project: some}":                 "f:5: project: write all, keys, or a list",
		table + "  alarms:\n  - {name: a, metric: m, period: soon}":                                `f:5: period "soon": write 10s, 20s, 30s or`,
		table + "  alarms:\n  - {name: a, metric: m, period: 7s}":                                  `f:5: period "7s": write 10s, 20s, 30s or`,
		table + "  alarms:\n  - {name: a, metric: m, period: 90s}":                                 `f:5: period "90s": write 10s, 20s, 30s or`,
		table + "  alarms:\n  - {name: a, metric: m, period: 5m, when: often}":                     `f:5: when: "often": write a comparison and a number`,
		table + "  alarms:\n  - {name: a, metric: m, period: 5m}":                                  "f:5: the alarm a needs when",
		table + "  alarms:\n  - {name: a, metric: m, period: 5m, when: '> 1', actions: [page me]}": `f:5: the action "page me" of the alarm a: write an ARN`,
		table + "  policy: free":                                                                   "f:4: policy: write its Version and Statement",
		table + "keys:\n- alias: orders":                                                           `f:5: alias "orders": use alias/ and a name`,
		table + "  ttl: [a]":                                                                       "f:4: a list is not a string: put it in quotes",
		table + "  partition: x":                                                                   `f:4: unknown field "partition": use name, key,`,
		table + "alarms: [{name: a, period: 5m}]":                                                  "f:4: the alarm a needs a metric",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(after)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("f", []byte(text))
		if err != nil {
			return
		}
		again, err := file.OmitDefaults().Write()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse("f", again); err != nil {
			t.Errorf("%v\n%s", err, again)
		}
	})
}
