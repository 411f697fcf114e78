package uploads

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	below = "/uploads/"
	key   = "2026-02-13/ver_7c9e6679-7425-40de-944b-e07fc1f90ae7/doc_550e8400-e29b-41d4-a716-446655440000"
	jpeg  = "\xff\xd8\xff\xe0 a picture"
)

func start() time.Time { return time.Date(2026, 2, 3, 10, 30, 0, 0, time.UTC) }

func picture() File {
	sum := sha256.Sum256([]byte(jpeg))
	return File{Key: key, Size: int64(len(jpeg)), Type: "image/jpeg", SHA256: hex.EncodeToString(sum[:])}
}

// eachStore runs a test with a Local in a folder and with one in memory.
func eachStore(t *testing.T, test func(t *testing.T, l *Local, folder string)) {
	for name, folder := range map[string]string{"folder": filepath.Join(t.TempDir(), "a", "b"), "memory": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := NewLocal(folder, below, []byte("secret"), start)
			if err != nil {
				t.Fatal(err)
			}
			test(t, l, folder)
		})
	}
}

// send sends a file to an address of l and returns the status.
func send(l *Local, address, kind, content string) int {
	request := httptest.NewRequest(http.MethodPut, address, strings.NewReader(content))
	request.Header.Set("Content-Type", kind)
	response := httptest.NewRecorder()
	l.ServeHTTP(response, request)
	return response.Code
}

func address(t *testing.T, l *Local, f File) string {
	t.Helper()
	to, err := l.Presign(t.Context(), f)
	if err != nil || to.Method != http.MethodPut || !to.ExpiresAt.Equal(start().Add(AddressLifetime)) {
		t.Fatalf("%+v, %v", to, err)
	}
	return to.URL
}

// TestUploadLifecycle sends, examines, lists and deletes a file; a second file for the key is refused.
func TestUploadLifecycle(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, l *Local, folder string) {
		if _, err := l.Stat(t.Context(), key); !errors.Is(err, ErrNotFound) {
			t.Errorf("before: %v", err)
		}
		to := address(t, l, picture())
		if got := send(l, to, "image/jpeg", jpeg); got != http.StatusNoContent {
			t.Fatalf("sent: %d", got)
		}
		if got := send(l, to, "image/jpeg", jpeg); got != http.StatusConflict {
			t.Errorf("sent again: %d", got)
		}
		if f, err := l.Stat(t.Context(), key); err != nil || f != picture() {
			t.Errorf("%+v, %v", f, err)
		}
		for day, n := range map[string]int{"2026-02-13": 0, "2026-02-14": 1, "2030-01-01": 1} {
			if keys, err := l.KeysBefore(t.Context(), day); err != nil || len(keys) != n {
				t.Errorf("before %s: %v, %v", day, keys, err)
			}
		}
		for range 2 {
			if err := l.Delete(t.Context(), key); err != nil {
				t.Error(err)
			}
		}
		if folder != "" {
			if remaining, err := os.ReadDir(folder); err != nil || len(remaining) > 0 {
				t.Errorf("left over: %v, %v", remaining, err)
			}
		}
	})
}

