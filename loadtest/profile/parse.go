package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// systemOf returns the system of a profile that does not name one: the system whose name the file's folder has,
// otherwise telemetry.
func systemOf(name string) string {
	folder := filepath.Base(filepath.Dir(name))
	if _, known := systems()[folder]; known {
		return folder
	}
	return "telemetry"
}

// Parse reads one profile. It is strict: an error names the file, the line if there is one, and what would be correct.
// It does not check the names of metrics; verdict.Check does.
func Parse(name string, text []byte) (Profile, error) {
	var p Profile
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&p); err != nil && !errors.Is(err, io.EOF) { // what an empty file lacks is reported below
		return Profile{}, fmt.Errorf("%s: %s", name, oneLine(err))
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return Profile{}, fmt.Errorf("%s: a profile is one YAML document; remove everything after ---", name)
	}
	p.System = cmp.Or(p.System, systemOf(name))
	if err := p.Validate(); err != nil {
		return Profile{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

var goType = lazyregexp.New(` (not found|already set) in type profile\.(\w+)`)

// oneLine turns the decoder's error, which may have several lines and Go type names, into one line for the user.
func oneLine(err error) string {
	text := err.Error()
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = typed.Errors[0]
	}
	text = strings.TrimPrefix(text, "yaml: ")
	text = goType.ReplaceAllStringFunc(text, func(s string) string {
		m := goType.FindStringSubmatch(s)
		return fmt.Sprintf(" is %s in a %s", map[string]string{"not found": "unknown", "already set": "set twice"}[m[1]],
			strings.ToLower(m[2]))
	})
	return strings.ReplaceAll(text, "\n", " ")
}

// maxBatch is the maximum number of entities in any request.
const maxBatch = 100

// UnmarshalYAML reads a number, or a list of the minimum and the maximum.
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
	if len(pair) != 2 || pair[0] < 1 || pair[1] < pair[0] || pair[1] > maxBatch {
		return fmt.Errorf("line %d: a batch must be a number from 1 to %d, or a list of two", node.Line, maxBatch)
	}
	r.Min, r.Max = pair[0], pair[1]
	return nil
}

// UnmarshalYAML reads a duration in the format of time.ParseDuration.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	if err := d.UnmarshalText([]byte(node.Value)); err != nil {
		return fmt.Errorf("line %d: %q is not a duration; use one such as 90s", node.Line, node.Value)
	}
	return nil
}
