package verification

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// How far back the jobs look. DynamoDB's TTL removes items within a few days: what is older is gone.
const (
	expiryDays    = 60
	retentionDays = 60
)

// Swept counts what a job did.
type Swept struct {
	Days      int // that were gone over
	Seen      int // cases, or audit entries
	Expired   int // cases that were open when their time was over
	Documents int // of which the metadata was removed
	Files     int // that were removed
	Entries   int // of the audit trail that were removed
}

func (s Swept) counts() map[string]int64 {
	return map[string]int64{
		"days": int64(s.Days), "seen": int64(s.Seen), "expired": int64(s.Expired), "documents": int64(s.Documents),
		"files": int64(s.Files), "entries": int64(s.Entries),
	}
}

// ExpiryJob writes down that open cases are past their time, and removes the documents, metadata and files, of every
// case that is (VR-R7); DynamoDB's TTL removes the cases themselves. It can be stopped at any moment, run again and run
// in two places: what one has done the other passes over.
func (s *Service) ExpiryJob() jobs.Job { return overDays("expire cases", s.ExpiryDays(), s.ExpireDay) }

// RetentionJob removes the audit entries that are past their five years and that DynamoDB's TTL has left. Like
// ExpiryJob it can be stopped, repeated and run in two places. It needs the retention role: the application's may not
// delete entries.
func (s *Service) RetentionJob() jobs.Job {
	return overDays("audit retention", s.RetentionDays(), s.RetainDay)
}

func overDays(name string, days []string, do func(context.Context, string) (Swept, error)) jobs.Job {
	return jobs.Days(name, days, func(ctx context.Context, day string) (map[string]int64, error) {
		done, err := do(ctx, day)
		return done.counts(), err
	})
}

// ExpiryDays are the days of creation that can have cases past their time, oldest first.
func (s *Service) ExpiryDays() []string { return daysTo(s.cfg.Now().Add(-Lifetime), expiryDays) }

// RetentionDays are the days that can have audit entries past their time, oldest first.
func (s *Service) RetentionDays() []string {
	return daysTo(s.cfg.Now().AddDate(-auditYears, 0, 0), retentionDays)
}

func daysTo(last time.Time, n int) []string {
	days := make([]string, n)
	for i := range days {
		days[i] = last.UTC().AddDate(0, 0, i-n+1).Format(dayLayout)
	}
	return days
}

// Expire is ExpiryJob in one go, as a worker runs it.
func (s *Service) Expire(ctx context.Context) error {
	for _, day := range s.ExpiryDays() {
		if _, err := s.ExpireDay(ctx, day); err != nil {
			return err
		}
	}
	return nil
}

// ExpireDay is ExpiryJob for the cases that were created on one day.
func (s *Service) ExpireDay(ctx context.Context, day string) (Swept, error) {
	done, ctx := Swept{Days: 1}, bySystem(ctx)
	err := ddb.QueryAll(ctx, s.store.client, s.store.asking(indexDate, dateKey(day), "", true), func(items []ddb.Item) error {
		for _, r := range ddb.Collect(items, caseOf) {
			done.Seen++
			if s.cfg.Now().Before(r.ExpiresAt.time()) {
				continue
			}
			if err := s.expire(ctx, r, &done); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return done, err
	}
	return done, s.leftovers(ctx, day, &done)
}

// expire removes the documents of a case first: as long as it is open, a run that was stopped finds it again.
func (s *Service) expire(ctx context.Context, r record, done *Swept) error {
	if r.documents > 0 {
		if err := s.removeDocuments(ctx, r, done); err != nil {
			return err
		}
	}
	if !r.Status.open() {
		return nil
	}
	e := AuditEntry{Action: "case.expire", VerificationID: r.VerificationID, From: r.Status, To: Expired}
	err := s.audited(ctx, e, func(e *AuditEntry) error {
		if err := allow(r.Status, Expired, clock); err != nil {
			return err
		}
		return s.insist(ctx, func() error {
			_, err := s.step(ctx, e, r, Expired)
			return err
		})
	})
	switch status := statusOf(err); status {
	case http.StatusConflict, http.StatusNotFound: // another run was faster, or TTL was
		return nil
	}
	if err == nil {
		done.Expired++
	}
	return err
}

func (s *Service) removeDocuments(ctx context.Context, r record, done *Swept) error {
	removed := 0
	documents, err := s.store.documents(ctx, r.VerificationID)
	if err != nil {
		return err
	}
	for _, d := range documents { // the file first: the document says where it is
		if bucket := s.cfg.Uploads.Bucket(); d.S3Bucket != bucket {
			return fmt.Errorf("the files of %s are kept in %q, and this run was told of %q: give --uploads as the backend has it", r.VerificationID, d.S3Bucket, bucket)
		}
		if err := s.cfg.Uploads.Delete(ctx, d.S3Key); err != nil {
			return err
		}
		if d.Status != "" {
			done.Files++
		}
		if err := s.store.removeDocument(ctx, r.VerificationID, d.DocumentID); err != nil {
			return err
		}
		removed++
		done.Documents++
	}
	if removed == 0 {
		return nil
	}
	return s.audited(ctx, AuditEntry{Action: "documents.remove", VerificationID: r.VerificationID}, func(*AuditEntry) error { return nil })
}

// leftovers removes files whose documents TTL has removed: they lie below the day on which their case ended. All days
// up to the one on which the cases of this day ended are looked at, however long ago they were, when that day is over
// and so is the life of every address that was given on it.
func (s *Service) leftovers(ctx context.Context, created string, done *Swept) error {
	day, err := time.Parse(dayLayout, created)
	if err != nil {
		return err
	}
	over := day.Add(Lifetime).AddDate(0, 0, 1)
	if s.cfg.Now().Before(over.Add(time.Hour)) {
		return nil
	}
	keys, err := s.cfg.Uploads.KeysBefore(ctx, over.Format(dayLayout))
	if err != nil || len(keys) == 0 {
		return err
	}
	return s.audited(ctx, AuditEntry{Action: "files.remove", Reference: created}, func(*AuditEntry) error {
		for _, key := range keys {
			if err := s.cfg.Uploads.Delete(ctx, key); err != nil {
				return err
			}
			done.Files++
		}
		return nil
	})
}

// RetainDay is RetentionJob for the entries of one day.
func (s *Service) RetainDay(ctx context.Context, day string) (Swept, error) {
	done, now, ctx := Swept{Days: 1}, s.cfg.Now().Unix(), bySystem(ctx)
	err := ddb.QueryAll(ctx, s.store.client, s.store.asking("", auditKey(day), "", true), func(items []ddb.Item) error {
		for _, e := range ddb.Collect(items, entryOf) {
			done.Seen++
			if e.ttl > now {
				continue
			}
			dropped, err := s.store.dropEntry(ctx, e, now)
			if err != nil {
				return err
			}
			if dropped {
				done.Entries++
			}
		}
		return nil
	})
	if err != nil || done.Entries == 0 {
		return done, err
	}
	return done, s.audited(ctx, AuditEntry{Action: "audit.retain", Reference: day}, func(*AuditEntry) error { return nil })
}
