package verification

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
)

// maxAttempts is the maximum number of attempts of a write that conflicts with other writes.
const maxAttempts = 6

// create opens a case (VR-P5), or returns the one that the same Idempotency-Key opened (VR-R11).
func (s *Service) create(ctx context.Context, in newCase, key string) (c Case, replayed bool, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.create"}, func(e *AuditEntry) error {
		c, replayed, err = createOnce(ctx, s, e, "create-case", key, in,
			func(mark idempotency.Mark) (Case, error) { return s.openCase(ctx, e, in, mark) },
			func(ref string) (Case, error) {
				e.VerificationID = CaseID(ref)
				r, err := s.visibleCase(ctx, e.VerificationID)
				if err != nil {
					return Case{}, err
				}
				return s.withContactData(ctx, r)
			})
		return err
	})
	return c, replayed, err
}

func (s *Service) openCase(ctx context.Context, e *AuditEntry, in newCase, mark idempotency.Mark) (Case, error) {
	r, err := s.newRecord(ctx, callerOf(ctx).client, in)
	if err != nil {
		return Case{}, err
	}
	e.VerificationID, e.To = r.VerificationID, r.Status
	if err := s.store.createCase(ctx, e, r, mark); err != nil {
		return Case{}, err
	}
	r.CustomerMetadata = in.CustomerMetadata
	s.stats.cases.Add(1)
	return r.Case, nil
}

func (s *Service) newRecord(ctx context.Context, client ClientID, in newCase) (record, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return record{}, err
	}
	now := s.cfg.Now().UTC()
	r := record{Case: Case{
		VerificationID: CaseID("ver_" + id.String()), ClientID: client, Status: Created, DocumentType: in.DocumentType,
		CustomerMetadata: CustomerMetadata{ExternalID: in.CustomerMetadata.ExternalID,
			RedirectURL: in.CustomerMetadata.RedirectURL},
		CreatedAt: timestamp(now), UpdatedAt: timestamp(now), ExpiresAt: timestamp(now.Add(Lifetime)),
	}}
	if r.email, err = s.seal(ctx, r.VerificationID, "email", string(in.CustomerMetadata.Email)); err != nil {
		return record{}, err
	}
	r.phone, err = s.seal(ctx, r.VerificationID, "phone", string(in.CustomerMetadata.Phone))
	return r, err
}

// read is VR-P1 for the caller: clients see their own cases (VR-R6), reviewers all.
func (s *Service) read(ctx context.Context, id CaseID) (c Case, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.read", VerificationID: id}, func(*AuditEntry) error {
		r, err := s.visibleCase(ctx, id)
		if err == nil {
			c, err = s.withContactData(ctx, r)
		}
		return err
	})
	return c, err
}

// visibleCase returns the case if the caller may see it.
func (s *Service) visibleCase(ctx context.Context, id CaseID) (record, error) {
	r, found, err := s.store.caseByID(ctx, id)
	if err == nil && (!found || !callerOf(ctx).maySee(r.Case)) {
		err = errNoCase
	}
	return r, err
}

// maySee reports whether the caller may see a case.
func (c caller) maySee(other Case) bool {
	switch c.role {
	case RoleReviewer, RoleSystem:
		return true
	case RoleClient:
		return c.client == other.ClientID
	}
	return false
}

// atNow returns a case as of now: an open case past its expiresAt is expired, whether or not that has been written yet
// (VR-R7).
func (s *Service) atNow(c Case) Case {
	if c.overdue(s.cfg.Now()) {
		c.Status, c.CompletedAt = Expired, c.ExpiresAt
	}
	return c
}

// withContactData returns a case with its contact data unsealed.
func (s *Service) withContactData(ctx context.Context, r record) (Case, error) {
	c := s.atNow(r.Case)
	email, err := s.unseal(ctx, c.VerificationID, "email", r.email)
	if err != nil {
		return Case{}, err
	}
	phone, err := s.unseal(ctx, c.VerificationID, "phone", r.phone)
	if err != nil {
		return Case{}, err
	}
	c.CustomerMetadata.Email, c.CustomerMetadata.Phone = Email(email), Phone(phone)
	return c, nil
}

