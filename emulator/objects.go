package emulator

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/s3"
)

// objectsDir returns the folder of S3's objects; empty: a temporary one.
func (o options) objectsDir() string {
	if o.s3Dir == "" && o.dir != "" {
		return filepath.Join(o.dir, "s3")
	}
	return o.s3Dir
}

// checkObjectsDir returns an error if the folder of S3's objects is something else. It need not exist yet.
func checkObjectsDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder: name one for the buckets (--s3-dir)", dir)
	}
	return nil
}

// objectServer returns the server of S3's objects.
func (e *Emulator) objectServer(o options) http.Handler {
	log := o.logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &s3.Server{Store: e.objects, Gate: e.identity.Gate("s3"), Log: log}
}

// buckets are the buckets of S3, as DynamoDB uses them.
type buckets struct{ *s3.Store }

// Create implements dynamo.Objects.
func (b buckets) Create(bucket, key string) (dynamo.ObjectWriter, error) {
	w, err := b.Store.Create(bucket, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}
