package push

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// fakeService answers its requests in order, repeating the last response, and records them.
type fakeService struct {
	*httptest.Server
	mu        sync.Mutex
	responses []fakeResponse
	recordedRequests
}

// recordedRequests holds the requests that arrived and the sender's pauses between them.
type recordedRequests struct {
	bodies  []string
	headers []http.Header
	paths   []string
	pauses  []time.Duration
}

func (s *fakeService) recorded() recordedRequests {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recordedRequests
}

type fakeResponse struct {
	status int
	body   string
	header []string // alternating names and values
}

func newFakeService(t *testing.T, answers ...fakeResponse) *fakeService {
	t.Helper()
	s := &fakeService{responses: answers}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.respond))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP1(true)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *fakeService) respond(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies, s.headers, s.paths = append(s.bodies, string(body)), append(s.headers, r.Header),
		append(s.paths, r.Proto+" "+r.URL.Path)
	a := s.responses[min(len(s.bodies), len(s.responses))-1]
	for i := 0; i < len(a.header); i += 2 {
		w.Header().Set(a.header[i], a.header[i+1])
	}
	if a.status == 0 { // break the connection instead of responding
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// wait records the pause and returns at once.
func (s *fakeService) wait(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pauses = append(s.pauses, d)
	return ctx.Err()
}

// send sends one message, which must have one result.
func send(t *testing.T, s Sender, m Message) Result {
	t.Helper()
	results, err := s.Send(t.Context(), []Message{m})
	if err != nil || len(results) != 1 || results[0].Token != m.To {
		t.Fatalf("results %v, error %v", results, err)
	}
	return results[0]
}

// wantError checks that err is of this kind and does not contain the token.
func wantError(t *testing.T, err, kind error, token string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
	if err != nil && strings.Contains(err.Error(), token) {
		t.Errorf("the error %q holds the token", err)
	}
}

func tokenOf(phone string) string { return "ExponentPushToken[" + phone + "]" }

const token = "ExponentPushToken[aaaaaaaaaaaaaaaaaaaaaa]"

// TestExpoSends checks that a request holds up to 100 messages, and that tickets are matched with messages.
func TestExpoSends(t *testing.T) {
	t.Parallel()
	var requests []int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var messages []expoMessage
		if err := json.NewDecoder(r.Body).Decode(&messages); err != nil || r.URL.Path != "/--/api/v2/push/send" {
			t.Errorf("%s: %v", r.URL, err)
		}
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("headers %v", r.Header)
		}
		requests = append(requests, len(messages))
		tickets := make([]map[string]string, len(messages))
		for i, m := range messages {
			tickets[i] = map[string]string{"status": "ok", "id": "of " + m.To}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": tickets})
	}))
	defer server.Close()
	expo := NewExpo(server.URL+"/", nil, nil)
	expo.AccessToken = "secret"
	messages := make([]Message, 230)
	for i := range messages {
		messages[i] = Message{To: tokenOf(strings.Repeat("a", i+1)), Title: "Done"}
	}
	results, err := expo.Send(t.Context(), messages)
	if err != nil || !slices.Equal(requests, []int{100, 100, 30}) {
		t.Fatalf("requests of %v messages, error %v", requests, err)
	}
	for i, r := range results {
		if r.Err != nil || r.Token != messages[i].To || r.ID != "of "+r.Token {
			t.Errorf("result %d: %+v", i, r)
		}
	}
}

// TestExpoErrors checks that Expo's errors of a message or a whole request map to the errors of the package.
func TestExpoErrors(t *testing.T) {
	t.Parallel()
	one := func(code string) fakeResponse {
		return fakeResponse{200, `{"data":[{"status":"error","message":"\"` + token + `\" is …","details":{"error":"` +
			code + `"}}]}`, nil}
	}
	whole := func(status int, code string) fakeResponse {
		return fakeResponse{status, `{"errors":[{"code":"` + code + `","message":"` + token + `"}]}`, nil}
	}
	for _, c := range []struct {
		answer fakeResponse
		want   error
		tries  int
	}{
		{one("DeviceNotRegistered"), ErrUnregistered, 1},
		{one("MessageTooBig"), ErrTooBig, 1},
		{one("MessageRateExceeded"), ErrRateLimited, maxAttempts},
		{one("InvalidCredentials"), ErrCredentials, 1},
		{one("MismatchSenderId"), ErrCredentials, 1},
		{one(token), ErrInvalid, 1},
		{whole(429, "TOO_MANY_REQUESTS"), ErrRateLimited, maxAttempts},
		{whole(400, "PUSH_TOO_MANY_EXPERIENCE_IDS"), ErrInvalid, 1},
		{whole(400, "VALIDATION_ERROR"), ErrInvalid, 1},
		{whole(401, "UNAUTHORIZED"), ErrCredentials, 1},
		{fakeResponse{503, "no JSON " + token, nil}, ErrUnavailable, maxAttempts},
		{fakeResponse{0, "", nil}, ErrUnavailable, maxAttempts},
		{fakeResponse{200, "no JSON", nil}, ErrUnavailable, 1},
		{fakeResponse{200, `{"data":[]}`, nil}, ErrUnavailable, 1},
	} {
		server := newFakeService(t, c.answer)
		result := send(t, NewExpo(server.URL, nil, server.wait), Message{To: token, Title: "Done"})
		wantError(t, result.Err, c.want, token)
		if len(server.recorded().bodies) != c.tries || len(server.recorded().pauses) != c.tries-1 {
			t.Errorf("%v: %d tries, pauses %v", c.want, len(server.recorded().bodies), server.recorded().pauses)
		}
	}
}

