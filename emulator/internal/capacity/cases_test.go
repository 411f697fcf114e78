package capacity_test

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

// TestCases tests the documented rules, unit by unit, on a clock that the cases move. Each case names its source. Its
// lines are:
//
//	table provisioned read=10 write=5      on-demand, max-read=, max-write=, warm-read=, warm-write=, lsi
//	index provisioned read=10 write=5      an index of the table
//	change provisioned read=20 write=5     another capacity for the table
//	at 300s                                the clock
//	take 3000 x 1 write of a@c0            requests of so many units each, of a key whose hash begins with c0
//	take 10 x 1 both of a@c0               writes of keys spread over the table, all of one key in the index
//	load 60s 900 write of a@c0             one-unit requests, so many a second, evenly spread over time
//	grow 11GB of a@c0                      a write that makes the table larger
//	partitions, warm                       what there is
//
// A key is a name and the beginning of its hash. "all" is as many keys as there are requests, spread over all hashes.
// "a@c0 sorts" is an item collection, and "a@c0 rising" is one whose sort key rises.
func TestCases(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/cases", func(t *testing.T, path string) {
		t.Parallel()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "case" || !d.HasArg("source") {
				d.Fatalf(t, "a case names its source")
			}
			s := script{t: t, start: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
			for line := range strings.Lines(d.Input) {
				s.run(strings.Fields(line))
			}
			return s.out.String()
		})
	})
}

// script is a running case.
type script struct {
	t      *testing.T
	start  time.Time
	now    time.Duration
	table  *capacity.Resource
	index  *capacity.Resource
	serial uint32 // of the request
	out    strings.Builder
}

func (s *script) time() time.Time { return s.start.Add(s.now) }

func (s *script) run(words []string) {
	switch words[0] {
	case "table":
		s.table = capacity.New(s.config("orders", words[1:]), s.time())
	case "index":
		s.index = capacity.New(s.config("orders/by-state", words[1:]), s.time())
	case "change":
		s.table.Update(s.config("orders", words[1:]), s.time())
	case "at":
		s.now = s.duration(words[1])
	case "take":
		s.take(words[1:])
	case "load":
		s.load(words[1:])
	case "grow":
		s.grow(words[1:])
	case "partitions":
		s.printf("%d partitions%s", len(s.table.Partitions(s.time())), s.bounds())
	case "warm":
		s.table.Partitions(s.time()) // ends the past minutes
		w := s.table.Warm()
		s.printf("%v reads and %v writes a second", w.Read, w.Write)
	default:
		s.t.Fatalf("no such line: %v", words)
	}
}

func (s *script) printf(format string, args ...any) {
	fmt.Fprintf(&s.out, "%-6v %s\n", s.now, fmt.Sprintf(format, args...))
}

func (s *script) config(name string, words []string) capacity.Config {
	c := capacity.Config{Name: name, Index: strings.Contains(name, "/"), OnDemand: words[0] == "on-demand", Enforce: true}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		units, _ := strconv.ParseFloat(value, 64)
		switch key {
		case "read":
			c.Provisioned.Read = units
		case "write":
			c.Provisioned.Write = units
		case "max-read":
			c.Max.Read = units
		case "max-write":
			c.Max.Write = units
		case "warm-read":
			c.Warm.Read = units
		case "warm-write":
			c.Warm.Write = units
		case "lsi":
			c.LocalIndexes = true
		default:
			s.t.Fatalf("no such setting: %s", word)
		}
	}
	return c
}

// take runs a line such as "3000 x 1 write of a@c0". It stops at the first throttled request.
func (s *script) take(words []string) {
	n := 1
	if words[1] == "x" {
		n, words = int(s.number(words[0])), words[2:]
	}
	units := s.number(words[0])
	for i := range n {
		if throttled := s.one(units, words[1:]); throttled != nil {
			s.printf("%s %s", admitted(i), refusal(throttled))
			return
		}
	}
	s.printf("%s", admitted(n))
}

func admitted(n int) string {
	if n == 0 {
		return "none:"
	}
	return fmt.Sprintf("%d admitted", n)
}

func refusal(t *capacity.Throttled) string { return t.Reason() + " of " + t.Resource.Name() }

// load runs a line such as "60s 900 write of a@c0". It continues when requests are throttled.
func (s *script) load(words []string) {
	d, rate := s.duration(words[0]), s.number(words[1])
	n := int(d.Seconds() * rate)
	begin, refused, why := s.now, 0, ""
	for i := range n {
		s.now = begin + time.Duration(float64(i)/rate*float64(time.Second))
		if throttled := s.one(1, words[2:]); throttled != nil {
			refused, why = refused+1, ": "+refusal(throttled)
		}
	}
	s.now = begin + d
	s.printf("%d of %d refused%s", refused, n, why)
}

// grow runs a line such as "11GB of a@c0".
func (s *script) grow(words []string) {
	gigabytes := s.number(strings.TrimSuffix(words[0], "GB"))
	if throttled := s.one(1, append([]string{"write"}, words[1:]...)); throttled != nil {
		s.t.Fatal(refusal(throttled))
	}
	s.serial-- // the same key
	key, _ := s.key(words[2:])
	s.table.Grow(key, int64(gigabytes*(1<<30)))
}

// one sends one request, such as "write of a@c0".
func (s *script) one(units float64, words []string) *capacity.Throttled {
	c := capacity.Charge{Resource: s.table, Write: words[0] == "write", Units: units}
	c.Key, c.Collection = s.key(words[2:])
	charges := []capacity.Charge{c}
	if words[0] == "both" {
		c.Write, c.Resource = true, s.index
		key, collection := s.key([]string{"all"})
		charges = []capacity.Charge{{Resource: s.table, Write: true, Units: units, Key: key, Collection: collection}, c}
	}
	return capacity.Take(s.time(), charges)
}

func (s *script) key(words []string) (key []byte, collection int) {
	s.serial++
	spread := s.serial * 2654435761 // by the golden ratio: never the same twice, and even
	if words[0] == "all" {
		key = binary.BigEndian.AppendUint32(nil, spread)
		key = append(key, "k\x00\x01"...)
		return key, len(key)
	}
	name, hash, _ := strings.Cut(words[0], "@")
	first, err := strconv.ParseUint(hash, 16, 8)
	if err != nil {
		s.t.Fatal(err)
	}
	key = append([]byte{byte(first), 0, 0, 0}, name+"\x00\x01"...)
	collection = len(key)
	if len(words) > 1 && words[1] == "sorts" {
		key = binary.BigEndian.AppendUint32(key, spread)
	} else if len(words) > 1 {
		key = binary.BigEndian.AppendUint32(key, s.serial)
	}
	return key, collection
}

// bounds shows the bounds of partitions if there are few.
func (s *script) bounds() string {
	all := s.table.Partitions(s.time())
	if len(all) == 1 || len(all) > 6 {
		return ""
	}
	var at []string
	for _, p := range all[1:] {
		at = append(at, fmt.Sprintf("%x", p.Lo[:min(4, len(p.Lo))])+
			strings.Trim(strconv.QuoteToASCII(string(p.Lo[min(4, len(p.Lo)):])), `"`))
	}
	return " that meet at " + strings.Join(at, ", ")
}

func (s *script) duration(word string) time.Duration {
	d, err := time.ParseDuration(word)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *script) number(word string) float64 {
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}
