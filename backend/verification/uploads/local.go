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

// keeper stores the files of a Local.
type keeper interface {
	// put stores the contents of read under a key, completely or not at all. Errors: errTaken when the file exists.
	put(key string, read io.Reader) error
	open(key string) (io.ReadCloser, int64, error) // Errors: ErrNone
	remove(key string) error
	keysBefore(day string) ([]string, error)
}

var errTaken = errors.New("the file already exists")

// Local stores the files itself and receives them at its own address. It is safe for concurrent use.
type Local struct {
	keeper keeper
	path   string // path of the handler, such as /verification/uploads/
	secret []byte
	now    func() time.Time
}

// NewLocal returns a Local that stores files in a folder, which it creates if necessary, or in memory when folder is
// empty. Its addresses are under path, where ServeHTTP must be mounted, and signed with secret.
func NewLocal(folder, path string, secret []byte, now func() time.Time) (*Local, error) {
	l := &Local{keeper: &memory{files: map[string][]byte{}}, path: path, secret: secret, now: now}
	if folder != "" {
		kept, err := openFolder(folder)
		if err != nil {
			return nil, err
		}
		l.keeper = kept
	}
	return l, nil
}

// Bucket returns "local".
func (l *Local) Bucket() string { return "local" }

// Presign returns an address without a host, relative to the server that returns it.
func (l *Local) Presign(_ context.Context, f File) (Target, error) {
	expires := l.now().Add(Life).Truncate(time.Second)
	return Target{
		Method: http.MethodPut, URL: l.path + f.Key + "?" + query(l.secret, f, expires.Unix()).Encode(), ExpiresAt: expires,
		Header: http.Header{"Content-Type": {f.Type}, "Content-Length": {strconv.FormatInt(f.Size, 10)}},
	}, nil
}

// Stat examines the file itself.
func (l *Local) Stat(_ context.Context, key string) (File, error) {
	in, size, err := l.keeper.open(key)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	sum := sha256.New()
	head, err := sniffed(io.TeeReader(in, sum))
	if err == nil {
		_, err = io.Copy(sum, in)
	}
	return File{Key: key, Size: size, Type: http.DetectContentType(head), SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// Delete removes a file.
func (l *Local) Delete(_ context.Context, key string) error { return l.keeper.remove(key) }

// KeysBefore lists files.
func (l *Local) KeysBefore(_ context.Context, day string) ([]string, error) {
	return l.keeper.keysBefore(day)
}

// ServeHTTP receives a file at its signed address.
func (l *Local) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, good := verify(l.secret, strings.TrimPrefix(r.URL.Path, l.path), r.URL.Query(), l.now())
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case !good:
		refuse(w, http.StatusForbidden, "", "the upload URL is invalid or expired; request a new one for the document")
	case r.ContentLength != f.Size:
		refuse(w, http.StatusUnprocessableEntity, "header.Content-Length", "must be the announced size")
	case kind != f.Type:
		refuse(w, http.StatusUnsupportedMediaType, "header.Content-Type", "must be the announced type")
	default:
		l.take(w, r, f)
	}
}

func (l *Local) take(w http.ResponseWriter, r *http.Request, f File) {
	body := io.LimitReader(r.Body, f.Size)
	head, err := sniffed(body)
	if err == nil && http.DetectContentType(head) != f.Type {
		refuse(w, http.StatusUnsupportedMediaType, "body", "does not match its content type")
		return
	}
	checked := &checker{in: io.MultiReader(bytes.NewReader(head), body), want: f, sum: sha256.New()}
	if err == nil {
		err = l.keeper.put(f.Key, checked)
	}
	var wrong *wrongFile
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.As(err, &wrong):
		refuse(w, http.StatusUnprocessableEntity, "body", wrong.reason)
	case errors.Is(err, errTaken):
		refuse(w, http.StatusConflict, "", "the file already exists and cannot be replaced")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		refuse(w, http.StatusUnprocessableEntity, "body", "ended before its announced size")
	default:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "", "the file could not be stored; send it again")
	}
}

// sniffed reads as much of a file as its type detection needs.
func sniffed(in io.Reader) ([]byte, error) {
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if errors.Is(err, io.ErrUnexpectedEOF) { // the file is shorter
		err = nil
	}
	return head[:n], err
}

// wrongFile says why a file is not the announced one.
type wrongFile struct{ reason string }

func (e *wrongFile) Error() string { return e.reason }

// checker is a reader that fails at its end unless the file is the announced one.
type checker struct {
	in   io.Reader
	want File
	size int64
	sum  hash.Hash
}

// Read implements io.Reader.
func (c *checker) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.sum.Write(p[:n])
	c.size += int64(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	switch {
	case c.size != c.want.Size:
		return n, &wrongFile{"ended before its announced size"}
	case c.want.SHA256 != "" && hex.EncodeToString(c.sum.Sum(nil)) != c.want.SHA256:
		return n, &wrongFile{"has another SHA-256 than was announced"}
	}
	return n, io.EOF
}

func refuse(w http.ResponseWriter, status int, location, message string) {
	problem := map[string]any{"title": http.StatusText(status), "status": status, "detail": message}
	if location != "" {
		problem["errors"] = []map[string]string{{"location": location, "message": message}}
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem) // fails only when the caller has disconnected
}