// TestExpoRetries checks that only the messages for which Expo was too busy are sent again.
func TestExpoRetries(t *testing.T) {
	t.Parallel()
	busy := `{"status":"error","details":{"error":"MessageRateExceeded"}}`
	server := newFakeService(t,
		fakeResponse{429, `{"errors":[{"code":"TOO_MANY_REQUESTS"}]}`, []string{"Retry-After", "7"}},
		fakeResponse{200, `{"data":[{"status":"ok","id":"1"},` + busy + `,` + busy + `]}`, nil},
		fakeResponse{200, `{"data":[{"status":"ok","id":"2"},{"status":"error","details":{"error":"DeviceNotRegistered"}}]}`,
			nil})
	results, err := NewExpo(server.URL, nil, server.wait).Send(t.Context(), []Message{{To: tokenOf("a")},
		{To: tokenOf("b")}, {To: tokenOf("c")}})
	if err != nil || results[0].ID != "1" || results[1].ID != "2" || !errors.Is(results[2].Err, ErrUnregistered) {
		t.Errorf("results %+v, error %v", results, err)
	}
	if want := []time.Duration{7 * time.Second, 2 * time.Second}; !matchesPauses(server.recorded().pauses, want) {
		t.Errorf("pauses %v, want %v", server.recorded().pauses, want)
	}
	if last := server.recorded().bodies[2]; strings.Contains(last, tokenOf("a")) || !strings.Contains(last, tokenOf("b")) {
		t.Errorf("sent again: %s", last)
	}
}

// matchesPauses reports whether the pauses are those that a service asked for, or randomized around pauses that double
// from a second.
func matchesPauses(pauses, want []time.Duration) bool {
	return slices.EqualFunc(pauses, want, func(got, want time.Duration) bool {
		if asked := want > 2*time.Second; asked {
			return got == want
		}
		return got >= want/2 && got <= want*3/2 && got != want
	})
}

// TestMalformedTokens checks that malformed tokens are not sent: one of them would make Expo refuse the whole request.
func TestMalformedTokens(t *testing.T) {
	t.Parallel()
	server := newFakeService(t, fakeResponse{200, `{"data":[{"status":"ok","id":"1"},{"status":"ok","id":"2"}]}`, nil})
	messages := []Message{{To: tokenOf("a")}, {To: "apns:0f0f"}, {To: ""}, {To: "ExpoPushToken[b]"}}
	results, err := NewExpo(server.URL, nil, server.wait).Send(t.Context(), messages)
	if err != nil || results[0].ID != "1" || results[3].ID != "2" || !errors.Is(results[1].Err, ErrInvalid) ||
		!errors.Is(results[2].Err, ErrInvalid) {
		t.Errorf("results %+v, error %v", results, err)
	}
	if body := server.recorded().bodies[0]; strings.Contains(body, "apns") ||
		strings.Contains(results[1].Err.Error(), "apns") {
		t.Errorf("sent %s, said %v", body, results[1].Err)
	}
	if results, err := NewExpo("http://127.0.0.1:1", nil, server.wait).Send(t.Context(),
		[]Message{{To: "nonsense"}}); err != nil || len(results) != 1 {
		t.Errorf("results %+v, error %v", results, err)
	}
}

