package cosmos

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func TestItemLifecycle(t *testing.T) {
	t.Parallel()
	items := newTestService(t).newContainer(t, "things")
	ctx, key := t.Context(), azcosmos.NewPartitionKeyString("a")
	made, err := items.CreateItem(ctx, key, []byte(`{"id":"1","pk":"a","n":1}`), nil)
	if err != nil || made.RawResponse.StatusCode != http.StatusCreated || made.ETag == "" || made.RequestCharge <= 0 ||
		*made.SessionToken == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	_, err = items.CreateItem(ctx, key, []byte(`{"id":"1","pk":"a"}`), nil)
	wantStatus(t, err, http.StatusConflict)
	replaced, err := items.ReplaceItem(ctx, key, "1", []byte(`{"id":"1","pk":"a","n":2}`),
		&azcosmos.ItemOptions{IfMatchEtag: &made.ETag})
	if err != nil || replaced.ETag == made.ETag {
		t.Fatalf("%+v, %v", replaced, err)
	}
	_, err = items.ReplaceItem(ctx, key, "1", []byte(`{"id":"1","pk":"a","n":3}`),
		&azcosmos.ItemOptions{IfMatchEtag: &made.ETag})
	wantStatus(t, err, http.StatusPreconditionFailed)
	read, err := items.ReadItem(ctx, key, "1", nil)
	var v struct {
		N    int
		ETag string `json:"_etag"`
	}
	if err != nil || json.Unmarshal(read.Value, &v) != nil || v.N != 2 || v.ETag != string(replaced.ETag) {
		t.Fatalf("%s, %v", read.Value, err)
	}
	if _, err := items.ReadItem(ctx, azcosmos.NewPartitionKeyString("b"), "1", nil); err == nil {
		t.Error("the item is read under another partition key")
	}
	if _, err := items.DeleteItem(ctx, key, "1", nil); err != nil {
		t.Fatal(err)
	}
	_, err = items.ReadItem(ctx, key, "1", nil)
	wantStatus(t, err, http.StatusNotFound)
}

// wantStatus checks the status of an error.
func wantStatus(t *testing.T, err error, status int) {
	t.Helper()
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) || answer.StatusCode != status {
		t.Errorf("status %d was wanted: %v", status, err)
	}
}
