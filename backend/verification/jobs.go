package verification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
)

// How far back the jobs look. DynamoDB's TTL deletes items within a few days: older items are gone.
const (
	expiryDays    = 60
	retentionDays = 60
)

// JobCounts counts the work of a job.
type JobCounts struct {
	Days      int // days processed
	Seen      int // cases or audit entries read
	Expired   int // open cases that were past their expiresAt
	Documents int // documents whose metadata was removed
	Files     int // files removed
	Entries   int // audit entries removed
}

func (s JobCounts) counts() map[string]int64 {
	return map[string]int64{
		"days": int64(s.Days), "seen": int64(s.Seen), "expired": int64(s.Expired), "documents": int64(s.Documents),
		"files": int64(s.Files), "entries": int64(s.Entries),
	}
}

// ExpiryJob writes the status of open cases that have expired, and removes the documents, both metadata and files, of
// every expired case (VR-R7); DynamoDB's TTL deletes the cases themselves. The job may be stopped at any moment,
// repeated, and run in two places: it skips what is already done.
func (s *Service) ExpiryJob() jobs.Job { return dailyJob("expire cases", s.ExpiryDays(), s.ExpireDay) }

// RetentionJob deletes audit entries that are older than five years and that DynamoDB's TTL has not deleted. It may be
// stopped, repeated and run in two places, like ExpiryJob. It needs the retention role: the application's role may not
// delete entries.
func (s *Service) RetentionJob() jobs.Job {
	return dailyJob("audit retention", s.RetentionDays(), s.RetainDay)
}

func dailyJob(name string, days []string,
	do func(ctx context.Context, day string, renew jobs.Renew) (JobCounts, error)) jobs.Job {
	return jobs.Days(name, days, func(ctx context.Context, day string, renew jobs.Renew) (map[string]int64, error) {
		result, err := do(ctx, day, renew)
		return result.counts(), err
	})
}

// ExpiryDays returns the creation days that can have expired cases, oldest first.
func (s *Service) ExpiryDays() []string { return lastDays(s.cfg.Now().Add(-Lifetime), expiryDays) }

// RetentionDays returns the days that can have expired audit entries, oldest first.
func (s *Service) RetentionDays() []string {
	return lastDays(s.cfg.Now().AddDate(-auditYears, 0, 0), retentionDays)
}

func lastDays(last time.Time, n int) []string {
	days := make([]string, n)
	for i := range days {
		days[i] = last.UTC().AddDate(0, 0, i-n+1).Format(dayLayout)
	}
	return days
}

