package geo

import "github.com/golang/geo/s2"

// Shape is a Point, a LineString, a Polygon or a MultiPolygon, in a space.
type Shape struct {
	space space
	paths [][]point // a point is a path of one
	areas []area
	size  int // points in all
}

// A point is a position: in degrees of longitude and latitude on the globe, where it also has a direction from the
// centre.
type point struct {
	x, y float64
	at   s2.Point
}

// An area is inside of its outer ring and outside of its holes. A ring's last point is not its first again.
type area struct {
	outer ring
	holes []ring
}

type ring struct {
	points []point
	loop   *s2.Loop // on the globe
}

// An edge leads from a to b.
type edge struct{ a, b point }

// A space is the plane or the globe.
type space interface {
	point(x, y float64) point
	ring(points []point, hole bool) ring
	cross(a, b edge) bool
	inside(r ring, p point) bool // of its area, on whose border either answer is right
	nearest(p point, e edge) point
	distance(p, q point) float64
	area(r ring) float64
}

// edges calls f for each edge of the shape until it returns true; a point alone is an edge from itself to itself.
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

// covers says that a point lies inside of one of the shape's areas.
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

// touches says that a point lies on an edge.
func (s *Shape) touches(p point) bool {
	return s.edges(func(e edge) bool { return s.space.cross(e, edge{p, p}) })
}
