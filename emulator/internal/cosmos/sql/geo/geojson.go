package geo

import (
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Read parses a GeoJSON object in the plane (geometry) or on the globe (geography). The error says why the shape is
// invalid; for latitudes and unclosed rings it is the service's message.
func Read(v doc.Value, planar bool) (*Shape, error) {
	r := reader{space: globe{}, planar: planar}
	if planar {
		r.space = plane{}
	}
	s := &Shape{space: r.space}
	coordinates := v.Field("coordinates")
	switch kind := v.Field("type").Str(); kind {
	case "Point":
		p := r.point(coordinates)
		s.paths = [][]point{{p}}
	case "LineString":
		s.paths = [][]point{r.line(coordinates)}
	case "Polygon":
		s.areas = []area{r.polygon(coordinates)}
	case "MultiPolygon":
		for _, polygon := range r.list(coordinates, "polygons") {
			s.areas = append(s.areas, r.polygon(polygon))
		}
	default:
		return nil, fmt.Errorf("the type %q is not Point, LineString, Polygon or MultiPolygon", kind)
	}
	s.size = r.size
	return s, r.err
}

// reader parses coordinates and keeps the first error.
type reader struct {
	space  space
	planar bool
	size   int
	err    error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) list(v doc.Value, of string) []doc.Value {
	if v.Kind() != doc.List {
		r.fail(fmt.Errorf("coordinates must be an array of %s", of))
	}
	return v.Elements()
}

func (r *reader) point(v doc.Value) point {
	n := r.list(v, "numbers")
	if len(n) < 2 || n[0].Kind() != doc.Numeric || n[1].Kind() != doc.Numeric {
		r.fail(errors.New("a position must have at least two numbers"))
		return point{}
	}
	r.size++
	x, y := n[0].Float(), n[1].Float()
	switch {
	case r.planar:
	case y < -90 || y > 90:
		r.fail(reason("Latitude values must be between -90 and 90 degrees."))
		return point{}
	case x < -180 || x > 180:
		r.fail(reason("Longitude values must be between -180 and 180 degrees."))
		return point{}
	}
	return r.space.point(x, y)
}

// reason is why a shape is invalid: the service's message, a sentence, as ST_ISVALIDDETAILED returns it.
type reason string

func (r reason) Error() string { return string(r) }

// points drops points that equal the previous one.
func (r *reader) points(v doc.Value) []point {
	var points []point
	for _, e := range r.list(v, "positions") {
		p := r.point(e)
		if len(points) == 0 || points[len(points)-1] != p {
			points = append(points, p)
		}
	}
	return points
}

func (r *reader) line(v doc.Value) []point {
	points := r.points(v)
	if len(points) < 2 {
		r.fail(reason("The LineString input is not valid because it does not have enough distinct points. " +
			"A LineString must have at least two distinct points."))
	}
	return points
}

func (r *reader) polygon(v doc.Value) area {
	var a area
	for i, e := range r.list(v, "rings") {
		points := r.points(e)
		if r.err != nil || !r.closed(points, i+1) {
			return a
		}
		shape := r.space.ring(points[:len(points)-1], i > 0)
		if r.crosses(shape) {
			r.fail(reason(fmt.Sprintf("The Polygon input is not valid because the edges of the ring number %d cross.", i+1)))
		}
		if i == 0 {
			a.outer = shape
		} else {
			a.holes = append(a.holes, shape)
		}
	}
	if len(a.outer.points) == 0 {
		r.fail(reason("The Polygon input is not valid because it has no rings."))
	}
	return a
}

func (r *reader) closed(points []point, number int) bool {
	switch {
	case len(points) > 0 && points[0] != points[len(points)-1]:
		r.fail(reason(
			fmt.Sprintf(
				"The Polygon input is not valid because the start and end points of the ring number %d are not the same. "+
					"Each ring of a Polygon must have the same start and end points.", number)))
	case len(points) < 4:
		r.fail(reason(fmt.Sprintf("The Polygon input is not valid because the ring number %d does not have enough points. "+
			"Each ring of a polygon must contain at least four points.", number)))
	default:
		return true
	}
	return false
}

// maxRing is the maximum number of edges of a ring whose edges are all compared with one another.
const maxRing = 300

// crosses reports whether two edges of a ring that are not neighbours meet. Rings with more than maxRing edges are not
// checked.
func (r *reader) crosses(shape ring) bool {
	n := len(shape.points)
	if n > maxRing {
		return false
	}
	at := func(i int) edge { return edge{shape.points[i%n], shape.points[(i+1)%n]} }
	for i := range n {
		for j := i + 2; j < n; j++ {
			if (j+1)%n != i && r.space.cross(at(i), at(j)) {
				return true
			}
		}
	}
	return false
}
