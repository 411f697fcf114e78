package pushgateway_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func (d *testGateway) fcm() *push.FCM {
	return push.NewFCM(d.url, "tabletop", func(context.Context) (string, error) { return "oauth", nil }, nil, d.wait)
}

func newKey(t *testing.T) push.Key {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return push.Key{ID: "ABC123DEFG", Team: "DEF123GHIJ", Private: private}
}

func (d *testGateway) apns(t *testing.T) *push.APNs {
	return push.NewAPNs(d.url, "com.example.app", newKey(t), d.Now, nil, d.wait)
}

// do calls the handler without a network, as over HTTP/2, and returns the status and the body.
func do(g http.Handler, method, path, body string, header ...string) string {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/2.0", 2, 0
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return fmt.Sprintf("%d %s", w.Code, strings.TrimSpace(w.Body.String()))
}

const (
	expoPath = "/--/api/v2/push/send"
	fcmPath  = "/v1/projects/tabletop/messages:send"
)

// TestInvalidExpoRequests checks that invalid requests get Expo's documented errors.
func TestInvalidExpoRequests(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{ExpoToken: "secret"})
	ours := d.install(t, pushgateway.IOS)
	theirs, err := d.gateway.Install("", pushgateway.Android, "another")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 5000)
	to := func(token, more string) string { return `{"to":"` + token + `"` + more + `}` }
	for _, c := range []struct{ body, want string }{
		{`nonsense`, `400 {"errors":[{"code":"VALIDATION_ERROR"`},
		{`[]`, `400 {"errors":[{"code":"VALIDATION_ERROR"`},
		{`[{"title":"to nobody"}]`, `400 {"errors":[{"code":"VALIDATION_ERROR","message":"\"[0].to\" is required."}]}`},
		{`[` + to("nonsense", "") + `]`,
			`400 {"errors":[{"code":"VALIDATION_ERROR","message":"\"[0].to\" must be a valid Expo push token."}]}`},
		{to(ours.ExpoToken, `,"title":7`),
			`400 {"errors":[{"code":"VALIDATION_ERROR","message":"\"[0].title\" has the wrong type."}]}`},
		{to(ours.ExpoToken, `,"titel":"x"`),
			`400 {"errors":[{"code":"VALIDATION_ERROR","message":"\"[0].titel\" is not allowed."}]}`},
		{`[` + strings.Repeat(to(ours.ExpoToken, "")+",", 100) + to(ours.ExpoToken, "") + `]`,
			`400 {"errors":[{"code":"PUSH_TOO_MANY_NOTIFICATIONS"`},
		{`[` + to(ours.ExpoToken, "") + `,` + to(theirs.ExpoToken, "") + `]`,
			`400 {"errors":[{"code":"PUSH_TOO_MANY_EXPERIENCE_IDS","details":{"another":["Expo`},
		{to("ExponentPushToken[nobody]",
			""), `200 {"data":{"status":"error","message":"\"ExponentPushToken[nobody]\" is not a registered push notification recipient","details":{"error":"DeviceNotRegistered"}}}`},
		{to(ours.ExpoToken, ""), `200 {"data":{"status":"ok","id":"`},
		{`{"to":["` + ours.ExpoToken + `","` + ours.ExpoToken + `"],"body":"both"}`, `200 {"data":[{"status":"ok"`},
		{`[` + to(ours.ExpoToken, `,"body":"`+long+`"`) + `]`, `200 {"data":[{"status":"ok"`}, // too big: its receipt says so
	} {
		if got := do(d.gateway, "POST", expoPath, c.body, "Authorization", "Bearer secret"); !strings.HasPrefix(got,
			c.want) {
			t.Errorf("%.100s:\n%s\nwant %s", c.body, got, c.want)
		}
	}
	if n := len(d.gateway.Deliveries(0, 0)); n != 3 {
		t.Errorf("%d notifications arrived, want 3", n)
	}
	if got := do(d.gateway, "POST", expoPath, `[]`); !strings.HasPrefix(got, `401 {"errors":[{"code":"UNAUTHORIZED"`) {
		t.Errorf("without the access token: %s", got)
	}
	receipts := "/--/api/v2/push/getReceipts"
	ids := `{"ids":["` + strings.Repeat(`x","`, 1000) + `x"]}`
	for body, want := range map[string]string{`{}`: "400", ids: `400 {"errors":[{"code":"PUSH_TOO_MANY_RECEIPTS"`,
		`{"ids":["x"]}`: `200 {"data":{}}`} {
		if got := do(d.gateway, "POST", receipts, body, "Authorization", "Bearer secret"); !strings.HasPrefix(got, want) {
			t.Errorf("receipts: %.100s", got)
		}
	}
}

