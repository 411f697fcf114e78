package s3

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Config configures a Store.
type Config struct {
	// Dir is the folder of the buckets, which the first write creates. Empty: a temporary folder, which Close removes.
	Dir string
}

// Store stores buckets and objects in a folder. It is safe for concurrent use.
type Store struct {
	config Config
	sync   func(*os.File) error // os.File.Sync, except in tests

	mu     sync.RWMutex // held while names change, not while content is written or synced
	root   *os.Root     // nil: nothing was stored yet
	dir    string       // of the root
	closed bool
}

// New returns a Store. It does not create the folder yet.
func New(c Config) *Store { return &Store{config: c, sync: (*os.File).Sync} }

// Folders next to the buckets. No bucket's name begins with a dot.
const (
	metadataDir = ".metadata"
	uploadsDir  = ".uploads"
)

// private is the mode of folders: objects may be as secret as the exported tables.
const private = 0o700

// open returns the folder. If create is not set and it does not exist, open returns nil. s.mu must be locked.
func (s *Store) open(create bool) (*os.Root, error) {
	if s.closed {
		return nil, fs.ErrClosed
	}
	if s.root != nil {
		return s.root, nil
	}
	dir := s.config.Dir
	switch _, err := os.Stat(dir); {
	case dir == "" && !create, dir != "" && errors.Is(err, fs.ErrNotExist) && !create:
		return nil, nil
	case dir == "":
		if dir, err = os.MkdirTemp("", "tabletop-s3-"); err != nil {
			return nil, err
		}
	default:
		if err := s.makeDir(dir); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	s.root, s.dir = root, dir
	removeLeftovers(root)
	return root, nil
}

// leftoverAge is the age from which a temporary file must belong to a process that was killed. It is not zero, because
// several emulators can share a folder.
const leftoverAge = 24 * time.Hour

// removeLeftovers removes temporary files of processes that were killed. It keeps multipart uploads, which are folders.
func removeLeftovers(root *os.Root) {
	entries, err := fs.ReadDir(root.FS(), uploadsDir)
	if err != nil {
		return // there were no uploads
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() && time.Since(info.ModTime()) > leftoverAge {
			_ = root.Remove(uploadsDir + "/" + e.Name()) // another process may remove it too
		}
	}
}

// folder returns the folder, nil if it does not exist.
func (s *Store) folder() (*os.Root, error) {
	s.mu.RLock()
	root := s.root
	s.mu.RUnlock()
	if root != nil {
		return root, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open(false)
}

// Close closes the Store, and removes a temporary folder.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.root == nil {
		return nil
	}
	err := s.root.Close()
	if s.config.Dir == "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	s.root = nil
	return err
}

// Dir returns the absolute path of the folder, or "" if it is temporary and nothing was stored yet.
func (s *Store) Dir() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	dir := s.dir
	if s.config.Dir != "" {
		dir = s.config.Dir
	}
	if abs, err := filepath.Abs(dir); err == nil && dir != "" {
		return abs
	}
	return dir
}

// CreateBucket creates a bucket. created is false if it existed.
func (s *Store) CreateBucket(name string) (created bool, err error) {
	if !isBucketName(name) {
		return false, errInvalidBucketName
	}
	root, created, err := s.makeBucket(name)
	if err != nil {
		return false, err
	}
	return created, s.syncFolders(root, ".")
}

func (s *Store) makeBucket(name string) (root *os.Root, created bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if root, err = s.open(true); err != nil {
		return nil, false, err
	}
	if err = root.Mkdir(name, private); errors.Is(err, fs.ErrExist) {
		return root, false, nil
	}
	return root, err == nil, err
}

// DeleteBucket deletes a bucket without objects.
func (s *Store) DeleteBucket(name string) error {
	root, err := s.removeBucket(name)
	if err != nil {
		return err
	}
	return s.syncFolders(root, ".")
}

func (s *Store) removeBucket(name string) (root *os.Root, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if root, err = s.open(false); err != nil {
		return nil, err
	}
	if !isBucket(root, name) {
		return nil, errNoSuchBucket
	}
	removeEmptyFolders(root, name)
	if err := root.Remove(name); err != nil {
		return nil, errBucketNotEmpty
	}
	return root, root.RemoveAll(metadataDir + "/" + name)
}

// removeEmptyFolders removes the folders below a folder that have no files. No key is in them.
func removeEmptyFolders(root *os.Root, dir string) {
	entries, _ := fs.ReadDir(root.FS(), dir) // a folder that cannot be read is not removed
	for _, e := range entries {
		if !e.IsDir() {
			return
		}
		below := dir + "/" + e.Name()
		removeEmptyFolders(root, below)
		if root.Remove(below) != nil {
			return // it has files, as the bucket then has
		}
	}
}

// HasBucket reports whether a bucket exists.
func (s *Store) HasBucket(name string) (bool, error) {
	root, err := s.folder()
	return isBucket(root, name), err
}

// isBucket reports whether a bucket exists in the folder, which may be nil. The name may have capital letters, which
// DynamoDB accepts but no bucket has.
func isBucket(root *os.Root, name string) bool {
	if root == nil || !isBucketName(name) {
		return false
	}
	info, err := root.Stat(name)
	return err == nil && info.IsDir()
}

// Buckets returns the buckets' folders, sorted by name.
func (s *Store) Buckets() ([]fs.FileInfo, error) {
	root, err := s.folder()
	if err != nil || root == nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.IsDir() && isBucketName(e.Name()) {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return compareText(a.Name(), b.Name())
	})
	return all, err
}

// bucket returns the folder if a bucket in it exists.
func (s *Store) bucket(name string) (*os.Root, error) {
	root, err := s.folder()
	if err != nil {
		return nil, err
	}
	if !isBucket(root, name) {
		return nil, errNoSuchBucket
	}
	return root, nil
}

// storageError describes a failure of the disk.
func storageError(err error) error {
	return fmt.Errorf("the folder of S3's objects failed: %w", err)
}
