package applicants

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// openVenue opens the venue. For a backend in this process, files go to a folder that clear removes.
func openVenue(ctx context.Context, cfg Config) (v *venue.Venue, clear func() error, err error) {
	folder := ""
	if cfg.BaseURL == "" {
		if folder, err = os.MkdirTemp("", "tabletop-applicants-"); err != nil {
			return nil, nil, err
		}
	}
	v, err = venue.Open(ctx, "verification", cfg.Config, func(c *backend.Config) { c.Uploads = folder })
	return v, func() error { return os.RemoveAll(folder) }, err
}

// job is an instance of the expiry job, as in another process.
type job struct {
	service *verification.Service
	start   time.Time
}

func newJob(e *venue.Embedded) (*job, error) {
	service, err := backend.NewVerification(e.Instance())
	return &job{service: service, start: venue.Start()}, err
}

// day expires the cases that were opened on the day of this time, if they are due.
func (j *job) day(ctx context.Context, opened time.Duration) error {
	_, err := j.service.ExpireDay(ctx, j.start.Add(opened).Format("2006-01-02"))
	return err
}

// all expires the cases of all days.
func (j *job) all(ctx context.Context) error { return j.service.Expire(ctx) }

// searchFiles looks for leftover files of cases that have ended.
func (o *office) searchFiles(folder string) error {
	left := 0
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			left++
			o.ledger.Fault(sim.Foreign, "the file %s was not removed", entry.Name())
		}
		return err
	})
	if err == nil && left == 0 {
		o.ledger.Found(cleared)
	}
	return err
}
