package verification

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// lockedUploads is a store that deletes no file with locked in its key.
type lockedUploads struct {
	uploads.Uploads
	locked string
}

var errLocked = errors.New("the object is locked")

func (l lockedUploads) Delete(ctx context.Context, key string) error {
	if strings.Contains(key, l.locked) {
		return errLocked
	}
	return l.Uploads.Delete(ctx, key)
}

// TestExpiryGoesOn checks that a case whose file cannot be deleted stops the expiry neither of other cases of its day
// nor of later days, and that the failure is reported (VR-R7).
func TestExpiryGoesOn(t *testing.T) {
	t.Parallel()
	for name, expire := range map[string]func(*world) error{
		"worker": func(w *world) error { return w.service.Expire(w.t.Context()) },
		"job": func(w *world) error {
			if err := jobs.Ensure(w.t.Context(), w.client, w.prefix); err != nil {
				return err
			}
			_, err := jobs.New(jobs.Config{Client: w.client, TablePrefix: w.prefix, Now: w.now, Workers: 1}).Run(w.t.Context(),
				w.service.ExpiryJob())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			id := func(path string) CaseID { return CaseID(strings.TrimPrefix(path, "/verification/cases/")) }
			locked, others := id(w.submittedCase()), []CaseID{id(w.submittedCase()), id(w.submittedCase())}
			w.advance(24 * time.Hour)
			others = append(others, id(w.submittedCase()))
			w.service.cfg.Uploads = lockedUploads{w.service.cfg.Uploads, string(locked)}
			w.advance(Lifetime)
			for range 2 { // the second time in a new run, which has a day more
				if err := expire(w); err == nil || !strings.Contains(err.Error(), errLocked.Error()) {
					t.Errorf("error %v", err)
				}
				for _, c := range others {
					documents, err := w.service.store.documents(t.Context(), c)
					if got, _, readErr := w.service.store.caseByID(t.Context(), c); got.Status != Expired || len(documents) > 0 ||
						errors.Join(err, readErr) != nil {
						t.Errorf("%s is %s with %d documents, %v", c, got.Status, len(documents), errors.Join(err, readErr))
					}
				}
				documents, err := w.service.store.documents(t.Context(), locked)
				if len(documents) != 1 || err != nil {
					t.Errorf("the locked file's case has %d documents, %v", len(documents), err)
				}
				others = append(others, id(w.submittedCase()))
				w.advance(Lifetime)
			}
		})
	}
}
