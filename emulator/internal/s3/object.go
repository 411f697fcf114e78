package s3

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
)

// Object describes an object.
type Object struct {
	Key      string
	Size     int64     // bytes
	Modified time.Time // of its file, by the machine's clock
	ETag     string    // without quotes
	// Headers are the content type and the other headers of the object, such as X-Amz-Meta-Owner.
	Headers map[string]string `json:",omitempty"`
}

// Writer writes an object, which is not visible until Commit.
type Writer struct {
	store       *Store
	bucket, key string
	root        *os.Root
	file        *os.File
	name        string // of the temporary file
	sum         hash.Hash
	size        int64
}

// Create begins to write an object. The caller must call Commit or Abort. Errors: the bucket does not exist, or the key
// cannot be the path of a file.
func (s *Store) Create(bucket, key string) (*Writer, error) {
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, err
	}
	if _, ok := pathOf(key); !ok {
		return nil, errKeyTooLong
	}
	file, name, err := createTemporary(root)
	if err != nil {
		return nil, err
	}
	return &Writer{store: s, bucket: bucket, key: key, root: root, file: file, name: name, sum: md5.New()}, nil
}

// Write writes a part of the content.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	w.sum.Write(p[:n])
	w.size += int64(n)
	if err != nil {
		err = storageError(err)
	}
	return n, err
}

// MD5 returns the MD5 hash of what was written.
func (w *Writer) MD5() []byte { return w.sum.Sum(nil) }

// Abort discards what was written, unless it was committed.
func (w *Writer) Abort() {
	if w.file != nil {
		_ = w.file.Close()
		_ = w.root.Remove(w.name)
		w.file = nil
	}
}

// Commit makes the object visible. It replaces an object with the same key. The object is on disk when Commit returns.
// An empty etag means the content's MD5 hash.
func (w *Writer) Commit(etag string) error {
	_, err := w.commit(etag, nil, false)
	return err
}

// commit is Commit with the object's headers. If onlyNew is set, it fails if an object with the key exists.
func (w *Writer) commit(etag string, headers map[string]string, onlyNew bool) (*Object, error) {
	defer w.Abort()
	if err := w.close(); err != nil {
		return nil, err
	}
	if etag == "" {
		etag = hex.EncodeToString(w.MD5())
	}
	file, _ := pathOf(w.key)
	file = w.bucket + "/" + file
	o := &Object{Key: w.key, Size: w.size, ETag: etag, Headers: headers}
	described, err := w.describe(o)
	if err != nil {
		return nil, err
	}
	if err := w.publish(file, described, onlyNew); err != nil {
		_ = w.root.Remove(described)
		return nil, err
	}
	return o, w.store.syncFolders(w.root, path.Dir(file), path.Dir(metadataFile(w.bucket, w.key)))
}

// close syncs and closes the written file.
func (w *Writer) close() error {
	if err := errors.Join(w.store.syncFile(w.file), w.file.Close()); err != nil {
		return storageError(err)
	}
	return nil
}

// describe writes the description of the object to a temporary file, and returns its name.
func (w *Writer) describe(o *Object) (name string, err error) {
	info, err := w.root.Stat(w.name)
	if err != nil {
		return "", storageError(err)
	}
	o.Modified = info.ModTime()
	return w.store.writeMetadata(w.root, o, w.store.syncFile)
}

// publish gives the written file and the description of the object their names.
func (w *Writer) publish(file, described string, onlyNew bool) error {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if !isBucket(w.root, w.bucket) {
		return errNoSuchBucket
	}
	if info, err := w.root.Lstat(file); err == nil && (onlyNew || info.IsDir()) {
		if info.IsDir() {
			return errFolderInTheWay
		}
		return errPrecondition
	}
	if err := w.root.MkdirAll(path.Dir(file), private); err != nil {
		return errFolderInTheWay
	}
	if err := w.root.Rename(w.name, file); err != nil {
		return storageError(err)
	}
	return moveFile(w.root, described, metadataFile(w.bucket, w.key))
}

// metadataFile returns the path of an object's metadata.
func metadataFile(bucket, key string) string {
	sum := sha256.Sum256([]byte(key))
	return metadataDir + "/" + bucket + "/" + hex.EncodeToString(sum[:])
}

// writeMetadata writes the description of an object to a temporary file, as writeFile does.
func (s *Store) writeMetadata(root *os.Root, o *Object, sync func(*os.File) error) (name string, err error) {
	text, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	return s.writeFile(root, text, sync)
}

