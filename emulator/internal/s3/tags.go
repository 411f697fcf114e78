package s3

import (
	"encoding/xml"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
)

// tagging is the tags of a bucket, as in requests and responses.
type tagging struct {
	XMLName xml.Name    `xml:"Tagging"`
	XMLNS   string      `xml:"xmlns,attr,omitempty"`
	Tags    []bucketTag `xml:"TagSet>Tag"`
}

type bucketTag struct{ Key, Value string }

// tagsFile returns the path of a bucket's tags. The names of objects' metadata are hexadecimal.
func tagsFile(bucket string) string { return metadataDir + "/" + bucket + "/tags" }

// maxTags is the maximum number of tags of a bucket (AWS, "Using cost allocation S3 bucket tags").
const maxTags = 50

func (c *call) putBucketTagging() error {
	var in tagging
	if err := c.readDocument(&in); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, tag := range in.Tags {
		if tag.Key == "" || seen[tag.Key] {
			return errInvalidTag
		}
		seen[tag.Key] = true
	}
	if len(in.Tags) > maxTags {
		return errInvalidTag
	}
	if err := c.Store.setTags(c.bucket, &in); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *call) getBucketTagging() error {
	root, err := c.Store.bucket(c.bucket)
	if err != nil {
		return err
	}
	text, err := root.ReadFile(tagsFile(c.bucket))
	if errors.Is(err, fs.ErrNotExist) {
		return errNoSuchTagSet
	}
	out := new(tagging)
	if err == nil {
		err = xml.Unmarshal(text, out)
	}
	if err != nil {
		return storageError(err)
	}
	out.XMLName, out.XMLNS = xml.Name{Local: "Tagging"}, namespace
	c.answer(http.StatusOK, out)
	return nil
}

func (c *call) deleteBucketTagging() error {
	if err := c.Store.setTags(c.bucket, nil); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// setTags replaces the tags of a bucket; nil removes them.
func (s *Store) setTags(bucket string, tags *tagging) error {
	root, err := s.bucket(bucket)
	if err != nil {
		return err
	}
	if tags == nil {
		err = s.removeTags(root, bucket)
	} else {
		err = s.replaceTags(root, bucket, tags)
	}
	if err != nil {
		return err
	}
	return s.syncFolders(root, path.Dir(tagsFile(bucket)))
}

func (s *Store) removeTags(root *os.Root, bucket string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isBucket(root, bucket) {
		return errNoSuchBucket
	}
	if err := root.Remove(tagsFile(bucket)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return storageError(err)
	}
	return nil
}

func (s *Store) replaceTags(root *os.Root, bucket string, tags *tagging) error {
	tags.XMLName = xml.Name{Local: "Tagging"}
	text, err := xml.Marshal(tags)
	if err != nil {
		return err
	}
	written, err := s.writeFile(root, text, s.syncFile)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isBucket(root, bucket) {
		_ = root.Remove(written)
		return errNoSuchBucket
	}
	return moveFile(root, written, tagsFile(bucket))
}
