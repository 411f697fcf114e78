package s3

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// disk is what a power cut leaves of a Store's folder: the contents of files and the names in folders that were synced.
type disk struct {
	dir     string
	files   map[string]bool     // the contents
	folders map[string][]string // names, by path
}

// newDisk returns a Store with a bucket, in a folder that it creates, and what is on its disk.
func newDisk(t *testing.T) (*Store, *disk) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be synced")
	}
	d := &disk{dir: filepath.Join(t.TempDir(), "data", "s3"), files: map[string]bool{}, folders: map[string][]string{}}
	s := New(Config{Dir: d.dir})
	s.sync = func(f *os.File) error { return errors.Join(d.synced(f), f.Sync()) }
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := s.CreateBucket("orders"); err != nil {
		t.Fatal(err)
	}
	return s, d
}

// synced records a synced file or folder.
func (d *disk) synced(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.IsDir() {
		content, err := os.ReadFile(f.Name())
		d.files[string(content)] = true
		return err
	}
	entries, err := os.ReadDir(f.Name())
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	d.folders[filepath.Clean(f.Name())] = names
	return err
}

// wantOnDisk checks that a power cut loses nothing of the folder, and restores no object that was deleted.
func (d *disk) wantOnDisk(t *testing.T) {
	t.Helper()
	data := filepath.Dir(d.dir)
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !slices.Contains(d.folders[filepath.Dir(path)], e.Name()) {
			t.Errorf("the name of %s is not on the disk", strings.TrimPrefix(path, data))
		}
		if e.IsDir() {
			return nil
		}
		content, err := os.ReadFile(path)
		if !d.files[string(content)] {
			t.Errorf("the content of %s is not on the disk", strings.TrimPrefix(path, data))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	d.wantRemoved(t, d.dir)
}

// wantRemoved checks that a folder has no objects on the disk that were deleted.
func (d *disk) wantRemoved(t *testing.T, folder string) {
	t.Helper()
	for _, name := range d.folders[folder] {
		path := filepath.Join(folder, name)
		if _, isFolder := d.folders[path]; isFolder && name[0] != '.' {
			d.wantRemoved(t, path)
		} else if _, err := os.Lstat(path); err != nil {
			t.Errorf("the removal of %s is not on the disk", strings.TrimPrefix(path, d.dir))
		}
	}
}

// TestAcknowledgedRequestsAreOnDisk checks after each request what a power cut would leave.
func TestAcknowledgedRequestsAreOnDisk(t *testing.T) {
	t.Parallel()
	s, d := newDisk(t)
	d.wantOnDisk(t)
	server := &Server{Store: s, Gate: identity.AllowAll(), Log: slog.New(slog.DiscardHandler)}
	send := func(method, path, body string) string {
		t.Helper()
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("X-Amz-Meta-Body", body)
		if server.ServeHTTP(w, r); w.Code >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		d.wantOnDisk(t)
		return w.Header().Get("ETag") + w.Body.String()
	}
	send(http.MethodPut, "/orders/a/b/one", "1")
	send(http.MethodPut, "/orders/a/b/one", "one")
	send(http.MethodPut, "/orders/a/two", "two")
	send(http.MethodPut, "/orders?tagging", `<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>`)
	_, id, _ := strings.Cut(send(http.MethodPost, "/orders/c/three?uploads", ""), "<UploadId>")
	id, _, _ = strings.Cut(id, "</UploadId>")
	etag := send(http.MethodPut, "/orders/c/three?partNumber=1&uploadId="+id, "part")
	send(http.MethodPut, "/orders/c/three?partNumber=2&uploadId="+id, "other")
	send(http.MethodPost, "/orders/c/three?uploadId="+id, `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>`+
		etag+`</ETag></Part></CompleteMultipartUpload>`)
	send(http.MethodDelete, "/orders/a/b/one", "")
	send(http.MethodPost, "/orders?delete", `<Delete><Object><Key>a/two</Key></Object><Object><Key>c/three</Key></Object></Delete>`)
	send(http.MethodDelete, "/orders", "")
}
