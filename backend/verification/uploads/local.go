package uploads

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// fileStore stores the files of a Local.
type fileStore interface {
	// put stores the contents of read under a key, completely or not at all. Errors: errExists when the file exists.
	put(key string, read io.Reader) error
	open(key string) (io.ReadCloser, int64, error) // Errors: ErrNotFound
	remove(key string) error
	keysBefore(day string) ([]string, error)
}

var errExists = errors.New("the file already exists")

// Local stores the files itself and receives them at its own address. It is safe for concurrent use.
type Local struct {
	files  fileStore
	path   string // path of the handler, such as /verification/uploads/
	secret []byte
	now    func() time.Time
}

// NewLocal returns a Local that stores files in a folder, which it creates if necessary, or in memory when folder is
// empty. Its addresses are under path, where ServeHTTP must be mounted, and signed with secret.
func NewLocal(folder, path string, secret []byte, now func() time.Time) (*Local, error) {
	l := &Local{files: &memory{files: map[string][]byte{}}, path: path, secret: secret, now: now}
	if folder != "" {
		store, err := openFolder(folder)
		if err != nil {
			return nil, err
		}
		l.files = store
	}
	return l, nil
}

// Bucket returns "local".
func (l *Local) Bucket() string { return "local" }

// Presign returns an address without a host, relative to the server that returns it.
func (l *Local) Presign(_ context.Context, f File) (Target, error) {
	expires := l.now().Add(AddressLifetime).Truncate(time.Second)
	return Target{
		Method: http.MethodPut, URL: l.path + f.Key + "?" + query(l.secret, f, expires.Unix()).Encode(), ExpiresAt: expires,
		Header: http.Header{"Content-Type": {f.Type}, "Content-Length": {strconv.FormatInt(f.Size, 10)}},
	}, nil
}

// Stat examines the file itself.
func (l *Local) Stat(_ context.Context, key string) (File, error) {
	in, size, err := l.files.open(key)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	sum := sha256.New()
	head, err := sniff(io.TeeReader(in, sum))
	if err == nil {
		_, err = io.Copy(sum, in)
	}
	return File{Key: key, Size: size, Type: http.DetectContentType(head), SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// Delete removes a file.
func (l *Local) Delete(_ context.Context, key string) error { return l.files.remove(key) }

// KeysBefore lists files.
func (l *Local) KeysBefore(_ context.Context, day string) ([]string, error) {
	return l.files.keysBefore(day)
}

// ServeHTTP receives a file at its signed address.
func (l *Local) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := verify(l.secret, strings.TrimPrefix(r.URL.Path, l.path), r.URL.Query(), l.now())
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case !ok:
		writeProblem(w, http.StatusForbidden, "", "the upload URL is invalid or expired; request a new one for the document")
	case r.ContentLength != f.Size:
		writeProblem(w, http.StatusUnprocessableEntity, "header.Content-Length", "must be the announced size")
	case kind != f.Type:
		writeProblem(w, http.StatusUnsupportedMediaType, "header.Content-Type", "must be the announced type")
	default:
		l.receive(w, r, f)
	}
}

func (l *Local) receive(w http.ResponseWriter, r *http.Request, f File) {
	body := io.LimitReader(r.Body, f.Size)
	head, err := sniff(body)
	if err == nil && http.DetectContentType(head) != f.Type {
		writeProblem(w, http.StatusUnsupportedMediaType, "body", "does not match its content type")
		return
	}
	verified := &verifyingReader{in: io.MultiReader(bytes.NewReader(head), body), want: f, sum: sha256.New()}
	if err == nil {
		err = l.files.put(f.Key, verified)
	}
	var mismatch *fileMismatch
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.As(err, &mismatch):
		writeProblem(w, http.StatusUnprocessableEntity, "body", mismatch.reason)
	case errors.Is(err, errExists):
		writeProblem(w, http.StatusConflict, "", "the file already exists and cannot be replaced")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		writeProblem(w, http.StatusUnprocessableEntity, "body", "ended before its announced size")
	default:
		w.Header().Set("Retry-After", "1")
		writeProblem(w, http.StatusServiceUnavailable, "", "the file could not be stored; send it again")
	}
}

// sniff reads as much of a file as its type detection needs.
func sniff(in io.Reader) ([]byte, error) {
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if errors.Is(err, io.ErrUnexpectedEOF) { // the file is shorter
		err = nil
	}
	return head[:n], err
}

// fileMismatch says why a file is not the announced one.
type fileMismatch struct{ reason string }

func (e *fileMismatch) Error() string { return e.reason }

// verifyingReader is a reader that fails at its end unless the file is the announced one.
type verifyingReader struct {
	in   io.Reader
	want File
	size int64
	sum  hash.Hash
}

// Read implements io.Reader.
func (c *verifyingReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.sum.Write(p[:n])
	c.size += int64(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	switch {
	case c.size != c.want.Size:
		return n, &fileMismatch{"ended before its announced size"}
	case c.want.SHA256 != "" && hex.EncodeToString(c.sum.Sum(nil)) != c.want.SHA256:
		return n, &fileMismatch{"has another SHA-256 than was announced"}
	}
	return n, io.EOF
}

func writeProblem(w http.ResponseWriter, status int, location, message string) {
	problem := map[string]any{"title": http.StatusText(status), "status": status, "detail": message}
	if location != "" {
		problem["errors"] = []map[string]string{{"location": location, "message": message}}
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem) // fails only when the caller has disconnected
}
