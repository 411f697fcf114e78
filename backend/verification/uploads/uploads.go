// Package uploads is where the files of documents go: the service hands out a signed address for one file of a known
// size and kind, and whoever has it sends the file there, not through the API. On the desk the files go to this
// process, which keeps them in a folder or in memory (Local); in production they go to S3.
//
// A file is written once: an address that is used again cannot change what was looked at since.
package uploads

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"time"
)

const (
	// Life is how long an address is good.
	Life = 15 * time.Minute
	// MaxSize is the most bytes of a file: 10 MB.
	MaxSize = 10 << 20
)

// File is a file as it is to be.
type File struct {
	Key    string // in the bucket, as Key makes it
	Size   int64  // bytes
	Type   string // its MIME type
	SHA256 string // in hex; empty when it is not known beforehand
}

// Target is where and how to send a file.
type Target struct {
	Method    string
	URL       string
	Header    http.Header // all of these have to be sent
	ExpiresAt time.Time
}

// Uploads keeps files.
type Uploads interface {
	// Bucket is the name that documents state.
	Bucket() string
	// Presign gives the address of one file. It asks nobody.
	Presign(ctx context.Context, f File) (Target, error)
	// Stat is a file as it is there, without a SHA256 where that is not kept; ErrNone when it is not.
	Stat(ctx context.Context, key string) (File, error)
	// Delete removes a file. One that is not there is no error.
	Delete(ctx context.Context, key string) error
	// KeysBefore returns the keys of all files of the days before this one, a date such as 2026-02-14.
	KeysBefore(ctx context.Context, day string) ([]string, error)
}

var (
	// ErrNone means that there is no such file.
	ErrNone = errors.New("there is no such file")
	// ErrAway means that whoever keeps the files does not answer.
	ErrAway = errors.New("the store of files did not answer")
)

// Key is the key of a document's file. It begins with the day on which its case ends, so that what is left over can be
// found by its day.
func Key(day, caseID, documentID string) string { return day + "/" + caseID + "/" + documentID }

// goodKey is what Key makes of good ids: nothing else reaches a file system.
var goodKey = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}/ver_` + uuid + `/doc_` + uuid + `$`)

const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
