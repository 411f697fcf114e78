package transfer

import (
	"errors"
	"io"
)

// Objects are buckets of objects, such as those of S3.
type Objects interface {
	// HasBucket reports whether a bucket exists.
	HasBucket(name string) (bool, error)
	// Keys returns the keys of a bucket's objects that begin with prefix, in the order of their bytes.
	Keys(bucket, prefix string) ([]string, error)
	// Size returns the size of an object in bytes.
	Size(bucket, key string) (int64, error)
	// Open opens the content of an object. The caller closes it.
	Open(bucket, key string) (io.ReadCloser, error)
	// Create begins to write an object, which nobody sees until Commit.
	Create(bucket, key string) (ObjectWriter, error)
}

// ObjectWriter writes an object. Commit or Abort must follow.
type ObjectWriter interface {
	io.Writer
	// MD5 returns the MD5 hash of what was written.
	MD5() []byte
	// Commit makes the object appear, with an ETag; empty: its MD5 hash. It is on the disk when Commit returns.
	Commit(etag string) error
	// Abort discards what was written, unless it was committed.
	Abort()
}

// NoObjects has no buckets.
type NoObjects struct{}

var errNoBuckets = errors.New("there are no buckets")

// HasBucket implements Objects.
func (NoObjects) HasBucket(string) (bool, error) { return false, nil }

// Keys implements Objects.
func (NoObjects) Keys(string, string) ([]string, error) { return nil, errNoBuckets }

// Size implements Objects.
func (NoObjects) Size(string, string) (int64, error) { return 0, errNoBuckets }

// Open implements Objects.
func (NoObjects) Open(string, string) (io.ReadCloser, error) { return nil, errNoBuckets }

// Create implements Objects.
func (NoObjects) Create(string, string) (ObjectWriter, error) { return nil, errNoBuckets }
