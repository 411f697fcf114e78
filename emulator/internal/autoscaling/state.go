package autoscaling

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

func (k key) stored() []byte {
	prefix := store.AppendEscaped([]byte{keyspace.AutoScaling, keyspace.ScalableTarget}, []byte(k.account))
	return append(store.AppendEscaped(prefix, []byte(k.resource)), k.dimension...)
}

func activityKey(number uint64) []byte {
	return store.AppendUint64([]byte{keyspace.AutoScaling, keyspace.ScalingActivity}, number)
}

func counterKey() []byte { return []byte{keyspace.AutoScaling, keyspace.AutoScalingCounter} }

// load reads everything from the store. s.mu must be held, and changes closed unless no request can run.
func (s *Service) load() error {
	s.targets, s.activities, s.numbers, s.idCount = map[key]*target{}, nil, 0, 0
	s.woken, s.retries, s.recheck = map[key]bool{}, map[key]time.Time{}, time.Time{}
	return s.store.View(func(r *store.Reader) error {
		prefix := []byte{keyspace.AutoScaling}
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if err := s.loadOne(it.Key()[1], it.Key()[2:], it.Value()); err != nil {
				return fmt.Errorf("the state of auto scaling cannot be read: %w", err)
			}
		}
		return it.Close()
	})
}

func (s *Service) loadOne(kind byte, rest, value []byte) (err error) {
	switch kind {
	case keyspace.AutoScalingCounter:
		s.idCount, _, err = store.DecodeUint64(value)
	case keyspace.ScalingActivity:
		a := new(activity)
		if s.numbers, _, err = store.DecodeUint64(rest); err == nil {
			err = json.Unmarshal(value, a)
		}
		s.activities = append(s.activities, a)
		if a.inProgress() {
			s.recheck = s.clock.Now()
		}
	default:
		t := new(target)
		err = json.Unmarshal(value, t)
		s.targets[t.key()] = t
	}
	return err
}

// newID returns a new UUID, from the seed and the count of ids. changes must be closed.
func (s *Service) newID() string {
	s.idCount++
	return awsapi.NumberedUUID(s.seed, s.idCount)
}

// update runs a transaction that changes what the service has stored, and stores the count of ids with it.
func (s *Service) update(run func(tx *store.Tx) error) error {
	return s.store.Update(store.Latch([]byte{keyspace.AutoScaling}), func(tx *store.Tx) error {
		if err := tx.Set(counterKey(), store.AppendUint64(nil, s.idCount)); err != nil {
			return err
		}
		return run(tx)
	})
}

// saveTarget stores a target, and then shows it to everybody. changes must be closed.
func (s *Service) saveTarget(t *target) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := s.update(func(tx *store.Tx) error { return tx.Set(t.key().stored(), text) }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.targets[t.key()] = t
	return nil
}

// dropTarget deletes a target. changes must be closed.
func (s *Service) dropTarget(k key) error {
	if err := s.update(func(tx *store.Tx) error { return tx.Delete(k.stored()) }); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.targets, k)
	return nil
}

// maxActivities limits the activities of all accounts together: the oldest are deleted. The limit is ours.
const maxActivities = 2000

// saveActivity stores an activity: a new one, or the next state of one that is there. changes must be closed.
func (s *Service) saveActivity(a *activity) error {
	isNew := a.Number == 0
	if isNew {
		a.Number = s.numbers + 1
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	err = s.update(func(tx *store.Tx) error {
		if a.Number > maxActivities {
			if err := tx.DeleteRange(activityKey(0), activityKey(a.Number-maxActivities+1)); err != nil {
				return err
			}
		}
		return tx.Set(activityKey(a.Number), text)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepActivity(a, isNew)
	return nil
}

// keepActivity puts an activity into the list, whose slice readers may still have. s.mu must be held.
func (s *Service) keepActivity(a *activity, isNew bool) {
	all := make([]*activity, 0, len(s.activities)+1)
	for _, old := range s.activities {
		switch {
		case old.Number == a.Number:
			all = append(all, a)
		case old.Number+maxActivities > s.numbers+1:
			all = append(all, old)
		}
	}
	if isNew {
		s.numbers = a.Number
		all = append(all, a)
	}
	s.activities = all
}
