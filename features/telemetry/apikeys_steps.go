package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) apiKeys(sc *godog.ScenarioContext) {
	sc.Step(`^the administrator creates the API key "([^"]*)"$`, w.createKey)
	sc.Step(`^the administrator creates (\d+) API keys$`, w.createKeys)
	sc.Step(`^the administrator looks at the key "([^"]*)"$`, func(ctx context.Context, name string) error {
		return w.MustSend(ctx, administrator, http.MethodGet, "/api-keys/"+w.keys[name].id, nil)
	})
	sc.Step(`^the administrator lists the keys$`, func(ctx context.Context) error { return w.listKeys(ctx, url.Values{}) })
	sc.Step(`^the administrator lists the keys in pages of (\d+)$`, func(ctx context.Context, n string) error {
		return w.listKeys(ctx, url.Values{"limit": {n}})
	})
	sc.Step(`^the administrator revokes the key "([^"]*)"$`, func(ctx context.Context, name string) error {
		return w.MustSend(ctx, administrator, http.MethodDelete, "/api-keys/"+w.keys[name].id, nil)
	})
	sc.Step(`^the administrator revokes an unknown key$`, func(ctx context.Context) {
		w.SendStep(ctx, administrator, http.MethodDelete, "/api-keys/"+uuid.NewString(), nil)
	})
	sc.Step(`^the key "([^"]*)" is checked$`, w.check)
	sc.Step(`^the key "([^"]*)" is checked (\d+) times at once$`, func(ctx context.Context, name string, n int) {
		w.SendConcurrently(n, func(int) httpapi.Response {
			return w.Send(ctx, apiKeyCredential(w.keys[name].raw), http.MethodGet, "/api-keys/self", nil)
		})
	})
	sc.Step(`^it is accepted$`, func() error { return w.Last.HasStatus(http.StatusOK) })
	sc.Step(`^all are accepted$`, w.allAccepted)
	sc.Step(`^"([^"]*)" has 64 hex digits$`, w.filledMatches(`^[0-9a-f]{64}$`))
	sc.Step(`^"([^"]*)" and "([^"]*)" differ$`, w.differ)
	sc.Step(`^the hash index is not updated from now on$`, w.freezeIndex)
	sc.Step(`^the hash index misses it the first time$`, w.indexMissesOnce)
	sc.Step(`^the store refuses to record the next use of a key$`, func() { w.refuseNextUpdate("api_keys") })
	sc.Step(`^the next activity of a device cannot be recorded$`, func() { w.refuseNextUpdate("devices") })
}

func (w *world) createKey(ctx context.Context, name string) error {
	w.SendStep(ctx, administrator, http.MethodPost, "/api-keys", map[string]string{"description": name})
	made, err := httpapi.Decode[struct {
		KeyID string `json:"key_id"`
		Raw   string `json:"api_key"`
	}](w.Last)
	w.keys[name] = apiKey{made.KeyID, made.Raw}
	w.Set(name, made.Raw)
	w.Set("id of "+name, made.KeyID)
	w.Set("hash of "+name, w.hash(made.Raw))
	if err != nil || w.lags { // and is meant to
		return err
	}
	return w.AwaitIndexEntries(ctx, "api_keys", "api_key_hash_index")
}

func (w *world) listKeys(ctx context.Context, query url.Values) error {
	if err := w.AwaitIndexEntries(ctx, "api_keys", "gsi1"); err != nil {
		return err
	}
	return w.listAll(ctx, administrator, "/api-keys", query)
}

func (w *world) createKeys(ctx context.Context, n int) error {
	for i := range n {
		if err := w.createKey(ctx, fmt.Sprintf("key %d", i+1)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) check(ctx context.Context, name string) {
	w.SendStep(ctx, apiKeyCredential(w.keys[name].raw), http.MethodGet, "/api-keys/self", nil)
}

func (w *world) allAccepted() error {
	var errs []error
	for _, a := range w.Responses {
		errs = append(errs, a.Succeeded())
	}
	return errors.Join(errs...)
}

func (w *world) differ(a, b string) error {
	filled, err := w.Fill(a + " " + b)
	if a, b, _ := strings.Cut(filled, " "); err == nil && a == b {
		err = errors.New("they are the same")
	}
	return err
}

// isHashQuery reports whether a request is the lookup of a key, and returns its input.
func isHashQuery(operation string, input any) (*dynamodb.QueryInput, bool) {
	in, ok := input.(*dynamodb.QueryInput)
	return in, ok && operation == "Query" && in.IndexName != nil && *in.IndexName == "api_key_hash_index"
}

// freezeIndex makes the index return its current contents from now on, as an index that lags would.
func (w *world) freezeIndex(ctx context.Context) error {
	items, err := w.Items(ctx, "api_keys")
	if err != nil {
		return err
	}
	w.Wire.AddSubstitute(func(operation string, input any) (any, error, bool) {
		in, ok := isHashQuery(operation, input)
		if !ok {
			return nil, nil, false
		}
		out := &dynamodb.QueryOutput{}
		for _, item := range items {
			for _, value := range in.ExpressionAttributeValues {
				if value.(*types.AttributeValueMemberS).Value == item["api_key_hash"].(*types.AttributeValueMemberS).Value {
					out.Items = append(out.Items, item)
				}
			}
		}
		out.Count = int32(len(out.Items))
		return out, nil, true
	})
	return nil
}

// indexMissesOnce makes the index miss the key once, as an index that lags would.
func (w *world) indexMissesOnce() {
	var done atomic.Bool
	w.Wire.AddSubstitute(func(operation string, input any) (any, error, bool) {
		_, ok := isHashQuery(operation, input)
		if !ok || done.Swap(true) {
			return nil, nil, false
		}
		return &dynamodb.QueryOutput{}, nil, true
	})
}

// refuseNextUpdate refuses the service's next update of a table, so that the use of the key, or the delivery, succeeds
// without being recorded, and the service logs that.
func (w *world) refuseNextUpdate(table string) {
	var done atomic.Bool
	w.Wire.AddSubstitute(func(_ string, input any) (any, error, bool) {
		update, ok := input.(*dynamodb.UpdateItemInput)
		if !ok || *update.TableName != w.Prefix+table || done.Swap(true) {
			return nil, nil, false
		}
		return nil, errors.New("refused by the scenario"), true
	})
}
