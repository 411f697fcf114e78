package kefir

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// DueReminders are the due reminders of all users, and the cost of finding them.
type DueReminders struct {
	By        string     `json:"by" enum:"index,scan"`
	From      Timestamp  `json:"from,omitempty" doc:"First hour searched; only with by=index"`
	Count     int        `json:"count" doc:"Reminders that are due"`
	ReadUnits float64    `json:"readUnits" doc:"Read units that finding them consumed, without reading those shown"`
	Reminders []Reminder `json:"reminders" nullable:"false" doc:"At most limit of them"`
}

// defaultLookback is how far back the hours are searched while no scheduler has set a checkpoint yet.
const defaultLookback = 24 * time.Hour

// due finds pending reminders that are due, by the added index of hours or by the documented scan (KF-P10, KF-D3).
func (s *Service) due(ctx context.Context, by string, limit int) (DueReminders, error) {
	out, now := DueReminders{By: by}, s.cfg.Now()
	var keys []ddb.Item
	page := func(found []ddb.Item) error {
		out.Count += len(found)
		keys = append(keys, found[:min(len(found), limit-len(keys))]...)
		return nil
	}
	var err error
	if by == "scan" {
		out.ReadUnits, err = s.store.scanReminders(ctx, dueBy(timestamp(now)), page)
	} else {
		out.From, out.ReadUnits, err = s.dueByIndex(ctx, now, page)
	}
	if err != nil {
		return DueReminders{}, err
	}
	items, err := s.store.readInOrder(ctx, keys)
	out.Reminders = ddb.DecodeAll(items, reminderOf)
	return out, err
}

func (s *Service) dueByIndex(ctx context.Context, now time.Time, page func([]ddb.Item) error) (Timestamp,
	float64, error) {
	from, known, err := s.firstHour(ctx)
	if err != nil {
		return "", 0, err
	}
	if !known {
		from = now.Add(-defaultLookback).Truncate(bucketSpan)
	}
	units := 0.0
	for hour := from; !hour.After(now); hour = hour.Add(bucketSpan) {
		more, err := s.store.dueInHour(ctx, bucketAt(hour), timestamp(now), page)
		units += more
		if err != nil {
			return "", units, err
		}
	}
	return timestamp(from), units, nil
}

// firstHour returns the first hour that may still have pending reminders, according to the checkpoint; false when there
// is none. A scheduler whose clock was ahead may have set an hour in the future; then firstHour returns an earlier one,
// because reminders before it may be due.
func (s *Service) firstHour(ctx context.Context) (time.Time, bool, error) {
	bucket, err := s.store.checkpoint(ctx)
	if err != nil || bucket == "" {
		return time.Time{}, false, err
	}
	at, err := time.Parse(prefixDue+bucketLayout, bucket)
	if latest := s.cfg.Now().Add(-indexSettleTime).Truncate(bucketSpan); at.After(latest) {
		at = latest
	}
	return at, err == nil, err
}
