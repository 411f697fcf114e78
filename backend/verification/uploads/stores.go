package uploads

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// folder stores files under a root that no key can escape.
type folder struct{ root *os.Root }

func openFolder(name string) (*folder, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the upload folder: %w; choose another", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("cannot open the upload folder: %w; choose another", err)
	}
	return &folder{root}, nil
}

// put writes a temporary file and then links it to its name, which fails when the name exists.
func (f *folder) put(key string, read io.Reader) (err error) {
	if err := f.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return err
	}
	part := key + "." + rand.Text() + ".part"
	out, err := f.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.root.Remove(part)) }()
	_, err = io.Copy(out, read)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if err = f.root.Link(part, key); errors.Is(err, fs.ErrExist) {
		return errExists
	}
	return err
}

func (f *folder) open(key string) (io.ReadCloser, int64, error) {
	in, err := f.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := in.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, in.Close())
	}
	return in, info.Size(), nil
}

// remove also removes directories that become empty.
func (f *folder) remove(key string) error {
	if err := f.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		if f.root.Remove(dir) != nil { // it is not empty
			break
		}
	}
	return nil
}

// partialKeyPattern matches the temporary files of put. A killed process leaves them behind, and they may contain
// personal data.
var partialKeyPattern = lazyregexp.New(strings.TrimSuffix(keyPattern.String(), "$") + `\.[A-Z2-7]+\.part$`)

// keysBefore includes temporary files that were left behind.
func (f *folder) keysBefore(day string) ([]string, error) {
	var keys []string
	err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed concurrently
			return nil
		case err == nil && entry.IsDir() && name != "." && name >= day:
			return fs.SkipDir
		case err == nil && !entry.IsDir() && (keyPattern.MatchString(name) || partialKeyPattern.MatchString(name)):
			keys = append(keys, name)
		}
		return err
	})
	return keys, err
}

// memory stores files for the lifetime of the process.
type memory struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (m *memory) put(key string, read io.Reader) error {
	content, err := io.ReadAll(read)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, taken := m.files[key]; taken {
		return errExists
	}
	m.files[key] = content
	return nil
}

func (m *memory) open(key string) (io.ReadCloser, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content, ok := m.files[key]
	if !ok {
		return nil, 0, ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
}

func (m *memory) remove(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, key)
	return nil
}

func (m *memory) keysBefore(day string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for key := range m.files {
		if key < day {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
