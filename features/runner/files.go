package runner

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// filePattern matches a file or folder, and its lines.
var filePattern = lazyregexp.New(`^(.+?)((?::[0-9]+)*)$`)

// resolveFiles returns the scenarios of files, by path; nil if no files are given.
func resolveFiles(files []string, suites []plannedSuite) (map[string]nameList, error) {
	if len(files) == 0 {
		return nil, nil
	}
	sources := map[string]Source{}
	for _, s := range suites {
		for name, source := range s.sources {
			sources[s.path(name)] = source
		}
	}
	all := map[string]nameList{}
	for _, text := range files {
		if err := addFile(all, text, sources); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addFile adds the scenarios of a file or folder with its lines, such as features/kefir/batches.feature:12:40.
func addFile(all map[string]nameList, text string, sources map[string]Source) error {
	parts := filePattern.FindStringSubmatch(text)
	if parts == nil {
		return fmt.Errorf("the name of a feature file is empty: %s", fileForm)
	}
	paths, isFolder := findFiles(filepath.ToSlash(filepath.Clean(parts[1])), sources)
	switch {
	case len(paths) == 0:
		return unknownFile(parts[1], sources)
	case isFolder && parts[2] != "":
		return fmt.Errorf("%q is a folder, which has no lines: %s", parts[1], fileForm)
	case !isFolder && len(paths) > 1:
		return fmt.Errorf("%q is in several folders: use %s", parts[1], strings.Join(paths, " or "))
	}
	for _, p := range paths {
		if err := addLines(all, p, parts[2], sources[p]); err != nil {
			return err
		}
	}
	return nil
}

// fileForm is the remedy for what is not a file with lines.
const fileForm = "use FILE or FILE:LINE, such as features/kefir/batches.feature:12"

// findFiles returns the paths of the feature file, or of those in the folder, that wanted names. It may begin earlier
// or later than the paths: /src/features/kefir/batches.feature, kefir/batches.feature and batches.feature are the same.
func findFiles(wanted string, sources map[string]Source) (paths []string, isFolder bool) {
	for _, p := range slices.Sorted(maps.Keys(sources)) {
		for at := p; at != "."; at = path.Dir(at) {
			if at == wanted || strings.HasSuffix(at, "/"+wanted) || strings.HasSuffix(wanted, "/"+at) {
				paths, isFolder = append(paths, p), isFolder || at != p
				break
			}
		}
	}
	return paths, isFolder
}

// addLines adds the scenarios of a file at these lines, such as ":12:40", or all if there are none.
func addLines(all map[string]nameList, path, lines string, source Source) error {
	if all[path] == nil {
		all[path] = nameList{}
	}
	if lines == "" {
		for _, spec := range source.Scenarios {
			all[path][spec.Name] = true
		}
		return nil
	}
	for _, text := range strings.Split(lines[1:], ":") {
		line, _ := strconv.Atoi(text) // a number that is too large becomes the largest
		found := false
		for _, spec := range source.Scenarios {
			if spec.IsAt(line) {
				all[path][spec.Name], found = true, true
			}
		}
		if !found {
			return noScenarioAt(path, text, line, source)
		}
	}
	return nil
}

func noScenarioAt(path, text string, line int, source Source) error {
	if len(source.Scenarios) == 0 {
		return fmt.Errorf("%s has no scenarios: use another file", path)
	}
	near := slices.MinFunc(source.Scenarios, func(a, b Spec) int { return abs(a.Line-line) - abs(b.Line-line) })
	return fmt.Errorf("%s has no scenario at line %s: the nearest is at line %d, %q", path, text, near.Line, near.Name)
}

func abs(n int) int { return max(n, -n) }

// unknownFile returns the error of a file that does not exist, with the files of its folder, or else the folders.
func unknownFile(wanted string, sources map[string]Source) error {
	if _, rest, found := strings.Cut(wanted, ".feature:"); found {
		return fmt.Errorf("%q: %q is not a line number: %s", wanted, rest, fileForm)
	}
	if strings.HasPrefix(wanted, "@") {
		return fmt.Errorf("%q is a tag, not a file: use --tags %[1]s", wanted)
	}
	folder, what := path.Base(path.Dir(filepath.ToSlash(wanted))), "files"
	var names []string
	for p := range sources {
		if path.Base(path.Dir(p)) == folder {
			names = append(names, path.Base(p))
		}
	}
	if len(names) == 0 {
		what, folder = "folders", "features"
		for p := range sources {
			names = append(names, path.Base(path.Dir(p)))
		}
	}
	slices.Sort(names)
	return fmt.Errorf("there is no feature file %q: the %s in %s are %s", wanted, what, folder,
		strings.Join(slices.Compact(names), ", "))
}
