package changelog

import "sync"

// tickets are those of the writers under way, in the order in which they were taken.
type tickets struct {
	mu    sync.Mutex
	queue []ticket
	base  uint64 // how many tickets stood before queue
}

type ticket struct {
	after Position // every change of its writer comes after this
	done  bool
}

// Ticket is held by a writer from before its transaction until that is durable. The zero Ticket is that of no log.
type Ticket struct {
	log    *Log
	number uint64
}

// Begin takes a ticket; every transaction that appends to the log needs one. On a nil Log, that of what nobody follows,
// it costs nothing.
func (l *Log) Begin() Ticket {
	if l == nil {
		return Ticket{}
	}
	t := &l.tickets
	t.mu.Lock()
	t.queue = append(t.queue, ticket{after: l.tip()})
	number := t.base + uint64(len(t.queue)) - 1
	t.mu.Unlock()
	return Ticket{l, number}
}

// End gives the ticket back: its transaction is durable, or was given up.
func (k Ticket) End() {
	if k.log == nil {
		return
	}
	t := &k.log.tickets
	t.mu.Lock()
	t.queue[k.number-t.base].done = true
	ended := 0
	for ended < len(t.queue) && t.queue[ended].done {
		ended++
	}
	t.base += uint64(ended)
	if ended == len(t.queue) {
		t.queue = t.queue[:0]
	} else {
		t.queue = t.queue[ended:]
	}
	t.mu.Unlock()
}

// oldest is what every change of the writers under way comes after; ok is false where there are none.
func (t *tickets) oldest() (after Position, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return 0, false
	}
	return t.queue[0].after, true
}
