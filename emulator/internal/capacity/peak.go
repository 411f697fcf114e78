package capacity

// peak is the peak traffic of an on-demand table.
type peak struct {
	previous float64 // units per second of a minute at least 30 minutes ago
	latest   float64 // the highest later rate, if above previous
	since    int64   // the minute in which latest first exceeded previous; 0 if it does not
}

// note records the rate of a minute.
func (p *peak) note(rate float64, at int64) {
	if rate <= p.previous {
		return
	}
	if p.since == 0 {
		p.since = at
	}
	p.latest = max(p.latest, rate)
}

// settle makes the latest peak the previous one after 30 minutes. It reports whether it did.
func (p *peak) settle(now int64) bool {
	if p.since == 0 || now-p.since < peakMinutes {
		return false
	}
	p.previous = max(p.previous, p.latest)
	p.latest, p.since = 0, 0
	return true
}

const minute = int64(60e9) // nanoseconds

func minuteOf(now int64) int64 { return now / minute }

// roll ends the current minute if now is in a later one. It adds the minute to the history, splits hot partitions and
// updates the peak.
func (r *Resource) roll(now int64) {
	at := minuteOf(now)
	if at <= r.minute {
		return
	}
	r.record()
	for op := range r.peaks {
		r.peaks[op].note(r.units[op]/60, r.minute)
		if r.peaks[op].settle(at) && r.config.OnDemand {
			r.raiseWarm(op)
			r.limits[op].own.set(now, r.warm[op], 1)
		}
		r.units[op] = 0
	}
	var hot []*partition
	for _, p := range r.partitions {
		if p.closeMinute(at == r.minute+1) {
			hot = append(hot, p)
		}
	}
	for _, p := range hot {
		r.splitHot(p, now)
	}
	r.minute = at
	r.addPartitions(now)
}
