package dynamo

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// disconnectedWriter is a client that disconnects while its response is written. As in HTTP/2, Write then returns
// before the last frame is written.
type disconnectedWriter struct {
	*httptest.ResponseRecorder
	body []byte // still to be written
}

func (l *disconnectedWriter) Write(b []byte) (int, error) {
	l.body = b
	return 0, errors.New("the stream was reset")
}

// getOrder returns a GetItem request to the table orders.
func getOrder(id string) *http.Request {
	r := httptest.NewRequest("POST", "/",
		strings.NewReader(fmt.Sprintf(`{"TableName":"orders","Key":{"id":{"S":%q}}}`, id)))
	r.Header = http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Target": {"DynamoDB_20120810.GetItem"},
		"X-Amz-Date": {"20261121T120000Z"},
		"Authorization": {
			"AWS4-HMAC-SHA256 Credential=desk/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"}}
	return r
}

// TestAbandonedResponsesAreNotOverwritten: memory of a response that is still being written after its client
// disconnected is never used by another request.
func TestAbandonedResponsesAreNotOverwritten(t *testing.T) {
	t.Parallel()
	s := withOrders(t, openMemory(t), 1)
	defer s.Close()
	get := func(w http.ResponseWriter, id string) { s.ServeHTTP(w, getOrder(id)) }
	for range 100 { // a pool returns memory to the next caller on the same processor
		l := &disconnectedWriter{ResponseRecorder: httptest.NewRecorder()}
		get(l, "0")
		was := bytes.Clone(l.body)
		get(httptest.NewRecorder(), "none")
		if !bytes.Equal(l.body, was) || !bytes.Contains(was, []byte(`"0"`)) {
			t.Fatalf("%s was to be sent, and is %s", was, l.body)
		}
	}
}

// TestATransactGetItemsThatPanicsUsesNoItems makes the snapshot of a TransactGetItems panic.
func TestATransactGetItemsThatPanicsUsesNoItems(t *testing.T) {
	t.Parallel()
	broken := false
	state, err := store.Open(store.Options{Pause: func() {
		if broken {
			panic("the store is broken")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Close() })
	s, err := New(Config{Store: state, Clock: clock.Manual(time.Unix(1_800_000_000, 0)), Conflicts: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	func() {
		defer func() { broken = recover() == nil }()
		broken = true
		_, _ = runOperation(s, requestFor(s.engine.SharedAccount.Load()), "TransactGetItems",
			[]byte(`{"TransactItems":[{"Get":{"TableName":"sessions","Key":{"id":{"S":"a"}}}}]}`), nil)
	}()
	if broken {
		t.Fatal("the request did not panic")
	}
	if left := reflect.ValueOf(s.engine.InFlight).Elem().FieldByName("items").Len(); left != 0 {
		t.Errorf("%d items are in use, want none", left)
	}
}
