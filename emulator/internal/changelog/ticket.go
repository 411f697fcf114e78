package changelog

import "sync"

// tickets are the tickets of active writers, in the order in which they were taken.
type tickets struct {
	mu    sync.Mutex
	queue []ticket
	base  uint64 // the number of tickets removed from the front of queue
}

type ticket struct {
	after Position // every change of the writer is after this
	done  bool
}

// Ticket is held by a writer from before its transaction until the transaction is durable. The zero Ticket belongs to
// no log.
type Ticket struct {
	log    *Log
	number uint64
}

// Begin takes a ticket. Every transaction that appends to the log needs one. On a nil Log it costs nothing.
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

// End returns the ticket, after its transaction is durable or was abandoned.
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

// oldest returns a position that all changes of active writers are after; ok is false if there are no active writers.
func (t *tickets) oldest() (after Position, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return 0, false
	}
	return t.queue[0].after, true
}