// associatedData identifies a sealed attribute. It uses the table's documented name, so that a copy restored under
// another prefix can be opened.
func associatedData(id CaseID, attribute string) string {
	return Table + "|" + caseKey(id) + "|customerMetadata." + attribute
}

func (s *Service) seal(ctx context.Context, id CaseID, attribute, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	sealed, err := s.keys.Seal(ctx, associatedData(id, attribute), text)
	return sealed, keyError(err)
}

func (s *Service) unseal(ctx context.Context, id CaseID, attribute, sealed string) (string, error) {
	if sealed == "" {
		return "", nil
	}
	text, err := s.keys.Open(ctx, associatedData(id, attribute), sealed)
	if errors.Is(err, pii.ErrTampered) {
		return "", fmt.Errorf("%s of %s: %w", attribute, id, err)
	}
	return text, keyError(err)
}

// keyError tells the caller that the key is unavailable; the log gets the cause.
func keyError(err error) error {
	if errors.Is(err, pii.ErrUnavailable) {
		return errors.Join(
			web.Unavailable("the key that protects contact data is not available now; send the same request again later"), err)
	}
	return err
}

// list is VR-P3.
func (s *Service) list(ctx context.Context, q casesQuery) (cases []Case, next string, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.list"}, func(*AuditEntry) error {
		client := callerOf(ctx).client
		validSort := matcher(`^[a-z_]+#[0-9TZ:-]{20}$`)
		if q.Status != "" {
			validSort = matcher(`^` + string(q.Status) + `#[0-9TZ:-]{20}$`)
		}
		after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
			"PK": matcher("^" + prefixCase + patternCase[1:]), "SK": web.Equals(meta), "GSI1PK": web.Equals(clientKey(client)),
			"GSI1SK": validSort,
		})
		if err != nil {
			return err
		}
		records, last, err := s.store.casesOfClient(ctx, client, q.Status, q.Limit, after)
		cases, next = s.listed(records, q.Status), web.EncodeCursor(last)
		return err
	})
	return cases, next, err
}

// listDay is VR-P4, for reviewers.
func (s *Service) listDay(ctx context.Context, q dayQuery) (cases []Case, next string, err error) {
	err = s.audited(ctx, AuditEntry{Action: "case.list", Reference: q.Date}, func(*AuditEntry) error {
		after, err := web.DecodeCursor(q.Cursor, map[string]func(string) bool{
			"PK": matcher("^" + prefixCase + patternCase[1:]), "SK": web.Equals(meta), "GSI2PK": web.Equals(dateKey(q.Date)),
			"GSI2SK": matcher(`^[0-9TZ:-]{20}#` + patternCase[1:]),
		})
		if err != nil {
			return err
		}
		records, last, err := s.store.casesOfDay(ctx, q.Date, q.Limit, after)
		cases, next = s.listed(records, ""), web.EncodeCursor(last)
		return err
	})
	return cases, next, err
}

// listed returns cases without contact data. It leaves out cases that expired since they got the requested status.
func (s *Service) listed(records []record, status Status) []Case {
	cases := make([]Case, 0, len(records))
	for _, r := range records {
		if c := s.atNow(r.Case); status == "" || c.Status == status {
			cases = append(cases, c)
		}
	}
	return cases
}

// retryConflicts retries do while it conflicts with other requests, until it succeeds or is refused.
func (s *Service) retryConflicts(ctx context.Context, do func() error) error {
	return retry.Policy{
		Retryable: []error{ddb.ErrBusy}, MaxAttempts: maxAttempts, FirstPause: 5 * time.Millisecond, Wait: s.cfg.Wait,
		OnRetry: func(error) { s.stats.retries.Add(1) },
	}.Do(ctx, do)
}

func matcher(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }
