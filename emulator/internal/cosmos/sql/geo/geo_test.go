package geo

import (
	"math"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// shape parses "Type coordinates".
func shape(t *testing.T, text string, planar bool) *Shape {
	t.Helper()
	s, err := Read(value(t, text), planar)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

func value(t *testing.T, text string) doc.Value {
	t.Helper()
	kind, coordinates, _ := strings.Cut(text, " ")
	v, err := doc.Parse([]byte(`{"type":"` + kind + `","coordinates":` + coordinates + `}`))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

const (
	square   = "Polygon [[[0,0],[10,0],[10,10],[0,10],[0,0]]]"
	turned   = "Polygon [[[0,0],[0,10],[10,10],[10,0],[0,0]]]"
	holed    = "Polygon [[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[4,6],[6,6],[6,4],[4,4]]]"
	inHole   = "Polygon [[[4.5,4.5],[5.5,4.5],[5.5,5.5],[4.5,5.5],[4.5,4.5]]]"
	small    = "Polygon [[[1,1],[2,1],[2,2],[1,2],[1,1]]]"
	far      = "Polygon [[[21,1],[22,1],[22,2],[21,2],[21,1]]]"
	both     = "MultiPolygon [[[[21,1],[22,1],[22,2],[21,2],[21,1]]],[[[0,0],[10,0],[10,10],[0,10],[0,0]]]]"
	across   = "LineString [[-1,5],[11,5]]"
	dateline = "Polygon [[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]]"
)

func TestWithinAndIntersects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b               string
		within, intersects bool
	}{
		{"Point [5,5]", square, true, true},
		{"Point [15,5]", square, false, false},
		{"Point [5,5]", holed, false, false},
		{"Point [1,5]", holed, true, true},
		{"Point [5,5]", both, true, true},
		{"Point [5,0]", "LineString [[0,0],[10,0]]", true, true},
		{"Point [5,1]", "LineString [[0,0],[10,0]]", false, false},
		{"Point [5,1]", "Point [5,1]", true, true},
		{small, square, true, true},
		{square, small, false, true},
		{small, far, false, false},
		{small, both, true, true},
		{inHole, holed, false, false},
		{square, holed, false, true},
		{across, square, false, true},
		{across, far, false, false},
		{"LineString [[1,1],[9,9]]", square, true, true},
		{"LineString [[1,1],[9,9]]", holed, false, true},
	} {
		for _, planar := range []bool{true, false} {
			a, b := shape(t, c.a, planar), shape(t, c.b, planar)
			within, _ := a.Within(b)
			intersects, _ := a.Intersects(b)
			mutual, _ := b.Intersects(a)
			if within != c.within || intersects != c.intersects || mutual != c.intersects {
				t.Errorf("%s in %s, planar %v: within %v, intersects %v and %v", c.a, c.b, planar, within, intersects, mutual)
			}
		}
	}
}

func TestTheGlobeIsRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b   string
		within bool
	}{
		{"Point [180,0]", dateline, true},
		{"Point [0,0]", dateline, false},
		{"Point [5,5]", turned, false}, // clockwise: the inverse
		{"Point [50,50]", turned, true},
		{"Point [0,90]", "Polygon [[[0,80],[90,80],[180,80],[-90,80],[0,80]]]", true},
		{"Point [5,10.01]", square, true}, // its northern edge bulges north of the parallel
	} {
		if within, ok := shape(t, c.a, false).Within(shape(t, c.b, false)); !ok || within != c.within {
			t.Errorf("%s in %s: %v", c.a, c.b, within)
		}
	}
}

func TestDistances(t *testing.T) {
	t.Parallel()
	const metre = 1.0
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"Point [0,0]", "Point [180,0]", math.Pi * equatorial},
		{"Point [0,90]", "Point [0,-90]", 20003931.459},
		{"Point [0,0]", "Point [1,0]", equatorial * math.Pi / 180},
		{"Point [0,0]", "Point [0,0]", 0},
		{"Point [-1,0]", "LineString [[0,-5],[0,5]]", equatorial * math.Pi / 180},
		{small, square, 0},
		{"Point [-1,0]", both, equatorial * math.Pi / 180},
	} {
		if got, ok := shape(t, c.a, false).Distance(shape(t, c.b, false)); !ok || math.Abs(got-c.want) > metre {
			t.Errorf("%s to %s: %f, not %f", c.a, c.b, got, c.want)
		}
	}
	if got, _ := shape(t, "Point [13,14]", true).Distance(shape(t, square, true)); got != 5 {
		t.Errorf("in the plane: %g", got)
	}
}

func TestAreas(t *testing.T) {
	t.Parallel()
	const whole = 510065621724088 // area of the ellipsoid in square metres
	octant := shape(t, "Polygon [[[0,0],[90,0],[0,90],[0,0]]]", false).Area()
	if math.Abs(octant-whole/8) > 1e6 {
		t.Errorf("an eighth of the globe: %f, not %f", octant, whole/8.0)
	}
	if outside := shape(t, "Polygon [[[0,0],[0,90],[90,0],[0,0]]]", false).Area(); math.Abs(outside-whole*7/8) > 1e6 {
		t.Errorf("the rest of it: %f", outside)
	}
	for text, want := range map[string]float64{square: 100, turned: 100, holed: 96, both: 101, "Point [1,2]": 0} {
		if got := shape(t, text, true).Area(); got != want {
			t.Errorf("%s: %g, not %g", text, got, want)
		}
	}
}

func TestInvalidShapesSayWhy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Point [0,91]":                                "Latitude",
		"Point [181,0]":                               "Longitude",
		"Point [1]":                                   "two numbers",
		`Point ["a",1]`:                               "two numbers",
		"Circle [1,2]":                                "type",
		"LineString [[1,1],[1,1]]":                    "distinct points",
		"LineString 7":                                "array",
		"Polygon []":                                  "no rings",
		"Polygon [[[0,0],[1,0],[1,1],[0,1]]]":         "ring number 1 are not the same",
		"Polygon [[[0,0],[1,0],[0,0]]]":               "four points",
		"Polygon [[[0,0],[9,9],[9,0],[0,9],[0,0]]]":   "cross",
		"Polygon [[[0,0],[9,0],[9,9],[0,0]],[[1,1]]]": "ring number 2",
		"MultiPolygon [[[[0,0],[1,0],[0,0]]]]":        "four points",
	} {
		if _, err := Read(value(t, text), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{square, holed, both, across, "Point [0,90]"} {
		kind, coordinates, _ := strings.Cut(s, " ")
		f.Add(kind, coordinates)
	}
	f.Fuzz(func(t *testing.T, kind, coordinates string) {
		c, err := doc.Parse([]byte(coordinates))
		if err != nil {
			return
		}
		v := doc.Object(doc.Member{Name: "type", Value: doc.String(kind)}, doc.Member{Name: "coordinates", Value: c})
		for _, planar := range []bool{true, false} {
			s, err := Read(v, planar)
			if err != nil {
				continue
			}
			if meet, ok := s.Intersects(s); ok && !meet && s.size > 0 {
				t.Errorf("%s does not meet itself, planar %v", v.JSON(), planar)
			}
			s.Within(s)
			s.Distance(s)
			s.Area()
		}
	})
}
