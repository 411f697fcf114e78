package backend

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// withoutKey lists the POST operations without an Idempotency-Key, and why a repeat needs none. Their descriptions say
// what a repeat does.
var withoutKey = map[string]string{
	"devicetoken/deactivate-device": "sets what is set already",
	"devicetoken/push-to-user":      "stores nothing new",
	"devicetoken/register-device":   "the user and the deviceId are the key of what it makes",

	"kefir/cancel-reminder": "changes what is not cancelled yet",
	"kefir/change-status":   "changes what has another status",
	"kefir/move-batch":      "moves what is in stage 1",

	"notification/dismiss-notification": "marks what is not dismissed yet",
	"notification/read-all":             "marks what is unread",
	"notification/read-notification":    "marks what is unread",
	"notification/register-device":      "the user and the deviceId are the key of what it makes",
	"notification/work":                 "takes up what nobody has done",

	"telemetry/create-api-key":  "its answer is a secret that is stored nowhere, and the list shows which key was never used (TL-D8)",
	"telemetry/ingest-readings": "the batch_id of a reading is its key",
	"telemetry/register-device": "the hardware_id is the key of what it makes",

	"verification/complete-case":       "moves what is not complete yet",
	"verification/confirm-document":    "confirms what is not uploaded yet",
	"verification/set-document-status": "moves what has another status",
	"verification/move-case":           "moves what has another status",
	"verification/renew-upload":        "stores nothing new",
	"verification/rotate-key":          "one key more does no harm: all of them open what they sealed",
	"verification/submit-case":         "moves what is not submitted yet",
}

// openapiOperation is an operation in an OpenAPI document.
type openapiOperation struct {
	OperationID string
	Description string
	Parameters  []struct{ Name, In string }
	Responses   map[string]any
}

// TestRepeatsAreDocumented checks that a repeat of any POST operation creates nothing twice: the operation takes an
// Idempotency-Key, or it is in withoutKey and its description says what a repeat does.
func TestRepeatsAreDocumented(t *testing.T) {
	t.Parallel()
	remaining := maps.Clone(withoutKey)
	page, err := os.ReadFile("../docs/repeats.md")
	if err != nil {
		t.Fatal(err)
	}
	repeat := regexp.MustCompile(`(?i)\brepeat`)
	for _, system := range Systems() {
		for _, op := range postOperations(t, system) {
			name := system.Name + "/" + op.OperationID
			keyed := slices.ContainsFunc(op.Parameters, func(p struct{ Name, In string }) bool {
				return p.In == "header" && p.Name == "Idempotency-Key"
			})
			_, listed := remaining[name]
			delete(remaining, name)
			if !strings.Contains(string(page), "`"+op.OperationID+"`") {
				t.Errorf("docs/repeats.md does not say what a repeat of %s does", name)
			}
			switch {
			case keyed && listed:
				t.Errorf("%s takes an Idempotency-Key: it has no place in withoutKey", name)
			case !keyed && !listed:
				t.Errorf("%s takes no Idempotency-Key: give it one (idempotency.Header), or a line in withoutKey", name)
			case keyed && (op.Responses["200"] == nil || op.Responses["201"] == nil || op.Responses["409"] == nil):
				t.Errorf("%s takes an Idempotency-Key and does not answer 200, 201 and 409: describe it by idempotency.Operation",
					name)
			case listed && !repeat.MatchString(op.Description):
				t.Errorf("%s does not say what a repeat does: %q", name, op.Description)
			}
		}
	}
	for name := range remaining {
		t.Errorf("there is no %s: take it out of withoutKey", name)
	}
}

// postOperations returns the POST operations in a system's OpenAPI document.
func postOperations(t *testing.T, system System) (all []openapiOperation) {
	t.Helper()
	cfg := offline()
	cfg.Systems = []string{system.Name}
	if system.Region != "" {
		cfg.AWS.Region = system.Region
	}
	var err error
	if cfg.PIIKeyset, err = pii.NewLocal(); err != nil {
		t.Fatal(err)
	}
	if cfg.Cosmos, err = azcosmos.NewClient("http://127.0.0.1:1", nil, nil); err != nil {
		t.Fatal(err)
	}
	server, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	out := httptest.NewRecorder()
	server.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/"+system.Name+"/openapi.json", nil))
	var document struct {
		Paths map[string]map[string]openapiOperation
	}
	if err := json.Unmarshal(out.Body.Bytes(), &document); err != nil {
		t.Fatalf("%s: %d %v", system.Name, out.Code, err)
	}
	for _, path := range document.Paths {
		if op, is := path["post"]; is {
			all = append(all, op)
		}
	}
	if len(all) == 0 {
		t.Errorf("%s has no operation by POST", system.Name)
	}
	return all
}
