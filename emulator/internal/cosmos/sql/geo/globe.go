package geo

import (
	"math"

	"github.com/golang/geo/r3"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// globe is the space of geographies, the WGS-84 ellipsoid. A counter-clockwise ring encloses the area inside; a
// clockwise ring encloses the rest of the world ("Geospatial and GeoJSON location data"). A hole always is the smaller
// of both.
type globe struct{}

// The ellipsoid: semi-axes in metres, flattening, and squared eccentricity.
const (
	equatorial = 6378137.0
	flattening = 1 / 298.257223563
	polar      = equatorial * (1 - flattening)
	eccentric2 = flattening * (2 - flattening)
)

func (globe) point(x, y float64) point {
	geocentric := math.Atan((1 - eccentric2) * math.Tan(y*math.Pi/180))
	if math.Abs(y) == 90 {
		geocentric = math.Copysign(math.Pi/2, y)
	}
	return point{x: x, y: y, at: s2.PointFromLatLng(s2.LatLng{Lat: s1.Angle(geocentric),
		Lng: s1.Angle(x * math.Pi / 180)})}
}

func (globe) ring(points []point, hole bool) ring {
	loop := s2.LoopFromPoints(directions(points))
	if hole {
		loop.Normalize()
	}
	return ring{points, loop}
}

func directions(points []point) []s2.Point {
	out := make([]s2.Point, len(points))
	for i, p := range points {
		out[i] = p.at
	}
	return out
}

// touching is the distance in radians, less than a micrometre, below which a point is on an edge.
const touching = 1e-13

func (globe) cross(e, f edge) bool {
	if e.a.at == e.b.at {
		return s2.DistanceFromSegment(e.a.at, f.a.at, f.b.at) < touching
	}
	if f.a.at == f.b.at {
		return s2.DistanceFromSegment(f.a.at, e.a.at, e.b.at) < touching
	}
	return s2.CrossingSign(e.a.at, e.b.at, f.a.at, f.b.at) != s2.DoNotCross
}

func (globe) inside(r ring, p point) bool { return r.loop.ContainsPoint(p.at) }

func (globe) nearest(p point, e edge) point {
	if e.a.at == e.b.at {
		return e.a
	}
	return point{at: s2.Project(p.at, e.a.at, e.b.at)}
}

// steps is the number of parts of an arc for Simpson's rule: the error is less than a millimetre on half the
// circumference.
const steps = 64

// distance returns the length of the great ellipse arc between two points.
func (globe) distance(p, q point) float64 {
	angle := p.at.Distance(q.at).Radians()
	if angle == 0 {
		return 0
	}
	across := p.at.PointCross(q.at).Cross(p.at.Vector).Normalize()
	total := 0.0
	for i := range steps + 1 {
		weight := 2.0 + 2*float64(i%2)
		if i == 0 || i == steps {
			weight = 1
		}
		total += weight * pace(p.at.Vector, across, angle*float64(i)/steps)
	}
	return total * angle / (3 * steps)
}

// pace returns the derivative of the arc length of an ellipse at an angle t at the centre, measured from the direction
// u towards w, which is orthogonal to u.
func pace(u, w r3.Vector, t float64) float64 {
	sin, cos := math.Sincos(t)
	at, onward := u.Mul(cos).Add(w.Mul(sin)), w.Mul(cos).Sub(u.Mul(sin))
	const flat, steep = 1 / (equatorial * equatorial), 1 / (polar * polar)
	inverse := (at.X*at.X+at.Y*at.Y)*flat + at.Z*at.Z*steep
	change := (at.X*onward.X+at.Y*onward.Y)*flat + at.Z*onward.Z*steep
	return math.Sqrt(1/inverse + change*change/(inverse*inverse*inverse))
}

// longest is the maximum angle in radians of a piece of an edge that area replaces by an arc on the sphere.
const longest = 0.02

// area returns the area on a sphere with the surface area of the ellipsoid. It moves latitudes so that areas are
// preserved.
func (globe) area(r ring) float64 {
	var moved []s2.Point
	for i := range r.loop.NumVertices() {
		a, b := r.loop.Vertex(i), r.loop.Vertex(i+1)
		pieces := min(steps, 1+int(a.Distance(b).Radians()/longest))
		for j := range pieces {
			moved = append(moved, authalic(s2.Interpolate(float64(j)/float64(pieces), a, b)))
		}
	}
	return s2.LoopFromPoints(moved).Area() * equatorial * equatorial * zone(1) / 2
}

// zone is proportional to the area of the ellipsoid between the equator and the geodetic latitude with a given sine.
func zone(sine float64) float64 {
	e := math.Sqrt(eccentric2)
	return (1 - eccentric2) * (sine/(1-eccentric2*sine*sine) - math.Log((1-e*sine)/(1+e*sine))/(2*e))
}

func authalic(p s2.Point) s2.Point {
	geodetic := math.Atan2(p.Z, (1-eccentric2)*math.Hypot(p.X, p.Y))
	z := max(-1, min(1, zone(math.Sin(geodetic))/zone(1)))
	around, r := math.Atan2(p.Y, p.X), math.Sqrt(1-z*z)
	return s2.Point{Vector: r3.Vector{X: r * math.Cos(around), Y: r * math.Sin(around), Z: z}}
}