// TestExpoLimits checks the limits of notifications per second and project, and of the size of a message.
func TestExpoLimits(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{ExpoPerSecond: 2})
	p := d.install(t, pushgateway.IOS)
	began := d.Now()
	for _, r := range append(sendAll(t, d.expo(), p.ExpoToken, p.ExpoToken), sendAll(t, d.expo(), p.ExpoToken)...) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
	// The first pause is randomized, from half a second to one and a half; if it was too short, a second one takes one
	// to three.
	if waited := d.Now().Sub(began); waited < time.Second/2 || waited > 4500*time.Millisecond {
		t.Errorf("waited %v for the third of two a second", waited)
	}
	if r := sendAll(t, d.expo(), p.ExpoToken, p.ExpoToken, p.ExpoToken); !errors.Is(r[0].Err, push.ErrRateLimited) {
		t.Errorf("more than the limit at once: %v", r[0].Err)
	}
	expo := d.expo()
	d.advance(time.Second)
	results, err := expo.Send(t.Context(), []push.Message{{To: p.ExpoToken, Body: strings.Repeat("x", 4097)}})
	if err != nil || results[0].Err != nil {
		t.Fatalf("%+v %v", results, err)
	}
	if receipts, _ := expo.Receipts(t.Context(), []string{results[0].ID}); !errors.Is(receipts[results[0].ID],
		push.ErrTooBig) {
		t.Errorf("receipts %v", receipts)
	}
}

