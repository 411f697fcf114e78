package dynamo

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

func openIsolated(t *testing.T) *Service {
	t.Helper()
	s, err := New(Config{Store: openMemory(t), Clock: clock.Manual(time.Unix(1000, 0)),
		Spaces: accounts.Spaces{Isolate: true}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAccountsWithoutTablesAreNotRegistered sends requests with access keys that are used once.
func TestAccountsWithoutTablesAreNotRegistered(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	for i := range 1000 {
		who := accounts.Scope{AccessKey: fmt.Sprintf("KEY%d", i), Region: accounts.DefaultRegion}
		if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), "ListTables", []byte(`{}`), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.engine.Accounts); n != 1 {
		t.Errorf("%d accounts are kept, want only the shared one", n)
	}
}

// TestAccountsAreForgottenWithTheirLastTable creates and deletes tables with access keys that are used once.
func TestAccountsAreForgottenWithTheirLastTable(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	for i := range 100 {
		who := accounts.Scope{AccessKey: fmt.Sprintf("KEY%d", i), Region: accounts.DefaultRegion}
		for _, request := range []struct{ operation, body string }{{"CreateTable", sessions},
			{"DeleteTable", `{"TableName":"sessions"}`}} {
			if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), request.operation, []byte(request.body),
				nil); err != nil {
				t.Fatal(request.operation, err)
			}
		}
	}
	if n := len(s.engine.Accounts); n != 1 {
		t.Errorf("%d accounts are kept, want only the shared one", n)
	}
}

// TestTablesSurviveConcurrentDeletesInTheirAccount makes concurrent requests with one access key create and delete a
// table each: no table is lost with an account that was empty for a moment.
func TestTablesSurviveConcurrentDeletesInTheirAccount(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	who := accounts.Scope{AccessKey: "KEY", Region: accounts.DefaultRegion}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := fmt.Sprintf("table-%d", i)
			create := strings.Replace(sessions, `"sessions"`, fmt.Sprintf("%q", name), 1)
			for range 20 {
				if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), "CreateTable", []byte(create), nil); err != nil {
					t.Error(err)
				}
				if _, err := s.accountOf(who, nil).NamedTable(name); err != nil {
					t.Errorf("a table that was just made: %v", err)
				}
				if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), "DeleteTable", fmt.Appendf(nil, `{"TableName":%q}`,
					name), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(s.engine.Accounts); n != 1 {
		t.Errorf("%d accounts are kept, want only the shared one", n)
	}
}

// TestForgottenAccountsKeepTheirGate checks that the gate of a forgotten account stays the same when another region of
// its owner has become known: a request that waits for the gate opens the one that it closed.
func TestForgottenAccountsKeepTheirGate(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	forgotten := s.accountOf(accounts.Scope{AccessKey: "KEY", Region: accounts.DefaultRegion}, nil).Intern()
	gate := forgotten.DDL
	forgotten.ForgetIfEmpty()
	other := s.accountOf(accounts.Scope{AccessKey: "KEY", Region: "eu-west-1"}, nil).Intern()
	again := forgotten.Intern()
	if again == forgotten || forgotten.DDL != gate || again.DDL != other.DDL {
		t.Errorf("account %p with gate %p, want another one than %p with gate %p", again, again.DDL, forgotten, other.DDL)
	}
}

// TestOneOfManyConcurrentCreateTablesSucceeds makes many requests create the first table of an account at once.
func TestOneOfManyConcurrentCreateTablesSucceeds(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	who := accounts.Scope{AccessKey: "KEY", Region: accounts.DefaultRegion}
	var made atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), "CreateTable", []byte(sessions), nil); err == nil {
				made.Add(1)
			}
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Errorf("%d requests made the table", made.Load())
	}
	if _, err := s.accountOf(who, nil).NamedTable("sessions"); err != nil {
		t.Error(err)
	}
}

// TestItemCountsAreCorrectAfterClose writes while the service is closed: writes that succeed are stored and counted,
// writes that fail are neither.
func TestItemCountsAreCorrectAfterClose(t *testing.T) {
	t.Parallel()
	state, now := openMemory(t), clock.Manual(time.Unix(1000, 0))
	s := openService(t, state, now)
	mustRun(t, s, "CreateTable", sessions)
	var stored atomic.Int64
	enough := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; putOverHTTP(s, fmt.Sprintf("%d-%d", w, i)) == http.StatusOK; i++ {
				if stored.Add(1) == 20 {
					close(enough)
				}
			}
		})
	}
	<-enough
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	next := openService(t, state, now)
	defer next.Close()
	wantSessions(t, next, stored.Load())
}

func putOverHTTP(s *Service, id string) (status int) {
	r := httptest.NewRequest(http.MethodPost, "/",
		strings.NewReader(`{"TableName":"sessions","Item":{"id":{"S":"`+id+`"}}}`))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
	r.Header.Set("X-Amz-Date", "20261121T120000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=k/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code
}

// requestFor returns a request for an account's tables.
func requestFor(a *engine.Account) *engine.Request {
	return &engine.Request{Engine: a.Engine, Account: a}
}

// runOperation runs an operation for a request.
func runOperation(s *Service, req *engine.Request, operation string, body, dst []byte) ([]byte, error) {
	run, ok := operations[operation]
	if !ok {
		run, ok = streamOperations[operation]
	}
	if !ok {
		run = historyOperations[operation]
	}
	x := &exchange{in: body, request: *req}
	answer, err := run(s, x, dst)
	*req = x.request // its budget and event
	return answer, err
}
