package loadtest

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

//go:embed profiles
var builtin embed.FS

// Profiles returns the built-in profiles, in order of their ids.
func Profiles() ([]Profile, error) {
	var profiles []Profile
	err := fs.WalkDir(builtin, "profiles", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := builtin.ReadFile(name)
		if err != nil {
			return err
		}
		p, err := Parse(path.Base(name), text)
		profiles = append(profiles, p)
		return err
	})
	slices.SortFunc(profiles, func(a, b Profile) int { return strings.Compare(a.ID, b.ID) })
	return profiles, err
}

// Find returns the built-in profiles with these ids, or reads the file where an argument is the name of one (it ends in
// .yaml). Without arguments it returns all built-in profiles.
func Find(ids ...string) ([]Profile, error) {
	all, err := Profiles()
	if err != nil || len(ids) == 0 {
		return all, err
	}
	var found []Profile
	for _, id := range ids {
		p, err := find(all, id)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

func find(all []Profile, id string) (Profile, error) {
	if strings.HasSuffix(id, ".yaml") {
		text, err := os.ReadFile(id)
		if err != nil {
			return Profile{}, fmt.Errorf("cannot read the profile: %w", err)
		}
		return Parse(id, text)
	}
	var known []string
	for _, p := range all {
		if strings.EqualFold(p.ID, id) {
			return p, nil
		}
		known = append(known, p.ID)
	}
	return Profile{}, fmt.Errorf("no profile %q: give one of %s, or a .yaml file", id, strings.Join(known, ", "))
}

// Parse reads one profile. It is strict: an error names the file, the line where there is one, and what would be right.
func Parse(name string, text []byte) (Profile, error) {
	var p Profile
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&p); err != nil {
		return Profile{}, fmt.Errorf("%s: %s", name, oneLine(err))
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return Profile{}, fmt.Errorf("%s: a profile is one document: remove what follows ---", name)
	}
	if err := p.validate(); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

var goType = regexp.MustCompile(` (not found|already set) in type loadtest\.(\w+)`)

// oneLine makes the decoder's error, which may have many lines and Go's names, one line for a person.
func oneLine(err error) string {
	text := err.Error()
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = typed.Errors[0]
	}
	text = strings.TrimPrefix(text, "yaml: ")
	text = goType.ReplaceAllStringFunc(text, func(s string) string {
		m := goType.FindStringSubmatch(s)
		return fmt.Sprintf(" is %s in a %s", map[string]string{"not found": "unknown", "already set": "set twice"}[m[1]], strings.ToLower(m[2]))
	})
	return strings.ReplaceAll(text, "\n", " ")
}

// UnmarshalYAML reads a number, or a list of the least and the most.
func (r *Range) UnmarshalYAML(node *yaml.Node) error {
	var pair []int
	if node.Kind == yaml.ScalarNode {
		pair = []int{0, 0}
		if err := node.Decode(&pair[0]); err != nil {
			return err
		}
		pair[1] = pair[0]
	} else if err := node.Decode(&pair); err != nil {
		return err
	}
	if len(pair) != 2 || pair[0] < 1 || pair[1] < pair[0] || pair[1] > telemetryapi.MaxReadings {
		return fmt.Errorf("line %d: a batch is a number from 1 to %d, or a list of two", node.Line, telemetryapi.MaxReadings)
	}
	r.Least, r.Most = pair[0], pair[1]
	return nil
}

var profileID = regexp.MustCompile(`^[A-Z]{2}-[A-Z]+[0-9]+(-[a-z]+)?$`)

const (
	maxRate     = 100_000 // requests a second
	maxDuration = 24 * time.Hour
	maxKeys     = 1_000
	maxReadings = 10_000 // of each device, before the attack
)

func (p *Profile) validate() error {
	switch {
	case !profileID.MatchString(p.ID):
		return fmt.Errorf("id %q: write one such as TL-L2 or TL-L2-extreme", p.ID)
	case p.Title == "" || p.Figure == "":
		return errors.New("title and figure are needed: what is shown, and what the document says")
	case p.Population.Devices < 1 || p.Population.Devices > fleet.MaxDevices:
		return fmt.Errorf("population: %d devices: give 1 to %d", p.Population.Devices, fleet.MaxDevices)
	case p.Population.Keys < 1 || p.Population.Keys > maxKeys:
		return fmt.Errorf("population: %d keys: give 1 to %d", p.Population.Keys, maxKeys)
	case p.Population.Readings < 0 || p.Population.Readings > maxReadings:
		return fmt.Errorf("population: %d readings a device: give 0 to %d", p.Population.Readings, maxReadings)
	case p.busiest() > p.Population.Devices:
		return fmt.Errorf("mix: device %d: the population has %d", p.busiest(), p.Population.Devices)
	}
	return cmp.Or(first(p.Stages, Stage.validate, "stage"), first(p.Mix, Part.validate, "mix"), first(p.Limits, Limit.validate, "limit"))
}

// first returns the error of the first entry that has one; an empty list is one.
func first[T any](list []T, validate func(T) error, what string) error {
	if len(list) == 0 {
		return fmt.Errorf("%s: at least one is needed", what)
	}
	for i, v := range list {
		if err := validate(v); err != nil {
			return fmt.Errorf("%s %d: %w", what, i+1, err)
		}
	}
	return nil
}

func (s Stage) validate() error {
	if !(s.Rate > 0 && s.Rate <= maxRate) {
		return fmt.Errorf("rate %v: give more than 0 and at most %d requests a second", s.Rate, maxRate)
	}
	if s.Duration <= 0 || time.Duration(s.Duration) > maxDuration {
		return fmt.Errorf("duration %v: give more than 0 and at most 24h", time.Duration(s.Duration))
	}
	return nil
}

func (p Part) validate() error {
	k, known := kinds[p.Request]
	switch {
	case !known:
		return fmt.Errorf("no request %q: give one of %s", p.Request, names(kinds))
	case p.Weight < 1 || p.Weight > 1_000_000:
		return fmt.Errorf("weight %d: give 1 to 1000000", p.Weight)
	case p.Device < 0:
		return fmt.Errorf("device %d: give its number, from 1", p.Device)
	case p.Batch.Most > 0 && !k.carries:
		return fmt.Errorf("a %s request carries no readings: remove batch", p.Request)
	}
	return nil
}

func (l Limit) validate() error {
	if _, known := metrics[l.Metric]; !known {
		return fmt.Errorf("no metric %q: give one of %s", l.Metric, names(metrics))
	}
	if !profileID.MatchString(l.ID) {
		return fmt.Errorf("id %q: write the catalogue entry that the limit decides, such as TL-L2", l.ID)
	}
	if (l.AtMost == nil) == (l.AtLeast == nil) {
		return errors.New("give at_most or at_least")
	}
	for _, v := range []*float64{l.AtMost, l.AtLeast} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0) || *v < 0) {
			return fmt.Errorf("a limit is a number from 0, not %v", *v)
		}
	}
	return nil
}

// names lists the keys of a table in order.
func names[V any](table map[string]V) string {
	var list []string
	for name := range table {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
