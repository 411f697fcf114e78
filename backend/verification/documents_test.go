package verification

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// A document whose address has expired, or whose response was lost, gets a new address as long as its file has not
// arrived.
func TestRenewUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase()
	const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF"
	created := w.want(201, w.call("POST", path+"/documents", map[string]any{"documentType": "selfie",
		"fileSize": len(jpeg),
		"mimeType": "image/jpeg"}))
	id := created.body["document"].(map[string]any)["documentId"].(string)
	first := created.body["upload"].(map[string]any)["url"].(string)
	w.advance(uploads.AddressLifetime + time.Second)
	w.want(409, w.call("POST", path+"/complete", nil))
	again := w.want(200, w.call("POST", path+"/documents/"+id+"/upload", nil))
	if got := again.body["document"].(map[string]any)["documentId"]; got != id {
		t.Errorf("another document: %s", again.raw)
	}
	second := again.body["upload"].(map[string]any)
	header := http.Header{}
	for name, value := range second["headers"].(map[string]any) {
		header.Set(name, value.(string))
	}
	if got := w.callWith(header, "PUT", first, jpeg); got.status != 403 {
		t.Errorf("the first address: %d %s", got.status, got.raw)
	}
	if got := w.callWith(header, "PUT", second["url"].(string), jpeg); got.status/100 != 2 {
		t.Errorf("the second address: %d %s", got.status, got.raw)
	}
	w.want(200, w.call("POST", path+"/documents/"+id+"/uploaded", nil))
	w.want(409, w.call("POST", path+"/documents/"+id+"/upload", nil))
	w.want(200, w.call("POST", path+"/complete", nil))
}

// A document whose file is not the announced one cannot be replaced by another document: its case is never complete,
// and the refusal says what to do (VR-R4).
func TestFileThatDiffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase()
	files := w.service.cfg.Uploads
	w.service.cfg.Uploads = otherSize{files}
	created := w.want(201, w.call("POST", path+"/documents", map[string]any{"documentType": "omang_front",
		"fileSize": len(jpeg), "mimeType": "image/jpeg"}))
	document := path + "/documents/" + created.body["document"].(map[string]any)["documentId"].(string)
	if got := w.want(409, w.call("POST", document+"/uploaded", nil)); !strings.Contains(got.raw, "open another case") {
		t.Error(got.raw)
	}
	w.service.cfg.Uploads = files
	w.upload(path, "omang_front")
	w.want(409, w.call("POST", path+"/complete", nil))
}

// otherSize is a store whose files have another size than was announced.
type otherSize struct{ uploads.Uploads }

func (otherSize) Stat(context.Context, string) (uploads.File, error) {
	return uploads.File{Size: 1, Type: "image/jpeg"}, nil
}

// transactionHook is a transport that calls a function, once, before it forwards a transaction.
type transactionHook struct{ before atomic.Pointer[func()] }

func (h *transactionHook) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
		if before := h.before.Swap(nil); before != nil {
			(*before)()
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// A document whose case is decided between the processor's read and its write stays as it is (VR-R4).
func TestDocumentOfADecidedCase(t *testing.T) {
	t.Parallel()
	hook := &transactionHook{}
	w := newWorld(t, func(c *Config) {
		c.Client = dynamodb.New(c.Client.Options(), func(o *dynamodb.Options) {
			o.HTTPClient = &http.Client{Transport: hook}
		})
	})
	path := w.newCase()
	document := w.upload(path, "omang_front")
	w.want(200, w.call("POST", path+"/complete", nil))
	w.want(200, w.call("POST", path+"/submit", nil))
	transition := func(to string) {
		w.want(200, w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": to}))
	}
	for _, to := range []string{"processing", "pending_review", "in_review"} {
		transition(to)
	}
	w.want(200, w.reviewer("paul", "POST", document+"/status", map[string]any{"status": "processing"}))
	approve := func() { transition("approved") }
	hook.before.Store(&approve)
	late := w.want(409, w.reviewer("paul", "POST", document+"/status", map[string]any{"status": "processed"}))
	if !strings.Contains(late.raw, "the case is approved") {
		t.Error(late.raw)
	}
	if got := w.want(200, w.call("GET", path+"/documents", nil)); !strings.Contains(got.raw, `"processing"`) {
		t.Error(got.raw)
	}
}

// A score is a number that DynamoDB can represent.
func TestScores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase() + "/documents/doc_550e8400-e29b-41d4-a716-446655440000/status"
	body := func(score string) string {
		return `{"status":"processed","processingResults":{"faceMatch":` + score + `}}`
	}
	for _, score := range []string{"1e-200", "-1e-131", "1e126", "-1.5e300"} {
		if got := w.want(422, w.reviewer("rita", "POST", path, body(score))); !strings.Contains(got.raw,
			"body.processingResults.faceMatch") {
			t.Errorf("%s: %s", score, got.raw)
		}
	}
	for _, score := range []string{"0", "0.98", "-1e-130", "9.9e125"} {
		w.want(404, w.reviewer("rita", "POST", path, body(score)))
	}
}
