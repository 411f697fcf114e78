package applicants

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// openEnvironment opens the environment. For a backend in this process, files go to a folder that removeFiles removes.
func openEnvironment(ctx context.Context, cfg Config) (env *simenv.Environment, removeFiles func() error, err error) {
	folder := ""
	if cfg.BaseURL == "" {
		if folder, err = os.MkdirTemp("", "tabletop-applicants-"); err != nil {
			return nil, nil, err
		}
	}
	env, err = simenv.Open(ctx, "verification", cfg.Config, func(c *backend.Config) { c.Uploads = folder })
	return env, func() error { return os.RemoveAll(folder) }, err
}

// job is an instance of the expiry job, as in another process.
type job struct {
	service *verification.Service
	start   time.Time
}

func newJob(e *simenv.Embedded) (*job, error) {
	service, err := backend.NewVerification(e.InstanceConfig())
	return &job{service: service, start: simenv.Start()}, err
}

// expireDay expires the cases that were opened on the day of this time, if they are due.
func (j *job) expireDay(ctx context.Context, opened time.Duration) error {
	_, err := j.service.ExpireDay(ctx, j.start.Add(opened).Format("2006-01-02"), jobs.Unleased)
	return err
}

// expireAll expires the cases of all days.
func (j *job) expireAll(ctx context.Context) error { return j.service.Expire(ctx) }

// searchFiles looks for leftover files of cases that have ended.
func (s *simulation) searchFiles(folder string) error {
	remaining := 0
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			remaining++
			s.ledger.ReportFault(sim.Unexpected, "the file %s was not removed", entry.Name())
		}
		return err
	})
	if err == nil && remaining == 0 {
		s.ledger.CountMatch(emptyFolders)
	}
	return err
}