// TestReceipts checks that receipts report by ticket what Apple or Google answered, and omit tickets without a receipt.
func TestReceipts(t *testing.T) {
	t.Parallel()
	server := newFakeService(t,
		fakeResponse{200, `{"data":{"1":{"status":"ok"},"2":{"status":"error","details":{"error":"DeviceNotRegistered"}}}}`,
			nil})
	found, err := NewExpo(server.URL, nil, server.wait).Receipts(t.Context(), []string{"1", "2", "3"})
	if err != nil || len(found) != 2 || found["1"] != nil || !errors.Is(found["2"], ErrUnregistered) {
		t.Errorf("receipts %v, error %v", found, err)
	}
	if got := server.recorded().paths[0] + " " +
		server.recorded().bodies[0]; got != `HTTP/1.1 /--/api/v2/push/getReceipts {"ids":["1","2","3"]}` {
		t.Errorf("asked %s", got)
	}
	refused := newFakeService(t, fakeResponse{400, `{"errors":[{"code":"PUSH_TOO_MANY_RECEIPTS"}]}`, nil})
	if _, err := NewExpo(refused.URL, nil, refused.wait).Receipts(t.Context(), []string{"1"}); !errors.Is(err,
		ErrInvalid) {
		t.Errorf("refused: %v", err)
	}
}

// TestRetryAfter checks both forms of the header, and that a pause longer than any caller would wait ends the attempts.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	date := []string{"Date", "Sat, 21 Nov 2026 10:00:00 GMT", "Retry-After", "Sat, 21 Nov 2026 10:00:09 GMT"}
	for _, c := range []struct {
		header []string
		want   []time.Duration
	}{
		{date, []time.Duration{9 * time.Second}},
		{[]string{"Retry-After", "soon"}, []time.Duration{time.Second}},
		{[]string{"Retry-After", "3600"}, nil},
	} {
		server := newFakeService(t, fakeResponse{503, "", c.header}, fakeResponse{200, `{"data":[{"status":"ok","id":"1"}]}`,
			nil})
		result := send(t, NewExpo(server.URL, nil, server.wait), Message{To: token})
		if !matchesPauses(server.recorded().pauses, c.want) || (result.Err == nil) != (c.want != nil) {
			t.Errorf("%v: pauses %v, result %+v", c.header, server.recorded().pauses, result)
		}
	}
}

// TestContext checks that sending ends with the context's error, during a pause too.
func TestContext(t *testing.T) {
	t.Parallel()
	server := newFakeService(t, fakeResponse{503, "", nil})
	ctx, cancel := context.WithCancel(t.Context())
	expo := NewExpo(server.URL, nil, func(ctx context.Context, d time.Duration) error {
		cancel()
		return pause.For(ctx, d)
	})
	if results, err := expo.Send(ctx, []Message{{To: token}}); !errors.Is(err, context.Canceled) {
		t.Errorf("results %v, error %v", results, err)
	}
}

// TestExpoContextEndsHalfway checks that the results that are known when ctx ends are returned.
func TestExpoContextEndsHalfway(t *testing.T) {
	t.Parallel()
	first := `{"data":[` + strings.Repeat(`{"status":"ok","id":"1"},`, MaxExpoMessages-1) + `{"status":"ok","id":"1"}]}`
	server := newFakeService(t, fakeResponse{200, first, nil}, fakeResponse{503, "", nil})
	ctx, cancel := context.WithCancel(t.Context())
	expo := NewExpo(server.URL, nil, func(ctx context.Context, d time.Duration) error {
		cancel()
		return pause.For(ctx, d)
	})
	messages := slices.Repeat([]Message{{To: token}}, MaxExpoMessages+1)
	results, err := expo.Send(ctx, append(messages, Message{To: "malformed"}))
	if !errors.Is(err, context.Canceled) || len(results) != MaxExpoMessages+2 {
		t.Fatalf("%d results, error %v", len(results), err)
	}
	for i, want := range map[int]error{0: nil, MaxExpoMessages - 1: nil, MaxExpoMessages: ErrUnavailable,
		MaxExpoMessages + 1: ErrInvalid} {
		if got := results[i]; !errors.Is(got.Err, want) || got.Token == "" {
			t.Errorf("result %d: %+v, want %v", i, got, want)
		}
	}
}

// TestContextEndsHalfway checks the same for services that take one message per request.
func TestContextEndsHalfway(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan struct{})
	results, err := each(ctx, []Message{{To: "first"}, {To: "second"}}, func(ctx context.Context, m Message) (Result,
		error) {
		if m.To == "first" {
			close(sent)
			return Result{Token: m.To, ID: "1"}, nil
		}
		<-sent
		cancel()
		return Result{}, ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || len(results) != 2 || results[0].ID != "1" || results[0].Err != nil ||
		results[1].Token != "second" || !errors.Is(results[1].Err, ErrUnavailable) {
		t.Errorf("results %+v, error %v", results, err)
	}
}