// TestGzip checks that compressed bodies are accepted, unless they decompress to more than the limit.
func TestGzip(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{})
	p := d.install(t, pushgateway.IOS)
	pack := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.String()
	}
	for body, want := range map[string]string{pack(`{"to":"` + p.ExpoToken + `"}`): "200",
		pack(strings.Repeat(" ", 2<<20)): "400", "plain": "400"} {
		if got := do(d.gateway, "POST", expoPath, body, "Content-Encoding", "gzip"); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestInvalidFCMRequests checks that invalid requests get FCM's documented errors.
func TestInvalidFCMRequests(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{DevicePerMinute: 2})
	p := d.install(t, pushgateway.Android)
	to := func(more string) string { return `{"message":{"token":"` + p.DeviceToken + `"` + more + `}}` }
	const fcmError = `"details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"`
	for _, c := range []struct{ path, body, want string }{
		{fcmPath, `nonsense`,
			`400 {"error":{"code":400,"message":"Invalid JSON payload received. Unexpected token.","status":"INVALID_ARGUMENT"}}`},
		{fcmPath, `{}`, `400 {"error":{"code":400,`},
		{fcmPath, `{"message":{}}`, `400 {"error":{"code":400,"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"description":"Recipient of the message is not set.","field":"message"}]}],"message":"Recipient of the message is not set.","status":"INVALID_ARGUMENT"}}`},
		{fcmPath, `{"message":{"token":"nonsense"}}`, `400 {"error":{"code":400,` +
			fcmError + `INVALID_ARGUMENT"}],"message":"The registration token is not a valid FCM registration token","status":"INVALID_ARGUMENT"}}`},
		{fcmPath, to(
			`,"data":{"a":12}`), `400 {"error":{"code":400,"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"description":"Invalid value at 'message.data[0].value' (TYPE_STRING), 12","field":"message.data[0].value"}]}]`},
		{fcmPath, to(`,"data":{"google.x":"1"}`), `400 {"error":{"code":400,` + fcmError + `INVALID_ARGUMENT`},
		{fcmPath, to(
			`,"titel":"x"`), `400 {"error":{"code":400,"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"description":"Invalid JSON payload received. Unknown name \"titel\" at 'message': Cannot find field."`},
		{fcmPath, to(`,"notification":{"title":7}`), `400 {"error":{"code":400,`},
		{fcmPath, to(`,"notification":{"body":"` + strings.Repeat("x", 4097) + `"}`), `400 {"error":{"code":400,` + fcmError +
			`INVALID_ARGUMENT"}],"message":"Android message is too big"`},
		{fcmPath, strings.ReplaceAll(to(""), p.DeviceToken[30:], strings.Repeat("x", 133)), `404 {"error":{"code":404,` +
			fcmError + `UNREGISTERED"}],"message":"Requested entity was not found.","status":"NOT_FOUND"}}`},
		{"/v1/projects/another/messages:send", to(""), `403 {"error":{"code":403,` + fcmError +
			`SENDER_ID_MISMATCH"}],"message":"SenderId mismatch","status":"PERMISSION_DENIED"}}`},
		{"/v1/projects/tabletop/messages:sendAll", to(""), `404 {"error":{"code":404,`},
		{fcmPath, strings.TrimSuffix(to(""), "}") + `,"validate_only":true}`,
			`200 {"name":"projects/tabletop/messages/fake_message_id"}`},
		{fcmPath, to(""), `200 {"name":"projects/tabletop/messages/0:`},
		{fcmPath, to(""), `429 {"error":{"code":429,` + fcmError + `QUOTA_EXCEEDED"}]`},
	} {
		if got := do(d.gateway, "POST", c.path, c.body, "Authorization", "Bearer oauth"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%.100s:\n%s\nwant %s", c.body, got, c.want)
		}
	}
	if got := do(d.gateway, "POST", fcmPath, to("")); !strings.HasPrefix(got, `401 {"error":{"code":401,`) {
		t.Errorf("without an access token: %s", got)
	}
	if n := len(d.gateway.Deliveries(0, 0)); n != 1 {
		t.Errorf("%d notifications arrived, want 1", n)
	}
}

