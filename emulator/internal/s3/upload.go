package s3

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// upload is a multipart upload: a folder of parts, and this description.
type upload struct {
	Bucket, Key string
	Headers     map[string]string
}

const uploadFile = "upload.json"

// maxPart is the highest part number.
const maxPart = 10_000

func (s *Store) createUpload(u *upload) (id string, err error) {
	root, err := s.bucket(u.Bucket)
	if err != nil {
		return "", err
	}
	if _, ok := pathOf(u.Key); !ok {
		return "", errKeyTooLong
	}
	id = newID()
	dir := uploadsDir + "/" + id
	text, err := json.Marshal(u)
	if err != nil {
		return "", err
	}
	if err := s.replaceFile(root, dir+"/"+uploadFile, text); err != nil {
		return "", err
	}
	return id, s.syncFolders(root, dir)
}

// findUpload returns an upload of an object.
func (s *Store) findUpload(bucket, key, id string) (*os.Root, *upload, error) {
	root, err := s.bucket(bucket)
	if err != nil {
		return nil, nil, err
	}
	if uuid.Validate(id) != nil { // it becomes a path
		return nil, nil, errNoSuchUpload
	}
	u := new(upload)
	text, err := root.ReadFile(uploadsDir + "/" + id + "/" + uploadFile)
	if err != nil || json.Unmarshal(text, u) != nil || u.Bucket != bucket || u.Key != key {
		return nil, nil, errNoSuchUpload
	}
	return root, u, nil
}

// putPart stores a part and returns its ETag.
func (s *Store) putPart(bucket, key, id string, number int, content *body) (etag string, err error) {
	root, _, err := s.findUpload(bucket, key, id)
	if err != nil {
		return "", err
	}
	w, err := s.Create(bucket, key)
	if err != nil {
		return "", err
	}
	defer w.Abort()
	if _, err := io.Copy(w, content); err != nil {
		return "", err
	}
	if err := w.close(); err != nil {
		return "", err
	}
	etag = hex.EncodeToString(w.MD5())
	if err := s.commitPart(root, w.name, id, part{number, etag}); err != nil {
		return "", err
	}
	return etag, s.syncFolders(root, uploadsDir+"/"+id)
}

// commitPart makes a written file a part, and removes the previous part with the same number. A crash may leave both,
// each with its own content.
func (s *Store) commitPart(root *os.Root, written, id string, p part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := findParts(root, id)
	if err != nil {
		return err
	}
	if err := root.Rename(written, p.file(id)); err != nil {
		return errNoSuchUpload
	}
	for _, other := range before {
		if other.number == p.number && other.etag != p.etag {
			if err := root.Remove(other.file(id)); err != nil {
				return storageError(err)
			}
		}
	}
	return nil
}

// part is a part of an upload. The name of its file has its number and its ETag, so that each content has its own file.
type part struct {
	number int
	etag   string
}

func (p part) file(id string) string {
	return uploadsDir + "/" + id + "/" + strconv.Itoa(p.number) + "-" + p.etag
}

// findParts returns the parts of an upload, in the order of their numbers.
func findParts(root *os.Root, id string) (found []part, err error) {
	entries, err := fs.ReadDir(root.FS(), uploadsDir+"/"+id)
	if err != nil {
		return nil, errNoSuchUpload // it has been completed or aborted
	}
	for _, e := range entries {
		number, etag, ok := strings.Cut(e.Name(), "-")
		if n, err := strconv.Atoi(number); ok && err == nil {
			found = append(found, part{n, etag})
		}
	}
	slices.SortFunc(found, func(a, b part) int { return cmp.Compare(a.number, b.number) })
	return found, nil
}

// completedPart is a part of the request that completes an upload.
type completedPart struct {
	PartNumber int
	ETag       string
}

// completeUpload makes the object of an upload from its parts.
func (s *Store) completeUpload(bucket, key, id string, parts []completedPart, onlyNew bool) (*Object, error) {
	root, u, err := s.findUpload(bucket, key, id)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, errMalformedXML
	}
	w, err := s.Create(bucket, key)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	sums := md5.New()
	for i, p := range parts {
		if i > 0 && p.PartNumber <= parts[i-1].PartNumber {
			return nil, errInvalidPartOrder
		}
		if err := appendPart(w, root, id, p); err != nil {
			return nil, err
		}
		sum, _ := hex.DecodeString(strings.Trim(p.ETag, `"`)) // the part has this ETag
		sums.Write(sum)
	}
	o, err := w.commit(fmt.Sprintf("%x-%d", sums.Sum(nil), len(parts)), u.Headers, onlyNew)
	if err != nil {
		return nil, err
	}
	return o, s.abortUpload(bucket, key, id)
}

func appendPart(w *Writer, root *os.Root, id string, p completedPart) error {
	etag := strings.Trim(p.ETag, `"`)
	if sum, err := hex.DecodeString(etag); err != nil || len(sum) != md5.Size { // it becomes a path
		return errInvalidPart
	}
	content, err := root.Open(part{p.PartNumber, etag}.file(id))
	if err != nil {
		return errInvalidPart
	}
	defer content.Close()
	_, err = io.Copy(w, content)
	return err
}

// abortUpload removes an upload.
func (s *Store) abortUpload(bucket, key, id string) error {
	root, _, err := s.findUpload(bucket, key, id)
	if err != nil {
		return err
	}
	if err := root.RemoveAll(uploadsDir + "/" + id); err != nil {
		return storageError(err)
	}
	return nil
}

// parts returns the parts of an upload, in the order of their numbers, with their sizes.
func (s *Store) parts(bucket, key, id string) (found []listedPart, err error) {
	root, _, err := s.findUpload(bucket, key, id)
	if err != nil {
		return nil, err
	}
	all, err := findParts(root, id)
	for _, p := range all {
		if info, err := root.Stat(p.file(id)); err == nil { // otherwise it has been replaced
			found = append(found, listedPart{p.number, quote(p.etag), info.Size(), timestamp(info.ModTime())})
		}
	}
	return found, err
}
