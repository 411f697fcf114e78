package cloudwatch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// stubGate is a gate that records accesses, and denies one resource.
type stubGate struct {
	asked  []string
	denied string
}

func (w *stubGate) Enabled() bool { return true }

func (w *stubGate) Authenticate(r *http.Request, _ []byte) (*identity.Principal, error) {
	if r.Header.Get("Authorization") == "" {
		return nil, &identity.Error{Code: identity.MissingToken, Message: "Missing Authentication Token"}
	}
	return &identity.Principal{}, nil
}

func (w *stubGate) Authorize(_ *identity.Principal, a identity.Access) error {
	text := a.Action + " " + a.Resource
	if a.Context != nil {
		text += fmt.Sprint(" ", a.Context.Values("cloudwatch:namespace"))
	}
	w.asked = append(w.asked, text)
	if a.Resource == w.denied {
		return &identity.Error{Code: identity.AccessDenied, Message: "no"}
	}
	return nil
}

// TestPoliciesApplyToActionsAndAlarms checks the action and resource of each kind of request, and the response to a
// denied one.
func TestPoliciesApplyToActionsAndAlarms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operation, body string
		asked           []string
		status          int
		says            string
	}{
		{"ListMetrics", `{}`, []string{"cloudwatch:ListMetrics *"}, 200, ""},
		{"PutMetricData", `{"Namespace": "Own", "MetricData": [{"MetricName": "m", "Value": 1}]}`,
			[]string{"cloudwatch:PutMetricData * [Own]"}, 200, ""},
		{"DescribeAlarms", `{}`, []string{"cloudwatch:DescribeAlarms *"}, 200, ""},
		{"DeleteAlarms", `{"AlarmNames": ["a", "b"]}`, []string{
			"cloudwatch:DeleteAlarms arn:aws:cloudwatch:us-east-1:000000000000:alarm:a",
			"cloudwatch:DeleteAlarms arn:aws:cloudwatch:us-east-1:000000000000:alarm:b"}, 200, ""},
		{"SetAlarmState", `{"AlarmName": "denied", "StateValue": "OK", "StateReason": ""}`, []string{
			"cloudwatch:SetAlarmState arn:aws:cloudwatch:us-east-1:000000000000:alarm:denied"}, 403,
			"com.amazonaws.cloudwatch#AccessDeniedException"},
	} {
		gate := &stubGate{denied: "arn:aws:cloudwatch:us-east-1:000000000000:alarm:denied"}
		w := guarded(t, gate, c.operation, c.body, "AWS4-HMAC-SHA256 Credential=desk")
		if !slices.Equal(gate.asked, c.asked) || w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s asks %q and is answered %d %s, want %q", c.operation, gate.asked, w.Code, w.Body, c.asked)
		}
	}
	if w := guarded(t, &stubGate{}, "ListMetrics", `{}`, ""); w.Code != 403 ||
		w.Header().Get("x-amzn-query-error") != "MissingAuthenticationToken;Sender" {
		t.Errorf("a request without a signature is answered %d %v %s", w.Code, w.Header(), w.Body)
	}
}

func guarded(t *testing.T, gate identity.Gate, operation, body, authorization string) *httptest.ResponseRecorder {
	t.Helper()
	kept, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	c := clock.Manual(noon)
	s, err := New(Config{Store: kept, Clock: c, Metrics: metrics.New(c), Gate: gate})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", "GraniteServiceVersion20100801."+operation)
	r.Header.Set("Authorization", authorization)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestAccountsAreIsolated checks that with isolation each pair of access key and region has its own metrics and alarms,
// and their ARNs.
func TestAccountsAreIsolated(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	d.service.spaces.Isolate = true
	as := func(who, operation, body string) string {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.Header.Set("X-Amz-Target", "GraniteServiceVersion20100801."+operation)
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+who+
			"/monitoring/aws4_request, SignedHeaders=host, Signature=0")
		return d.answer(r).Body.String()
	}
	as("one/20261121/eu-north-1",
		"PutMetricAlarm", `{"AlarmName": "a", "Namespace": "Own", "MetricName": "m", "Statistic": "Sum", "Period": 60, "EvaluationPeriods": 1, "Threshold": 0, "ComparisonOperator": "LessThanThreshold"}`)
	as("one/20261121/eu-north-1", "PutMetricData", `{"Namespace": "Own", "MetricData": [{"MetricName": "m", "Value": 1}]}`)
	for who, want := range map[string]bool{"one/20261121/eu-north-1": true, "two/20261121/eu-north-1": false,
		"one/20261121/us-east-1": false} {
		alarms, listed := as(who, "DescribeAlarms", `{}`), as(who, "ListMetrics", `{}`)
		if got := strings.Contains(alarms, "arn:aws:cloudwatch:eu-north-1:000000000000:alarm:a"); got != want {
			t.Errorf("%s sees the alarms %s", who, alarms)
		}
		if got := strings.Contains(listed, `"Own"`); got != want {
			t.Errorf("%s sees the metrics %s", who, listed)
		}
		if history := as(who, "DescribeAlarmHistory", `{}`); strings.Contains(history, "created") != want {
			t.Errorf("%s sees the history %s", who, history)
		}
	}
}
