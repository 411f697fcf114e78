package loadtest

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

//go:embed profiles
var builtin embed.FS

// Profiles returns the built-in profiles, in order of their ids.
func Profiles() ([]profile.Profile, error) {
	var profiles []profile.Profile
	err := fs.WalkDir(builtin, "profiles", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := builtin.ReadFile(name)
		if err != nil {
			return err
		}
		p, err := Parse(name, text)
		profiles = append(profiles, p)
		return err
	})
	slices.SortFunc(profiles, func(a, b profile.Profile) int { return strings.Compare(a.ID, b.ID) })
	return profiles, err
}

// Parse reads one profile. It is strict: an error names the file, the line if there is one, and what would be correct.
func Parse(name string, text []byte) (profile.Profile, error) {
	p, err := profile.Parse(name, text)
	if err != nil {
		return p, err
	}
	if err := verdict.Check(p); err != nil {
		return profile.Profile{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Find returns profiles. Each argument is the id of a built-in profile, the id of a catalogue entry, which stands for
// all profiles that decide it, or the name of a file that ends in .yaml. Without arguments Find returns all built-in
// profiles.
func Find(ids ...string) ([]profile.Profile, error) {
	all, err := Profiles()
	if err != nil || len(ids) == 0 {
		return all, err
	}
	var found []profile.Profile
	for _, id := range ids {
		some, err := find(all, id)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			if strings.HasSuffix(id, ".yaml") || !slices.ContainsFunc(found, func(q profile.Profile) bool {
				return q.ID == p.ID
			}) {
				found = append(found, p)
			}
		}
	}
	return found, nil
}

func find(all []profile.Profile, id string) ([]profile.Profile, error) {
	if strings.HasSuffix(id, ".yaml") {
		text, err := os.ReadFile(id)
		if err != nil {
			return nil, fmt.Errorf("cannot read the profile: %w", err)
		}
		p, err := Parse(id, text)
		return []profile.Profile{p}, err
	}
	var known []string
	var deciding []profile.Profile
	for _, p := range all {
		if strings.EqualFold(p.ID, id) {
			return []profile.Profile{p}, nil
		}
		if decides(p, id) {
			deciding = append(deciding, p)
		}
		known = append(known, p.ID)
	}
	if len(deciding) == 0 {
		return nil, fmt.Errorf("unknown profile %q: use one of %s, or a .yaml file", id, strings.Join(known, ", "))
	}
	return deciding, nil
}

// decides reports whether a limit of the profile decides a catalogue entry.
func decides(p profile.Profile, id string) bool {
	return slices.ContainsFunc(p.Limits, func(l profile.Limit) bool { return strings.EqualFold(l.ID, id) })
}
