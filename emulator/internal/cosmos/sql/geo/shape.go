package geo

import "github.com/golang/geo/s2"

// Shape is a Point, a LineString, a Polygon or a MultiPolygon, in a space.
type Shape struct {
	space space
	paths [][]point // a point is a path of length one
	areas []area
	size  int // total number of points
}

// A point is a position. On the globe, x and y are degrees of longitude and latitude, and at is the direction from the
// centre.
type point struct {
	x, y float64
	at   s2.Point
}

// An area is inside its outer ring and outside its holes. Rings do not repeat their first point at the end.
type area struct {
	outer ring
	holes []ring
}

type ring struct {
	points []point
	loop   *s2.Loop // on the globe
}

// An edge is a line from a to b.
type edge struct{ a, b point }

// A space is the plane or the globe.
type space interface {
	point(x, y float64) point
	ring(points []point, hole bool) ring
	cross(a, b edge) bool
	inside(r ring, p point) bool // in its area; on the border either result is correct
	nearest(p point, e edge) point
	distance(p, q point) float64
	area(r ring) float64
}

// edges calls f for each edge of the shape until f returns true. A single point is an edge from itself to itself.
func (s *Shape) edges(f func(edge) bool) bool {
	for _, p := range s.paths {
		if len(p) == 1 && f(edge{p[0], p[0]}) {
			return true
		}
		for i := 1; i < len(p); i++ {
			if f(edge{p[i-1], p[i]}) {
				return true
			}
		}
	}
	for _, a := range s.areas {
		for _, r := range a.rings() {
			if r.edges(f) {
				return true
			}
		}
	}
	return false
}

func (a area) rings() []ring { return append([]ring{a.outer}, a.holes...) }

func (r ring) edges(f func(edge) bool) bool {
	for i, p := range r.points {
		if f(edge{p, r.points[(i+1)%len(r.points)]}) {
			return true
		}
	}
	return false
}

// covers reports whether a point is inside one of the shape's areas.
func (s *Shape) covers(p point) bool {
	for _, a := range s.areas {
		if s.space.inside(a.outer, p) && !s.inHole(a, p) {
			return true
		}
	}
	return false
}

func (s *Shape) inHole(a area, p point) bool {
	for _, h := range a.holes {
		if s.space.inside(h, p) {
			return true
		}
	}
	return false
}

// touches reports whether a point is on an edge.
func (s *Shape) touches(p point) bool {
	return s.edges(func(e edge) bool { return s.space.cross(e, edge{p, p}) })
}