// readMetadata returns the stored metadata of an object, if it describes the current file.
func readMetadata(root *os.Root, bucket, key string, info fs.FileInfo) (o *Object, ok bool) {
	o = new(Object)
	text, err := root.ReadFile(metadataFile(bucket, key))
	return o, err == nil && json.Unmarshal(text, o) == nil && o.Key == key && o.Size == info.Size() &&
		o.Modified.Equal(info.ModTime())
}

// stat returns the description of an object's file.
func (s *Store) stat(root *os.Root, bucket, key string) (*Object, error) {
	file, _ := pathOf(key)
	s.mu.RLock()
	info, err := root.Stat(bucket + "/" + file)
	if err != nil || !info.Mode().IsRegular() {
		s.mu.RUnlock()
		return nil, errNoSuchKey
	}
	o, ok := readMetadata(root, bucket, key, info)
	s.mu.RUnlock()
	if ok {
		return o, nil
	}
	return s.examine(root, bucket, key, info)
}

// examine computes the ETag of a file that another program wrote, and stores it. s.mu must not be locked, because the
// whole file is read.
func (s *Store) examine(root *os.Root, bucket, key string, info fs.FileInfo) (*Object, error) {
	file, _ := pathOf(key)
	content, err := root.Open(bucket + "/" + file)
	if err != nil {
		return nil, errNoSuchKey
	}
	defer content.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, content); err != nil {
		return nil, storageError(err)
	}
	o := &Object{Key: key, Size: info.Size(), Modified: info.ModTime(), ETag: hex.EncodeToString(sum.Sum(nil))}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := root.Stat(bucket + "/" + file)
	if err != nil || now.Size() != o.Size || !now.ModTime().Equal(o.Modified) {
		return o, nil // it has been replaced
	}
	if stored, ok := readMetadata(root, bucket, key, now); ok {
		return stored, nil
	}
	described, err := s.writeMetadata(root, o, noSync)
	if err != nil {
		return nil, err
	}
	return o, moveFile(root, described, metadataFile(bucket, key))
}

// Open opens an object's content. The caller closes it.
func (s *Store) Open(bucket, key string) (io.ReadCloser, error) {
	file, _, err := s.openObject(bucket, key)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Size returns the size of an object in bytes.
func (s *Store) Size(bucket, key string) (int64, error) {
	file, o, err := s.openObject(bucket, key)
	if err != nil {
		return 0, err
	}
	return o.Size, file.Close()
}

func (s *Store) openObject(bucket, key string) (*os.File, *Object, error) {
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, nil, err
	}
	name, ok := pathOf(key)
	if !ok {
		return nil, nil, errNoSuchKey
	}
	s.mu.RLock()
	file, info, err := openRegular(root, bucket+"/"+name)
	if err != nil {
		s.mu.RUnlock()
		return nil, nil, err
	}
	o, ok := readMetadata(root, bucket, key, info)
	s.mu.RUnlock()
	if ok {
		return file, o, nil
	}
	if o, err = s.examine(root, bucket, key, info); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, o, nil
}

// openRegular opens an object's file. It does not open a pipe that another program has made, since that would wait for
// ever for a program that writes to it. Errors: errNoSuchKey.
func openRegular(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil, errNoSuchKey
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, errNoSuchKey
	}
	if info, err = file.Stat(); err != nil { // it may have been replaced
		return nil, nil, errors.Join(errNoSuchKey, file.Close())
	}
	return file, info, nil
}

// Delete deletes objects of a bucket, if they exist, and the folders that become empty.
func (s *Store) Delete(bucket string, keys ...string) error {
	root, err := s.bucket(bucket)
	if err != nil {
		return err
	}
	changed := make([]string, len(keys))
	for i, key := range keys {
		var removeErr error
		changed[i], removeErr = s.remove(root, bucket, key)
		err = errors.Join(err, removeErr)
	}
	return errors.Join(err, s.syncFolders(root, changed...))
}

// remove removes an object, and returns the folder that has lost a name.
func (s *Store) remove(root *os.Root, bucket, key string) (dir string, err error) {
	name, ok := pathOf(key)
	if !ok {
		return bucket, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name = bucket + "/" + name
	if info, err := root.Lstat(name); err != nil || info.IsDir() {
		return bucket, nil
	}
	if err := root.Remove(name); err != nil {
		return bucket, storageError(err)
	}
	_ = root.Remove(metadataFile(bucket, key))
	dir = path.Dir(name)
	for dir != bucket && root.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
	return dir, nil
}

// newID returns a unique id for an upload or a request.
func newID() string {
	hi, lo := randomBits()
	return awsapi.UUID(hi, lo)
}
