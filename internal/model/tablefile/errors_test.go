package tablefile

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator"
)

// failedRequests is an HTTP client that notes the operations that a service refused, and that denies those in denied.
type failedRequests struct {
	next   aws.HTTPClient
	denied string // the name of an operation is a part of it
	mu     sync.Mutex
	names  []string
}

func (f *failedRequests) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation != "" && strings.Contains(f.denied, operation) {
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Unknown")
		res, err := f.next.Do(r)
		if err != nil {
			return nil, err
		}
		_ = res.Body.Close()
		res.Body, res.ContentLength = http.NoBody, 0
		res.Header.Set("X-Amzn-Errortype", "AccessDeniedException")
		return res, nil
	}
	res, err := f.next.Do(r)
	if err == nil && res.StatusCode >= http.StatusBadRequest {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.names = append(f.names, operation)
	}
	return res, err
}

// target returns an emulator as a target, to which requests go through f.
func (f *failedRequests) target(t *testing.T) *Target {
	t.Helper()
	config := emulator.Run(t).AWSConfig()
	f.next = http.DefaultClient
	config.HTTPClient = f
	target, err := NewTarget(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// withoutPolicies returns the full file without resource policies.
func withoutPolicies(t *testing.T) *File {
	t.Helper()
	f := full(t)
	for i := range f.Tables {
		f.Tables[i].Policy = ""
	}
	return f
}

// TestCompareCausesNoErrors creates tables and compares them again. No request fails, which would count in the metric
// UserErrors of the account: missing tables and keys are found in lists.
func TestCompareCausesNoErrors(t *testing.T) {
	t.Parallel()
	requests := &failedRequests{}
	target := requests.target(t)
	for _, want := range []int{8, 0} {
		if done := apply(t, target, withoutPolicies(t), Options{KeepPolicies: true}); len(done) != want {
			t.Errorf("%d steps, want %d: %q", len(done), want, done)
		}
	}
	if len(requests.names) > 0 {
		t.Errorf("the service refused %q", requests.names)
	}
}

// TestCompareMayNotList creates tables with the permissions of a caller who may not list tables and keys, and compares
// them again with those of a caller who may not list tables.
func TestCompareMayNotList(t *testing.T) {
	t.Parallel()
	requests := &failedRequests{denied: "ListTables ListAliases"}
	target := requests.target(t)
	for _, want := range []int{8, 0} {
		if done := apply(t, target, withoutPolicies(t), Options{KeepPolicies: true}); len(done) != want {
			t.Errorf("%d steps, want %d: %q", len(done), want, done)
		}
		requests.denied = "ListTables"
	}
	requests.denied = "ListAliases"
	if key, err := target.readKey(t.Context(), "alias/orders"); err != nil || key == nil {
		t.Errorf("the key: %+v, %v", key, err)
	}
}

// TestKeepPolicies compares a table that has a resource policy with a file that has none: the policy stays.
func TestKeepPolicies(t *testing.T) {
	t.Parallel()
	target := startEmulator(t)
	apply(t, target, full(t), Options{})
	if done := apply(t, target, withoutPolicies(t), Options{KeepPolicies: true}); len(done) > 0 {
		t.Errorf("it did %q", done)
	}
	if done := apply(t, target, withoutPolicies(t), Options{}); len(done) != 1 {
		t.Errorf("without KeepPolicies it did %q", done)
	}
}