// Expire does the work of ExpiryJob in one go, for a worker. Like ExpireDay, it goes on without the cases that fail.
func (s *Service) Expire(ctx context.Context) error {
	var failed []error
	for _, day := range s.ExpiryDays() {
		_, err := s.ExpireDay(ctx, day, jobs.Unleased)
		var partial *jobs.PartialError
		if err != nil && !errors.As(err, &partial) {
			return errors.Join(append(failed, err)...)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// ExpireDay does the work of ExpiryJob for the cases created on one day. It calls renew for each case and before each
// write, and stops at its first error. Only the audit entry of what it has removed follows even then: no other worker
// could write it. A case or file that cannot be cleaned up does not stop it. Errors: *jobs.PartialError for those.
func (s *Service) ExpireDay(ctx context.Context, day string, renew jobs.Renew) (JobCounts, error) {
	counts, ctx := JobCounts{Days: 1}, asSystem(ctx)
	var failed failures
	err := ddb.QueryAll(ctx, s.store.client, s.store.queryInput(indexDate, dateKey(day), "", true),
		func(items []ddb.Item) error {
			for _, r := range ddb.DecodeAll(items, caseOf) {
				counts.Seen++
				if err := renew(ctx); err != nil {
					return err
				}
				if s.cfg.Now().Before(r.ExpiresAt.time()) {
					continue
				}
				failed.add(s.expire(ctx, r, renew, &counts))
			}
			return nil
		})
	if err == nil {
		err = s.removeOrphanedFiles(ctx, day, renew, &counts, &failed)
	}
	if err == nil && failed.first != nil {
		err = &jobs.PartialError{Err: fmt.Errorf("cases of %s: %d could not be cleaned up; the first error: %w", day,
			failed.count, failed.first)}
	}
	return counts, err
}

// failures counts what a job could not do, without being stopped by it.
type failures struct {
	count int
	first error
}

func (f *failures) add(err error) {
	if err == nil {
		return
	}
	if f.count++; f.first == nil {
		f.first = err
	}
}

// expire removes the documents of a case before it changes the status: as long as the case is open, an interrupted run
// finds it again.
func (s *Service) expire(ctx context.Context, r record, renew jobs.Renew, counts *JobCounts) error {
	if r.documents > 0 {
		if err := s.removeDocuments(ctx, r, renew, counts); err != nil {
			return err
		}
	}
	if !r.Status.open() {
		return nil
	}
	if err := renew(ctx); err != nil {
		return err
	}
	e := AuditEntry{Action: "case.expire", VerificationID: r.VerificationID, From: r.Status, To: Expired}
	err := s.audited(ctx, e, func(e *AuditEntry) error {
		if err := checkTransition(r.Status, Expired, actorTime); err != nil {
			return err
		}
		return s.retryConflicts(ctx, func() error {
			_, err := s.transitionCase(ctx, e, r, Expired)
			return err
		})
	})
	switch status := statusOf(err); status {
	case http.StatusConflict, http.StatusNotFound: // another run or TTL was faster
		return nil
	}
	if err == nil {
		counts.Expired++
	}
	return err
}

// removeDocuments removes the documents of a case, with their files, as many as it can.
func (s *Service) removeDocuments(ctx context.Context, r record, renew jobs.Renew, counts *JobCounts) error {
	documents, err := s.store.documents(ctx, r.VerificationID)
	if err != nil {
		return err
	}
	before := counts.Documents
	var failed failures
	for _, d := range documents {
		if err := renew(ctx); err != nil {
			failed.add(err)
			break
		}
		failed.add(s.removeDocument(ctx, r, d, renew, counts))
	}
	if counts.Documents == before {
		return failed.first
	}
	e := AuditEntry{Action: "documents.remove", VerificationID: r.VerificationID}
	return errors.Join(failed.first, s.recordDone(ctx, e))
}

// removeDocument removes a document of a case, and the file before it: the document says where the file is.
func (s *Service) removeDocument(ctx context.Context, r record, d Document, renew jobs.Renew, counts *JobCounts) error {
	if bucket := s.cfg.Uploads.Bucket(); d.S3Bucket != bucket {
		return fmt.Errorf("the files of %s are in %q, but this job uses %q: set --uploads as the backend does",
			r.VerificationID, d.S3Bucket, bucket)
	}
	if err := s.cfg.Uploads.Delete(ctx, d.S3Key); err != nil {
		return err
	}
	if d.Status != "" {
		counts.Files++
	}
	if err := renew(ctx); err != nil {
		return err
	}
	if err := s.store.removeDocument(ctx, r.VerificationID, d.DocumentID); err != nil {
		return err
	}
	counts.Documents++
	return nil
}

// recordDone writes the audit entry of what a job has done.
func (s *Service) recordDone(ctx context.Context, e AuditEntry) error {
	return s.audited(ctx, e, func(*AuditEntry) error { return nil })
}

// removeOrphanedFiles removes files whose documents TTL has deleted; a file's key starts with the day on which its case
// ended. It covers all days up to the one on which cases created on this day ended, once that day and the lifetime of
// its upload addresses are over.
func (s *Service) removeOrphanedFiles(ctx context.Context, created string, renew jobs.Renew, counts *JobCounts,
	failed *failures) error {
	day, err := time.Parse(dayLayout, created)
	if err != nil {
		return err
	}
	over := day.Add(Lifetime).AddDate(0, 0, 1)
	if s.cfg.Now().Before(over.Add(time.Hour)) {
		return nil
	}
	keys, listErr := s.cfg.Uploads.KeysBefore(ctx, over.Format(dayLayout))
	failed.add(listErr)
	before := counts.Files
	for _, key := range keys {
		if err = renew(ctx); err != nil {
			break
		}
		if err := s.cfg.Uploads.Delete(ctx, key); err != nil {
			failed.add(err)
			continue
		}
		counts.Files++
	}
	if counts.Files == before {
		return err
	}
	return errors.Join(err, s.recordDone(ctx, AuditEntry{Action: "files.remove", Reference: created}))
}

// RetainDay does the work of RetentionJob for the entries of one day. It calls renew before each write and stops at its
// first error. The audit entry of what it has deleted follows even then, as in ExpireDay.
func (s *Service) RetainDay(ctx context.Context, day string, renew jobs.Renew) (JobCounts, error) {
	counts, now, ctx := JobCounts{Days: 1}, s.cfg.Now().Unix(), asSystem(ctx)
	err := ddb.QueryAll(ctx, s.store.client, s.store.queryInput("", auditKey(day), "", true),
		func(items []ddb.Item) error {
			for _, e := range ddb.DecodeAll(items, entryOf) {
				counts.Seen++
				if err := renew(ctx); err != nil {
					return err
				}
				if e.ttl > now {
					continue
				}
				deleted, err := s.store.deleteExpiredEntry(ctx, e, now)
				if err != nil {
					return err
				}
				if deleted {
					counts.Entries++
				}
			}
			return nil
		})
	if counts.Entries == 0 {
		return counts, err
	}
	return counts, errors.Join(err, s.recordDone(ctx, AuditEntry{Action: "audit.retain", Reference: day}))
}
