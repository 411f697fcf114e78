package lag

import "container/heap"

// The previous values of a write's keys are kept until every replica shows the write and no pinned moment hides it. The
// clock alone cannot decide that, because it may be advanced while a moment is pinned. So a write is retired when all
// replicas show it, and its images are freed when the last moment that was pinned before that is released.

// image is the previous value of a key.
type image struct {
	key, value []byte
	found      bool
	write      *Write
	prev, next *image // the previous and the next image of the key
}

// chain is the previous values of a key before each of its pending writes, earliest first.
type chain struct{ first, last *image }

// link appends an image to the chain of its key.
func (o *Overlay) link(i *image) {
	_, c, ok := o.byKey.Get(i.key)
	if ok {
		i.prev, c.last.next = c.last, i
		c.last = i
	} else {
		c = chain{i, i}
	}
	o.byKey.ReplaceOrInsert(c.first.key, c)
}

// unlinkAll removes the images of a write.
func (o *Overlay) unlinkAll(w *Write) {
	o.imageBytes -= w.size
	for i := range w.images {
		o.unlink(&w.images[i])
	}
	w.images = nil
}

// unlink removes an image from the chain of its key. The tree's key shares the memory of the chain's first image.
func (o *Overlay) unlink(i *image) {
	_, c, _ := o.byKey.Delete(i.key)
	if i.prev != nil {
		i.prev.next = i.next
	} else {
		c.first = i.next
	}
	if i.next != nil {
		i.next.prev = i.prev
	} else {
		c.last = i.prev
	}
	if c.first != nil {
		o.byKey.ReplaceOrInsert(c.first.key, c)
	}
}

// retireArrived retires the writes that all replicas show.
func (o *Overlay) retireArrived(now int64) {
	for len(o.arrivals) > 0 && o.arrivals[0].visibleEverywhere() <= now {
		o.retire()
	}
	o.freeImages()
}

// retire retires the write that all replicas show first. Among the writes of one key, that is the earliest.
func (o *Overlay) retire() {
	w := heap.Pop(&o.arrivals).(*Write)
	o.serial++
	w.retired = o.serial
	o.pendingBytes -= w.size
	o.retired = append(o.retired, w)
	if w.order != nil {
		w.order.inFlight--
		o.forget(w.order)
	}
}

// freeImages removes the images of retired writes that no pinned moment hides.
func (o *Overlay) freeImages() {
	oldest, n := o.pins.oldest(o.serial), 0
	for n < len(o.retired) && o.retired[n].retired <= oldest {
		o.unlinkAll(o.retired[n])
		o.retired[n] = nil
		n++
	}
	if o.retired = o.retired[n:]; len(o.retired) == 0 {
		o.retired = nil
	}
}

// pins are the serials of the pinned moments, in the order in which they were pinned.
type pins struct {
	running []pin
	base    uint64 // the number of pins removed from the front of running
}

type pin struct {
	serial uint64
	ended  bool
}

// add pins a serial, and returns a number for end.
func (p *pins) add(serial uint64) (number uint64) {
	p.running = append(p.running, pin{serial: serial})
	return p.base + uint64(len(p.running)) - 1
}

// end ends a pin, and reports whether the oldest pin may have changed.
func (p *pins) end(number uint64) (moved bool) {
	p.running[number-p.base].ended = true
	n := 0
	for n < len(p.running) && p.running[n].ended {
		n++
	}
	p.base += uint64(n)
	if n == len(p.running) {
		p.running = p.running[:0]
	} else {
		p.running = p.running[n:]
	}
	return n > 0
}

// oldest returns the serial of the oldest pin, or present if there is none.
func (p *pins) oldest(present uint64) uint64 {
	if len(p.running) == 0 {
		return present
	}
	return p.running[0].serial
}
