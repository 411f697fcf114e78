package devicetoken

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/cucumber/godog"
	"gopkg.in/yaml.v3"

	schema "github.com/tabletop-db/tabletop/backend/devicetoken"
)

// identitiesFile is the allowed content of a file of identities. Anything else that could grant permissions is an
// error.
type identitiesFile struct {
	Account string                `yaml:"account"`
	Users   map[string]policyUser `yaml:"users"`
	// Policies maps names to policies.
	Policies map[string]policyDocument `yaml:"policies"`
}

type policyUser struct {
	Keys     []map[string]string `yaml:"keys"`
	Policies []string            `yaml:"policies"`
}

type policyDocument struct {
	Version   string `yaml:"Version"`
	Statement []struct {
		Effect   string   `yaml:"Effect"`
		Action   []string `yaml:"Action"`
		Resource string   `yaml:"Resource"`
	} `yaml:"Statement"`
}

func (w *world) policies(sc *godog.ScenarioContext) {
	sc.Step(`^the (service|cleanup) has one policy, which allows exactly:$`, w.allowsExactly)
}

// allowsExactly compares the policy that Tabletop ships for a user with pairs of an action and a resource, in any
// order. One permission too many is as wrong as one too few.
func (w *world) allowsExactly(who string, rows *godog.Table) error {
	var file identitiesFile
	in := yaml.NewDecoder(bytes.NewReader(schema.Identities("", "")))
	in.KnownFields(true)
	if err := in.Decode(&file); err != nil {
		return err
	}
	names := file.Users[w.userOf(who)].Policies
	if len(names) != 1 {
		return fmt.Errorf("it has the policies %q", names)
	}
	got, err := file.Policies[names[0]].allowed()
	if err != nil {
		return err
	}
	var want []string
	for _, row := range rows.Rows {
		want = append(want, row.Cells[0].Value+" on "+row.Cells[1].Value)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("it allows %q", got)
	}
	return nil
}

// allowed returns the actions that a policy allows, each with its resource, sorted. Errors: a policy with anything but
// Allow statements.
func (p policyDocument) allowed() ([]string, error) {
	var all []string
	for _, s := range p.Statement {
		if s.Effect != "Allow" {
			return nil, errors.New("it has a statement that allows nothing")
		}
		for _, action := range s.Action {
			all = append(all, action+" on "+s.Resource)
		}
	}
	slices.Sort(all)
	return all, nil
}
