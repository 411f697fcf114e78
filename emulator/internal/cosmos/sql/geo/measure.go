package geo

import "math"

// maxWork limits the pairs of points that a function of two shapes compares. Beyond it there is no result; the service
// documents no limit.
const maxWork = 4 << 20

// withinWorkLimit reports whether two shapes are small enough to be compared.
func (s *Shape) withinWorkLimit(t *Shape) bool { return s.size*t.size <= maxWork }

// Intersects reports whether two shapes share a point. ok is false if they are too large.
func (s *Shape) Intersects(t *Shape) (yes, ok bool) {
	if !s.withinWorkLimit(t) {
		return false, false
	}
	crossing := s.edges(func(a edge) bool { return t.edges(func(b edge) bool { return s.space.cross(a, b) }) })
	return crossing || s.hasPointIn(t) || t.hasPointIn(s), true
}

func (s *Shape) hasPointIn(t *Shape) bool {
	return len(t.areas) > 0 && s.edges(func(e edge) bool { return t.covers(e.a) })
}

// Within reports whether the shape is within t: all its points are in t, no edge of it crosses an edge of t, and no
// border of t is inside it. A shape is within a path or a point if all its points touch that. ok is false if they are
// too large.
func (s *Shape) Within(t *Shape) (yes, ok bool) {
	if !s.withinWorkLimit(t) {
		return false, false
	}
	outside := s.edges(func(e edge) bool { return !t.containsPoint(e.a) || !t.containsPoint(e.b) })
	if outside {
		return false, true
	}
	if len(t.areas) == 0 {
		return len(s.areas) == 0, true
	}
	through := s.edges(func(a edge) bool {
		return a.a != a.b && t.edges(func(b edge) bool { return s.space.cross(a, b) && !s.shared(a, b) })
	})
	return !through && !t.hasPointIn(s), true
}

func (s *Shape) containsPoint(p point) bool {
	if len(s.areas) > 0 {
		return s.covers(p)
	}
	return s.touches(p)
}

// shared reports whether two edges share an endpoint, and so do not cross.
func (s *Shape) shared(a, b edge) bool { return a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b }

// Distance returns the smallest distance between two shapes, 0 if they intersect: in metres on the globe, in coordinate
// units in the plane. ok is false if they are too large, or one is empty.
func (s *Shape) Distance(t *Shape) (distance float64, ok bool) {
	if meet, ok := s.Intersects(t); !ok || meet {
		return 0, ok
	}
	least := math.Inf(1)
	s.edges(func(a edge) bool {
		return t.edges(func(b edge) bool {
			least = min(least, s.distanceToEdge(a.a, b), s.distanceToEdge(a.b, b), s.distanceToEdge(b.a, a),
				s.distanceToEdge(b.b, a))
			return false
		})
	})
	return least, !math.IsInf(least, 1)
}

func (s *Shape) distanceToEdge(p point, e edge) float64 {
	return s.space.distance(p, s.space.nearest(p, e))
}

// Area returns the area of the shape, in square metres on the globe. Points and lines have none.
func (s *Shape) Area() float64 {
	total := 0.0
	for _, a := range s.areas {
		total += s.space.area(a.outer)
		for _, h := range a.holes {
			total -= s.space.area(h)
		}
	}
	return total
}
