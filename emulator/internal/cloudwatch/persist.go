package cloudwatch

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// maxHistory and historyRetention limit the history: the number of items of all alarms together, and the time for which
// the service keeps them.
const (
	maxHistory       = 10_000
	historyRetention = 30 * 24 * time.Hour
)

func (k alarmKey) stored() []byte {
	return append(store.AppendEscaped([]byte{keyspace.CloudWatch, keyspace.Alarm}, []byte(k.account)), k.name...)
}

func historyKey(number uint64) []byte {
	return store.AppendUint64([]byte{keyspace.CloudWatch, keyspace.AlarmHistory}, number)
}

// event is an item of history as stored.
type event struct {
	Account string
	AlarmHistoryItem
}

// save stores an alarm and its history, or only the history if a is nil. s.mu must be held.
func (s *Service) save(a *alarm, history ...event) error {
	err := s.store.Update(store.Latch([]byte{keyspace.CloudWatch}), func(tx *store.Tx) error {
		if a != nil {
			text, err := a.recorded()
			if err != nil {
				return err
			}
			if err := tx.Set(a.key().stored(), text); err != nil {
				return err
			}
		}
		return s.appendHistory(tx, history)
	})
	if err == nil && a != nil {
		s.alarms[a.key()] = a
		s.schedule.plan(a, s.clock.Now().Unix())
		s.scheduleTimer()
	}
	return err
}

// remove deletes an alarm; its history stays. s.mu must be held.
func (s *Service) remove(a *alarm, history event) error {
	err := s.store.Update(store.Latch([]byte{keyspace.CloudWatch}), func(tx *store.Tx) error {
		if err := tx.Delete(a.key().stored()); err != nil {
			return err
		}
		return s.appendHistory(tx, []event{history})
	})
	if err == nil {
		delete(s.alarms, a.key())
		s.schedule.forget(a.key())
		s.scheduleTimer()
	}
	return err
}

func (s *Service) appendHistory(tx *store.Tx, history []event) error {
	for _, e := range history {
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		s.events++
		if err := tx.Set(historyKey(s.events), text); err != nil {
			return err
		}
		if s.events%100 == 0 && s.events > maxHistory {
			if err := tx.DeleteRange(historyKey(0), historyKey(s.events-maxHistory)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Reload reads the alarms from the store again, after its content was replaced. Their evaluation starts with the next
// minute.
func (s *Service) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer.stop()
	s.alarms, s.events = map[alarmKey]*alarm{}, 0
	s.schedule.reset()
	err := s.store.View(func(r *store.Reader) error {
		if err := s.loadAlarms(r); err != nil {
			return err
		}
		it := r.Iter(historyKey(0), []byte{keyspace.CloudWatch, keyspace.AlarmHistory + 1}, true)
		defer it.Close()
		if it.Next() {
			number, _, err := store.DecodeUint64(it.Key()[2:])
			if err != nil {
				return err
			}
			s.events = number
		}
		return it.Close()
	})
	for _, a := range s.alarms {
		s.schedule.plan(a, s.clock.Now().Unix())
	}
	s.scheduleTimer()
	return err
}

// loadAlarms reads the alarms. One that an earlier program accepted and this one refuses stays, with its state and its
// history, and is not evaluated until it is put again: a folder must open whatever a later version checks.
func (s *Service) loadAlarms(r *store.Reader) error {
	it := r.Iter([]byte{keyspace.CloudWatch, keyspace.Alarm}, []byte{keyspace.CloudWatch, keyspace.Alarm + 1}, false)
	defer it.Close()
	for it.Next() {
		a := &alarm{}
		if err := json.Unmarshal(it.Value(), a); err != nil {
			return fmt.Errorf("an alarm in the store cannot be read: %w", err)
		}
		if err := a.prepare(&caller{Service: s, account: a.Account}); err != nil {
			a.queries = nil
			s.log.Warn("an alarm is not evaluated until PutMetricAlarm replaces it", "alarm", a.key().name, "account",
				a.Account, "error", err)
		}
		s.alarms[a.key()] = a
	}
	return it.Close()
}
