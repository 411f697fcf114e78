// Command render writes the manifests of the Helm chart of load tests, as helm template does, with the packages of
// Helm. It has a module of its own, because Helm needs many others.
//
//	render CHART [NAME=VALUE...]
package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
)

func main() {
	if err := render(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// render writes the manifests in order of their files. Errors: a template uses a value that does not exist, or a value
// does not match the chart's schema.
func render(w io.Writer, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("no chart: render CHART [NAME=VALUE...]")
	}
	chart, err := loader.Load(args[0])
	if err != nil {
		return err
	}
	given := map[string]any{}
	for _, arg := range args[1:] {
		if err := strvals.ParseInto(arg, given); err != nil {
			return err
		}
	}
	release := chartutil.ReleaseOptions{Name: "tabletop", Namespace: "default", Revision: 1, IsInstall: true}
	values, err := chartutil.ToRenderValues(chart, given, release, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	files, err := engine.Engine{Strict: true}.Render(chart, values)
	if err != nil {
		return err
	}
	var names []string
	for name, text := range files {
		if path.Ext(name) == ".yaml" && strings.TrimSpace(text) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if _, err := fmt.Fprintf(w, "---\n%s\n", strings.TrimSpace(files[name])); err != nil {
			return err
		}
	}
	return nil
}
