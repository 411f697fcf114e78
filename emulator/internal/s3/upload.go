package s3

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// maxPart is the greatest number of a part.
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
	if err == nil {
		err = root.MkdirAll(dir, private)
	}
	if err == nil {
		err = root.WriteFile(dir+"/"+uploadFile, text, 0o600)
	}
	if err != nil {
		return "", storageError(err)
	}
	return id, nil
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

// putPart stores a part and returns its ETag. The name of its file contains the ETag.
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
	if err := w.file.Close(); err != nil {
		return "", storageError(err)
	}
	if err := root.Rename(w.name, partFile(id, number)); err != nil {
		return "", errNoSuchUpload
	}
	etag = hex.EncodeToString(w.MD5())
	if err := root.WriteFile(partFile(id, number)+".etag", []byte(etag), 0o600); err != nil {
		return "", errNoSuchUpload
	}
	return etag, nil
}

func partFile(id string, number int) string {
	return uploadsDir + "/" + id + "/" + strconv.Itoa(number)
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
	name := partFile(id, p.PartNumber)
	etag, err := root.ReadFile(name + ".etag")
	if err != nil || string(etag) != strings.Trim(p.ETag, `"`) {
		return errInvalidPart
	}
	part, err := root.Open(name)
	if err != nil {
		return errInvalidPart
	}
	defer part.Close()
	_, err = io.Copy(w, part)
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
	for number := 1; number <= maxPart; number++ {
		info, err := root.Stat(partFile(id, number))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, storageError(err)
		}
		etag, err := root.ReadFile(partFile(id, number) + ".etag")
		if err == nil {
			found = append(found, listedPart{number, quote(string(etag)), info.Size(), timestamp(info.ModTime())})
		}
	}
	return found, nil
}