// TestRefusals checks that nothing remains of a file that is not the announced one.
func TestRefusals(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, l *Local, _ string) {
		valid := address(t, l, picture())
		minimal := picture()
		minimal.SHA256 = ""
		for name, c := range map[string]struct {
			address, kind, content string
			status                 int
		}{
			"another checksum": {valid, "image/jpeg", strings.ToUpper(jpeg), 422},
			"another type":     {valid, "image/png", jpeg, 415},
			"no picture":       {address(t, l, minimal), "image/jpeg", strings.Repeat("x", len(jpeg)), 415},
			"longer":           {valid, "image/jpeg", jpeg + "x", 422},
			"shorter":          {valid, "image/jpeg", jpeg[:5], 422},
			"empty":            {valid, "image/jpeg", "", 422},
			"not signed":       {strings.SplitN(valid, "?", 2)[0], "image/jpeg", jpeg, 403},
			"another key":      {strings.Replace(valid, "2026-02-13", "2026-02-14", 1), "image/jpeg", jpeg, 403},
			"signature cut":    {valid[:len(valid)-1], "image/jpeg", jpeg, 403},
			"signed by another": {below + key + "?" + query([]byte("other"), picture(),
				start().Add(AddressLifetime).Unix()).Encode(),
				"image/jpeg", jpeg, 403},
			"over": {below + key + "?" + query(l.secret, picture(), start().Unix()).Encode(),
				"image/jpeg", jpeg, 403},
			"signed for no place": {below + "../x?" + query(l.secret, File{Key: "../x", Size: 1, Type: "image/jpeg"},
				start().Add(AddressLifetime).Unix()).Encode(), "image/jpeg", "x", 403},
		} {
			if got := send(l, c.address, c.kind, c.content); got != c.status {
				t.Errorf("%s: %d, not %d", name, got, c.status)
			}
		}
		if keys, err := l.KeysBefore(t.Context(), "2026-02-14"); err != nil || len(keys) > 0 {
			t.Errorf("left over: %v, %v", keys, err)
		}
	})
}

// TestConcurrentUploads checks that of many files for one document one is stored, completely.
func TestConcurrentUploads(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, l *Local, _ string) {
		to := address(t, l, picture())
		codes := make([]int, 8)
		var all sync.WaitGroup
		for i := range codes {
			all.Go(func() { codes[i] = send(l, to, "image/jpeg", jpeg) })
		}
		all.Wait()
		stored := 0
		for _, code := range codes {
			if code == http.StatusNoContent {
				stored++
			} else if code != http.StatusConflict {
				t.Errorf("%d", code)
			}
		}
		if f, err := l.Stat(t.Context(), key); stored != 1 || err != nil || f != picture() {
			t.Errorf("%d stored: %+v, %v", stored, f, err)
		}
	})
}

// TestFolderCannotBeCreated checks that the error says what to do.
func TestFolderCannotBeCreated(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewLocal(filepath.Join(file, "x"), below, nil, start); err == nil || !strings.Contains(err.Error(),
		"choose another") {
		t.Error(err)
	}
}

// FuzzVerify checks that only signed addresses are accepted.
func FuzzVerify(f *testing.F) {
	valid := query([]byte("secret"), picture(), start().Add(AddressLifetime).Unix())
	f.Add(key, valid.Encode())
	f.Add("../../etc/passwd", valid.Encode())
	f.Add(key, "")
	f.Add(key, "expires=1&size=-1&type=&signature=%00")
	f.Fuzz(func(t *testing.T, at, text string) {
		q, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		got, ok := verify([]byte("secret"), at, q, start())
		if ok && (got != picture() || q.Get(queryExpires) != valid.Get(queryExpires)) {
			t.Errorf("%s?%s passes as %+v", at, text, got)
		}
	})
}

// TestLeftoverTemporaryFiles checks that the temporary file of a killed process is listed, so that it is removed with
// the files of its day.
func TestLeftoverTemporaryFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	l, err := NewLocal(folder, below, []byte("secret"), start)
	if err != nil {
		t.Fatal(err)
	}
	part := key + "." + rand.Text() + ".part"
	if err := errors.Join(os.MkdirAll(filepath.Join(folder, filepath.Dir(part)), 0o700),
		os.WriteFile(filepath.Join(folder, part), []byte(jpeg[:5]), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Stat(t.Context(), key); !errors.Is(err, ErrNotFound) {
		t.Errorf("a part is taken for the file: %v", err)
	}
	keys, err := l.KeysBefore(t.Context(), "2026-02-14")
	if err != nil || len(keys) != 1 || keys[0] != part {
		t.Fatalf("%v, %v", keys, err)
	}
	if err := l.Delete(t.Context(), keys[0]); err != nil {
		t.Error(err)
	}
	if remaining, err := os.ReadDir(folder); err != nil || len(remaining) > 0 {
		t.Errorf("left over: %v, %v", remaining, err)
	}
}
