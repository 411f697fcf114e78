package geo

import "math"

// plane is the space of geometries. A ring encloses the same area in either direction.
type plane struct{}

func (plane) point(x, y float64) point         { return point{x: x, y: y} }
func (plane) ring(points []point, _ bool) ring { return ring{points: points} }
func (plane) distance(p, q point) float64      { return math.Hypot(p.x-q.x, p.y-q.y) }
func (plane) nearest(p point, e edge) point {
	dx, dy := e.b.x-e.a.x, e.b.y-e.a.y
	length := dx*dx + dy*dy
	if length == 0 {
		return e.a
	}
	along := max(0, min(1, ((p.x-e.a.x)*dx+(p.y-e.a.y)*dy)/length))
	return point{x: e.a.x + along*dx, y: e.a.y + along*dy}
}

// turn is positive if c is to the left of the line from a to b, and 0 on the line.
func turn(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

func (plane) cross(e, f edge) bool {
	a, b, c, d := turn(e.a, e.b, f.a), turn(e.a, e.b, f.b), turn(f.a, f.b, e.a), turn(f.a, f.b, e.b)
	if a*b < 0 && c*d < 0 {
		return true
	}
	return a == 0 && e.boxes(f.a) || b == 0 && e.boxes(f.b) || c == 0 && f.boxes(e.a) || d == 0 && f.boxes(e.b)
}

// boxes reports whether p is in the bounding box of the edge.
func (e edge) boxes(p point) bool {
	return min(e.a.x, e.b.x) <= p.x && p.x <= max(e.a.x, e.b.x) && min(e.a.y, e.b.y) <= p.y && p.y <= max(e.a.y, e.b.y)
}

// inside counts the edges that a ray from p to the right crosses.
func (plane) inside(r ring, p point) bool {
	in := false
	r.edges(func(e edge) bool {
		if (e.a.y > p.y) != (e.b.y > p.y) && p.x < e.a.x+(p.y-e.a.y)/(e.b.y-e.a.y)*(e.b.x-e.a.x) {
			in = !in
		}
		return false
	})
	return in
}

func (plane) area(r ring) float64 {
	twice := 0.0
	r.edges(func(e edge) bool {
		twice += e.a.x*e.b.y - e.b.x*e.a.y
		return false
	})
	return math.Abs(twice) / 2
}
