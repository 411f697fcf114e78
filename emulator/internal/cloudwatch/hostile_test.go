package cloudwatch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
)

// TestExpressionsAreBounded requests hundreds of expressions that would fill years minute by minute.
func TestExpressionsAreBounded(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	queries := []string{
		`{"Id": "m1", "MetricStat": {"Metric": {"Namespace": "Own", "MetricName": "m"}, "Period": 60, "Stat": "Sum"}}`}
	for i := range maxQueries - 1 {
		queries = append(queries, fmt.Sprintf(`{"Id": "e%d", "Expression": "[%sTIME_SERIES(1)]", "ReturnData": false}`, i,
			strings.Repeat("TIME_SERIES(1),", 100)))
	}
	ask := func(queries ...string) *httptest.ResponseRecorder {
		body := fmt.Sprintf(`{"StartTime": %d, "EndTime": %d, "MetricDataQueries": [%s]}`, noon.Add(-400*24*time.Hour).Unix(),
			noon.Unix(), strings.Join(queries, ","))
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("X-Amz-Target", "GraniteServiceVersion20100801.GetMetricData")
		w := httptest.NewRecorder()
		inflight.Budgeted(d.service, Limits(nil)).ServeHTTP(w, r)
		return w
	}
	if w := ask(queries...); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(),
		"more data points than one request may") {
		t.Errorf("it is answered %d %.200s", w.Code, w.Body)
	}
	long, _ := json.Marshal(strings.Repeat("1+", maxExpression/2) + "1")
	if w := ask(queries[0], `{"Id": "e", "Expression": `+string(long)+`}`); w.Code != http.StatusBadRequest ||
		!strings.Contains(w.Body.String(), "more than 2048") {
		t.Errorf("it is answered %d %.200s", w.Code, w.Body)
	}
}
