// Package uploads stores the files of documents. The service returns a signed address for one file of a known size and
// type, and its holder sends the file there, not through the API. In development this process receives the files and
// stores them in a folder or in memory (Local); in production they go to S3.
//
// A file is written once: a second use of an address cannot replace a file that was already examined.
package uploads

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

const (
	// AddressLifetime is how long an address is valid.
	AddressLifetime = 15 * time.Minute
	// MaxSize is the maximum size of a file in bytes: 10 MB.
	MaxSize = 10 << 20
)

// File describes a file.
type File struct {
	Key    string // in the bucket, as returned by Key
	Size   int64  // bytes
	Type   string // its MIME type
	SHA256 string // in hex; empty when unknown
}

// Target is where and how to send a file.
type Target struct {
	Method    string
	URL       string
	Header    http.Header // all of these must be sent
	ExpiresAt time.Time
}

// Uploads stores files.
type Uploads interface {
	// Bucket returns the name that documents state.
	Bucket() string
	// Presign returns the address for one file. It sends no request.
	Presign(ctx context.Context, f File) (Target, error)
	// Stat describes a stored file, without SHA256 if the store does not have it. Errors: ErrNotFound.
	Stat(ctx context.Context, key string) (File, error)
	// Delete removes a file, if it exists.
	Delete(ctx context.Context, key string) error
	// KeysBefore returns the keys of all files of the days before day, a date such as 2026-02-14.
	KeysBefore(ctx context.Context, day string) ([]string, error)
}

var (
	// ErrNotFound means that there is no such file.
	ErrNotFound = errors.New("the file does not exist")
	// ErrUnavailable means that the file store does not respond.
	ErrUnavailable = errors.New("the file store did not respond")
)

// Key returns the key of a document's file. It starts with the day on which its case ends, so that leftover files can
// be found by day.
func Key(day, caseID, documentID string) string { return day + "/" + caseID + "/" + documentID }

// keyPattern matches the results of Key for valid ids: nothing else reaches a file system.
var keyPattern = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}/ver_` + uuid + `/doc_` + uuid + `$`)

const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
