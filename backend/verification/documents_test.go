package verification

import (
	"net/http"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// A document whose address has ended, or was in an answer that got lost, gets another one, as long as its file is not there.
func TestAnotherAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.newCase()
	const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF"
	made := w.want(201, w.call("POST", path+"/documents", map[string]any{"documentType": "selfie", "fileSize": len(jpeg), "mimeType": "image/jpeg"}))
	id := made.body["document"].(map[string]any)["documentId"].(string)
	first := made.body["upload"].(map[string]any)["url"].(string)
	w.advance(uploads.Life + time.Second)
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