// TestInvalidAPNsRequests checks that invalid requests get APNs's documented errors.
func TestInvalidAPNsRequests(t *testing.T) {
	t.Parallel()
	d := newTestGateway(t, pushgateway.Config{DevicePerMinute: 1})
	p := d.install(t, pushgateway.IOS)
	bearer := d.providerToken(t, newKey(t))
	path, alert := "/3/device/"+p.DeviceToken, `{"aps":{"alert":"Done"}}`
	for _, c := range []struct {
		method, path, body string
		header             []string
		want               string
	}{
		{"GET", path, "", nil, `405 {"reason":"MethodNotAllowed"}`},
		{"POST", "/3/device/", alert, nil, `400 {"reason":"MissingDeviceToken"}`},
		{"POST", "/3/devices/x", alert, nil, `404 {"reason":"BadPath"}`},
		{"POST", "/3/device/nonsense", alert, nil, `400 {"reason":"BadDeviceToken"}`},
		{"POST", "/3/device/" + strings.Repeat("0f", 32), alert, nil, `400 {"reason":"BadDeviceToken"}`},
		{"POST", path, alert, []string{"apns-id", "7"}, `400 {"reason":"BadMessageId"}`},
		{"POST", path, alert, []string{"apns-priority", "7"}, `400 {"reason":"BadPriority"}`},
		{"POST", path, alert, []string{"apns-expiration", "soon"}, `400 {"reason":"BadExpirationDate"}`},
		{"POST", path, alert, []string{"apns-push-type", "loud"}, `400 {"reason":"InvalidPushType"}`},
		{"POST", path, alert, []string{"apns-priority", "5", "apns-priority", "5"}, `400 {"reason":"DuplicateHeaders"}`},
		{"POST", path, alert, []string{"apns-collapse-id", strings.Repeat("x", 65)}, `400 {"reason":"BadCollapseId"}`},
		{"POST", path, "", nil, `400 {"reason":"PayloadEmpty"}`},
		{"POST", path, `{"job":"1"}`, nil, `400 {"reason":"PayloadEmpty"}`},
		{"POST", path, `{"aps":{},"x":"` + strings.Repeat("x", 4096) + `"}`, nil, `413 {"reason":"PayloadTooLarge"}`},
		{"POST", path, alert, nil, "200 "},
		{"POST", path, alert, nil, `429 {"reason":"TooManyRequests"}`},
	} {
		header := append([]string{"Authorization", "bearer " + bearer, "apns-topic", "com.example.app"}, c.header...)
		if got := do(d.gateway, c.method, c.path, c.body, header...); got != c.want {
			t.Errorf("%s %.40s %v: %s, want %s", c.method, c.path, c.header, got, c.want)
		}
	}
	if got := do(d.gateway, "POST", path, alert, "Authorization",
		"bearer "+bearer); got != `400 {"reason":"MissingTopic"}` {
		t.Errorf("without a topic: %s", got)
	}
	if got := do(d.gateway, "POST", path, alert, "Authorization", "bearer "+bearer, "apns-topic",
		"com.example.other"); got != `400 {"reason":"DeviceTokenNotForTopic"}` {
		t.Errorf("of another app: %s", got)
	}
	res, err := http.Post(d.url+path, "application/json", strings.NewReader(alert))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusHTTPVersionNotSupported {
		t.Errorf("over HTTP/1.1: %s", res.Status)
	}
}

// TestSlowRequestBlocksNoOther checks that a slow request to APNs blocks no other request.
func TestSlowRequestBlocksNoOther(t *testing.T) {
	t.Parallel()
	g := pushgateway.New(pushgateway.Config{AnyHTTP: true})
	body, slow := io.Pipe()
	response, responded := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(responded)
		g.ServeHTTP(response, httptest.NewRequest("POST", "/3/device/"+strings.Repeat("0f", 32), body))
	}()
	if _, err := slow.Write([]byte("{")); err != nil { // the gateway reads the body
		t.Fatal(err)
	}
	if phones := g.Phones(); len(phones) != 0 {
		t.Errorf("phones %v", phones)
	}
	if err := slow.Close(); err != nil {
		t.Fatal(err)
	}
	if <-responded; response.Code != 403 {
		t.Errorf("%d %s", response.Code, response.Body)
	}
}

// blockedWriter is a client that reads its response only after the gateway has done something for another one.
type blockedWriter struct {
	*httptest.ResponseRecorder
	gateway *pushgateway.Gateway
}

// Write writes after another request.
func (w blockedWriter) Write(b []byte) (int, error) {
	w.gateway.Phones()
	return w.ResponseRecorder.Write(b)
}

// TestSlowResponseBlocksNoOther checks that a client that does not read Expo's response blocks no other request.
func TestSlowResponseBlocksNoOther(t *testing.T) {
	t.Parallel()
	g := pushgateway.New(pushgateway.Config{})
	for path, body := range map[string]string{expoPath: `{"to":"ExponentPushToken[none]","body":"x"}`,
		"/--/api/v2/push/getReceipts": `{"ids":["none"]}`} {
		w := blockedWriter{httptest.NewRecorder(), g}
		r := httptest.NewRequest("POST", path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		g.ServeHTTP(w, r)
		if w.Code != 200 || !strings.HasPrefix(w.Body.String(), `{"data":`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
