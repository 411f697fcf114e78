package lag

import "container/heap"

// What a key held before a write is kept until every replica shows the write, and no running view hides it: the clock
// alone does not say so, for it may be advanced while a view runs. So a write is retired when all replicas show it, and
// its images are freed when the last view ends that began before that.

// image is what a key held before a write.
type image struct {
	key, value []byte
	found      bool
	write      *Write
	prev, next *image // of the writes of the key before and after
}

// chain is what a key held before each of the writes on their way, the earliest first.
type chain struct{ first, last *image }

// link makes an image the last one of its key.
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
	o.held -= w.size
	for i := range w.images {
		o.unlink(&w.images[i])
	}
	w.images = nil
}

// unlink removes an image from those of its key. The tree has the key in the memory of the first of them.
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

// retireArrived retires what all replicas show.
func (o *Overlay) retireArrived(now int64) {
	for len(o.arrivals) > 0 && o.arrivals[0].until() <= now {
		o.retire()
	}
	o.free()
}

// retire shows the write to all that they would see first. Of the writes of one key that is the earliest.
func (o *Overlay) retire() {
	w := heap.Pop(&o.arrivals).(*Write)
	o.serial++
	w.retired = o.serial
	o.waiting -= w.size
	o.retired = append(o.retired, w)
	if w.order != nil {
		w.order.onTheWay--
		o.forget(w.order)
	}
}

// free removes the images of retired writes that no running view hides.
func (o *Overlay) free() {
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

// pins are the serials of the views that run, in the order in which they began.
type pins struct {
	running []pin
	base    uint64 // how many pins stood before running
}

type pin struct {
	serial uint64
	ended  bool
}

// add pins a serial, and returns the number by which to end it.
func (p *pins) add(serial uint64) (number uint64) {
	p.running = append(p.running, pin{serial: serial})
	return p.base + uint64(len(p.running)) - 1
}

// end ends a pin, and reports whether the oldest one may be another now.
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

// oldest is the serial of the view that began first; present where none runs.
func (p *pins) oldest(present uint64) uint64 {
	if len(p.running) == 0 {
		return present
	}
	return p.running[0].serial
}
