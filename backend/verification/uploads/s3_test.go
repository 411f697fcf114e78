package uploads

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// bucket is a fake S3 that supports the requests of this package.
type bucket struct {
	mu    sync.Mutex
	files map[string]*http.Request // by key: the request that put it
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/documents/")
	file, there := b.files[name]
	switch {
	case r.Method == http.MethodPut && there && r.Header.Get("If-None-Match") == "*":
		w.WriteHeader(http.StatusPreconditionFailed)
	case r.Method == http.MethodPut:
		b.files[name] = r
	case r.Method == http.MethodHead && there:
		w.Header().Set("Content-Length", file.Header.Get("Content-Length"))
		w.Header().Set("Content-Type", file.Header.Get("Content-Type"))
		w.Header().Set("X-Amz-Checksum-Sha256", file.Header.Get("X-Amz-Checksum-Sha256"))
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(b.files, name)
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Query().Get("list-type") == "2":
		list := `<ListBucketResult><IsTruncated>false</IsTruncated>`
		for key := range b.files {
			list += `<Contents><Key>` + key + `</Key></Contents>`
		}
		_, _ = io.WriteString(w, list+`</ListBucketResult>`)
	}
}

// TestS3 checks that announcements are signed, and that requests for objects follow S3's documentation.
func TestS3(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&bucket{files: map[string]*http.Request{}})
	t.Cleanup(server.Close)
	files := NewS3(s3.New(s3.Options{
		Region: "af-south-1", BaseEndpoint: aws.String(server.URL), UsePathStyle: true, Retryer: aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	}), "documents", start)
	to, err := files.Presign(t.Context(), picture())
	if err != nil || to.Method != http.MethodPut || files.Bucket() != "documents" {
		t.Fatal(to, err)
	}
	signed, err := url.Parse(to.URL)
	if err != nil {
		t.Fatal(err)
	}
	if q := signed.Query(); q.Get("X-Amz-Expires") != "900" || !strings.Contains(q.Get("X-Amz-Credential"),
		"/af-south-1/s3/") ||
		!strings.Contains(q.Get("X-Amz-SignedHeaders"), "content-length") || !strings.Contains(q.Get("X-Amz-SignedHeaders"),
		"if-none-match") {
		t.Errorf("signed %v", q)
	}
	if _, err := files.Stat(t.Context(), key); !errors.Is(err, ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	for _, want := range []int{http.StatusOK, http.StatusPreconditionFailed} {
		request, err := http.NewRequestWithContext(t.Context(), to.Method, to.URL, strings.NewReader(jpeg))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = to.Header.Clone()
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("sent: %s", response.Status)
		}
	}
	if f, err := files.Stat(t.Context(), key); err != nil || f.Size != picture().Size || f.Type != "image/jpeg" {
		t.Errorf("%+v, %v", f, err)
	}
	for day, want := range map[string][]string{"2026-02-14": {key}, "2026-02-13": nil} {
		if keys, err := files.KeysBefore(t.Context(), day); err != nil || !slices.Equal(keys, want) {
			t.Errorf("before %s: %v, %v", day, keys, err)
		}
	}
	if err := files.Delete(t.Context(), key); err != nil {
		t.Error(err)
	}
	server.Close()
	for name, err := range map[string]error{
		"stat": second(files.Stat(t.Context(), key)), "keys": second(files.KeysBefore(t.Context(), "2026-02-14")),
		"delete": files.Delete(t.Context(), key),
	} {
		if !errors.Is(err, ErrUnavailable) {
			t.Errorf("%s of a bucket that is away: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
