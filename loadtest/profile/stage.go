package profile

import (
	"cmp"
	"fmt"
	"math"
	"sort"
	"time"
)

// end returns the rate at the end of the stage, without the wave.
func (s Stage) end() float64 { return cmp.Or(s.To, s.Rate) }

// isConstant reports whether the rate does not change.
func (s Stage) isConstant() bool { return s.Swing == 0 && s.end() == s.Rate }

// rate returns the rate at this time since the stage began.
func (s Stage) rate(at time.Duration) float64 {
	rate := s.Rate + (s.end()-s.Rate)*at.Seconds()/time.Duration(s.Duration).Seconds()
	if s.Swing > 0 {
		rate += s.Swing * math.Sin(2*math.Pi*at.Seconds()/time.Duration(s.Period).Seconds())
	}
	return rate
}

// planned returns the number of requests due before this time since the stage began: the integral of the rate.
func (s Stage) planned(at time.Duration) float64 {
	t, length := at.Seconds(), time.Duration(s.Duration).Seconds()
	n := s.Rate*t + (s.end()-s.Rate)*t*t/(2*length)
	if s.Swing > 0 {
		period := time.Duration(s.Period).Seconds()
		n += s.Swing * period / (2 * math.Pi) * (1 - math.Cos(2*math.Pi*t/period))
	}
	return n
}

// Requests returns the number of requests due in the whole stage.
func (s Stage) Requests() float64 { return s.planned(time.Duration(s.Duration)) }

// Mean returns the mean rate.
func (s Stage) Mean() float64 { return s.Requests() / time.Duration(s.Duration).Seconds() }

// due returns when a request is due that has this number of requests before it in the stage.
func (s Stage) due(before float64) time.Duration {
	if s.isConstant() {
		return time.Duration(before / s.Rate * float64(time.Second))
	}
	const step = time.Microsecond
	n := int(time.Duration(s.Duration) / step)
	return time.Duration(sort.Search(n, func(i int) bool { return s.planned(time.Duration(i)*step) >= before })) * step
}

// shortened returns the stage with its duration and the period of its wave multiplied by a factor.
func (s Stage) shortened(by float64) Stage {
	s.Duration = Duration(max(time.Duration(float64(s.Duration)*by).Round(time.Millisecond), time.Millisecond))
	s.Period = Duration(float64(s.Period) * by)
	return s
}

// scaled returns the stage with its rates multiplied by share.
func (s Stage) scaled(share float64) Stage {
	s.Rate, s.To, s.Swing = s.Rate*share, s.To*share, s.Swing*share
	return s
}

func (s Stage) validate() error {
	for _, rate := range []float64{s.Rate, s.end()} {
		if !(rate > 0 && rate+s.Swing <= maxRate) {
			return fmt.Errorf("rate %v: must be more than 0 and at most %d requests per second", rate, maxRate)
		}
	}
	switch {
	case s.Duration <= 0 || time.Duration(s.Duration) > maxDuration:
		return fmt.Errorf("duration %v: must be more than 0 and at most 24h", time.Duration(s.Duration))
	case s.Swing < 0 || s.Swing >= min(s.Rate, s.end()) && s.Swing > 0:
		return fmt.Errorf("swing %v: must be less than the rate", s.Swing)
	case (s.Swing > 0) != (s.Period > 0):
		return fmt.Errorf("swing %v, period %v: a sine needs both", s.Swing, time.Duration(s.Period))
	}
	return nil
}
